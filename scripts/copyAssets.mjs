// The last step of the build: brings what is not TypeScript next to the compiled files.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const isAsset = (path) => /\.(proto|py|json)$|requirements[^/]*\.txt$|\/bin\/[^/]+$/.test(path);

for (const folder of ["provider", "emulator"]) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !isAsset(source)) continue;
    const target = join(dist, relative(root, source));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
  }
}
rmSync(join(dist, ".built"), { force: true });
writeFileSync(join(dist, ".built"), "");
