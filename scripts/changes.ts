import { runSeeded } from "./seededRuns";

/**
 * `npm run test:changes`: changes a cluster at random, several arguments at once, while machines are lost and
 * engines are killed. A seed chooses the changes.
 */
void runSeeded(
  {
    script: "test:changes",
    runOf: (seed) => ({
      words: ["life", "randomChanges"],
      environment: { RANDOM_CHANGES: `${seed}` },
    }),
  },
  process.argv.slice(2),
);
