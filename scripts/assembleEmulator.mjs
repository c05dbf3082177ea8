// Makes `emulator/dist`: what the package @pulumi-talos-aws/emulator holds when npm packs it. The build
// compiles everything into `dist/`. This copies the emulator from there, and the modules of the provider
// that it imports, so that the package needs no other one of ours.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

const IMPORT = /(?:require\(|import\(|from |import )["'](\.[^"']+)["']/g;

/**
 * @param root the checkout, after its build
 */
export function assembleEmulator(root) {
  const from = join(root, "dist");
  const to = join(root, "emulator/dist");
  const needed = neededFiles(from);
  for (const file of needed) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyWithoutMap(join(from, file), join(to, file));
  }
  copyFileSync(join(root, "LICENSE"), join(to, "LICENSE"));
  for (const file of filesIn(to)) {
    if (!needed.has(file) && file !== "LICENSE") rmSync(join(to, file));
  }
}

/** Copies a file; drops the reference to a source map, because the package has none. */
function copyWithoutMap(from, to) {
  if (!/\.(js|d\.ts)$/.test(from)) return copyFileSync(from, to);
  const text = readFileSync(from, "utf8");
  return writeFileSync(to, text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}

/** Paths below `dist/`: all of the emulator, and what that imports, with the files that are read there. */
function neededFiles(dist) {
  const assets = filesIn(join(dist, "provider"))
    .filter((file) => /\.(proto|json)$/.test(file))
    .map((file) => `provider/${file}`);
  const needed = new Set(assets);
  const queue = filesIn(join(dist, "emulator"))
    .filter((file) => !file.endsWith(".map"))
    .map((file) => `emulator/${file}`);
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (needed.has(file)) continue;
    needed.add(file);
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    for (const [, name] of readFileSync(join(dist, file), "utf8").matchAll(IMPORT)) {
      const base = relative(dist, join(dist, dirname(file), name)).replace(/\.js$/, "");
      queue.push(
        ...[base, `${base}.js`, `${base}.d.ts`, `${base}/index.js`, `${base}/index.d.ts`].filter(
          (path) => /\.(js|json|d\.ts)$/.test(path) && existsSync(join(dist, path)),
        ),
      );
    }
  }
  return needed;
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}
