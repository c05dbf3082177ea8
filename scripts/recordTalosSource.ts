import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { readTalosSource } from "./talosSource";

/**
 * `node scripts/run.mjs recordTalosSource <folder> <release>`: records what the product repeats of a
 * release's Go code, for tests that compare. The folder is that of the module
 * github.com/siderolabs/talos, which `go mod download` prints with `-json`.
 */
runMain(async () => {
  const [folder, release] = process.argv.slice(2);
  if (folder === undefined || release === undefined || !/^v1\.\d+\.\d+$/.test(release)) {
    throw new Error("usage: recordTalosSource <folder of Talos' module> <release, like v1.12.1>");
  }
  const name = release.replace(/\.\d+$/, ".json");
  const file = join(paths.root, "test/provider/testdata/talosSource", name);
  await writeFile(file, `${JSON.stringify(readTalosSource(folder, release), undefined, 2)}\n`);
});
