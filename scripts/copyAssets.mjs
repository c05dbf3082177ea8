// The last step of the build: brings what is not TypeScript next to the compiled files, takes away what
// was compiled from files that are gone, which a package would bring along, and has modules load lazily.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { assembleEmulator } from "./assembleEmulator.mjs";
import { lazyImports } from "./lazyImports.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const isAsset = (path) => /\.(proto|py|json)$|requirements[^/]*\.txt$|\/bin\/[^/]+$/.test(path);

const isOfPackage = (path) =>
  /emulator\/(dist|node_modules)\/|package\.json$/.test(relative(root, path));

for (const folder of ["provider", "plugin", "emulator"]) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !isAsset(source) || isOfPackage(source)) continue;
    const target = join(dist, relative(root, source));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
  }
}
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const compiled = join(entry.parentPath ?? entry.path, entry.name);
  const source = join(root, relative(dist, compiled)).replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts");
  if (source.endsWith(".ts") && !existsSync(source)) rmSync(compiled, { force: true });
}
lazyImports(dist);
assembleEmulator(root);
rmSync(join(dist, ".built"), { force: true });
writeFileSync(join(dist, ".built"), "");
