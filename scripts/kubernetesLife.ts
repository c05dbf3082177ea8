import { runTests } from "./seededRuns";

/** The files of the life, if none is named. */
const ALL = ["labKubernetesLife"];

/**
 * `npm run test:kubernetes`: takes clusters of real Kubernetes through upgrades, rotations, losses and bad values, on
 * the nodes that KUBERNETES_LAB starts. Words after `--` are those of `npm test`: parts of file names, and `-t`.
 */
async function main(): Promise<void> {
  const { KUBERNETES_LAB: lab = "", KUBERNETES_LIFE: mode = "once" } = process.env;
  if (lab === "") {
    process.stderr.write("set KUBERNETES_LAB to a kubernetes-lab, which starts the nodes\n");
    process.exitCode = 1;
    return;
  }
  const args = process.argv.slice(2);
  const files = args.length === 0 || args[0] === "-t" ? ALL : [];
  process.exitCode = await runTests({
    words: ["conformance", ...files, ...args],
    environment: { KUBERNETES_LIFE: mode },
  });
}

void main();
