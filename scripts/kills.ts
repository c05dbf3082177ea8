import { runSeeded } from "./seededRuns";

const suites = ["engine", "life"];

/**
 * `npm run test:kills`: kills engines at each operation of an `up`, a destroy, upgrades, a scaling, a rotation and a
 * restore, where `npm test` takes a few. A seed chooses some of these operations.
 */
void runSeeded(
  {
    script: "test:kills",
    whole: {
      words: [...suites, "killedDestroys", "killedChanges", "killedCreates"],
      environment: { KILLED_DESTROYS: "all", KILLED_CHANGES: "all", KILLED_CREATES: "all" },
    },
    runOf: (seed) => ({
      words: [...suites, "killedDestroys", "killedChanges"],
      environment: { KILLED_DESTROYS: `${seed}`, KILLED_CHANGES: `${seed}` },
    }),
  },
  process.argv.slice(2),
);
