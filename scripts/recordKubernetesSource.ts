import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readKubernetesSource, readUpgradeChecks } from "./kubernetesSource";
import { paths } from "./paths";
import { runMain } from "./runMain";

/**
 * `node scripts/run.mjs recordKubernetesSource <modules> <release> <go-kubernetes>`: records what the
 * product repeats of the Go code of Kubernetes, for tests that compare. `<modules>` is
 * `$(go env GOMODCACHE)/k8s.io`, after `go mod download` of the modules in `kubernetesSource.ts`.
 * `<release>` is that of Kubernetes, and `<go-kubernetes>` that of siderolabs/go-kubernetes in the
 * same cache: what Talos' go.mod requires.
 */
runMain(async () => {
  const [modules, release, checks] = process.argv.slice(2);
  if (modules === undefined || release === undefined || checks === undefined) {
    throw new Error("usage: recordKubernetesSource <folder of k8s.io> <v1.37.2> <v0.2.41>");
  }
  const folder = join(paths.root, "test/provider/testdata");
  const write = (name: string, record: unknown) =>
    writeFile(join(folder, name), `${JSON.stringify(record, undefined, 2)}\n`);
  await write(
    `kubernetesSource/${release.replace(/\.\d+$/, ".json")}`,
    readKubernetesSource(modules, release),
  );
  const goKubernetes = join(modules, "../github.com/siderolabs", `go-kubernetes@${checks}`);
  await write("upgradeChecks.json", readUpgradeChecks(goKubernetes, checks));
});
