import { lifeRuns } from "./testing/labFiles";
import { LAB_RELEASES } from "./testing/labReleases";
import { runOnEachRelease } from "./testing/labRuns";

/**
 * `npm run test:kubernetes`: takes clusters of real Kubernetes through upgrades, rotations, losses and bad values, on
 * the nodes that KUBERNETES_LAB starts, with each release of Talos that it has, unless TALOS_LAB_RELEASE chooses one. A
 * cluster that is kept (KUBERNETES_LIFE=keep) has the default one. Words after `--` are those of `npm test`: parts of file
 * names, and `-t`.
 */
async function main(): Promise<void> {
  const { KUBERNETES_LIFE: mode = "once" } = process.env;
  process.exitCode = await runOnEachRelease(
    lifeRuns(mode),
    process.argv.slice(2),
    mode === "keep" ? { TALOS_LAB_RELEASE: LAB_RELEASES[0], ...process.env } : process.env,
  );
}

void main();
