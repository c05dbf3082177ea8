import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { packageVersion } from "../provider/base";
import { paths } from "./paths";
import { makePluginArchive } from "./release/pluginArchive";
import { runMain } from "./runMain";

/** `npm run plugin:archive -- [folder]`: makes the plugin's archive for this platform, in `.cache/release` by default. */
runMain(async () => {
  const target = resolve(process.argv[2] ?? join(paths.cache, "release"));
  const packed = mkdtempSync(join(tmpdir(), "talos-aws-pack-"));
  try {
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", packed];
    const { stdout } = await promisify(execFile)("npm", pack, {
      cwd: paths.root,
      maxBuffer: 1 << 24,
      shell: process.platform === "win32",
    });
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    const { path, sha256 } = await makePluginArchive(
      target,
      join(packed, filename),
      packageVersion(),
    );
    process.stdout.write(`${sha256}  ${path}\n`);
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
});
