import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { readMachinerySource, readTalosSource } from "./talosSource";

/**
 * `node scripts/run.mjs recordTalosSource <folder> <release>`: records what the product repeats of a
 * release's Go code, for tests that compare. The folder is that of the module
 * github.com/siderolabs/talos, which `go mod download` prints with `-json`. The module
 * github.com/siderolabs/talos/pkg/machinery of the same release has to be in the same cache.
 */
runMain(async () => {
  const [folder, release] = process.argv.slice(2);
  if (folder === undefined || release === undefined || !/^v1\.\d+\.\d+$/.test(release)) {
    throw new Error("usage: recordTalosSource <folder of Talos' module> <release, like v1.12.1>");
  }
  const name = release.replace(/\.\d+$/, ".json");
  const testdata = join(paths.root, "test/provider/testdata");
  const write = (kind: string, record: unknown) =>
    writeFile(join(testdata, kind, name), `${JSON.stringify(record, undefined, 2)}\n`);
  const machinery = join(folder, `../talos/pkg/machinery@${release}`);
  await write("talosSource", readTalosSource(folder, release));
  await write("machinerySource", readMachinerySource(machinery, release));
});
