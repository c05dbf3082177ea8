import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The names of the emulator's own package and of the checkout around it. */
const NAMES: readonly unknown[] = ["@pulumi-talos-aws/emulator", "pulumi-talos-aws"];

/**
 * The folder of this package: the checkout, or the package's place under a user's `node_modules`.
 *
 * @throws Error when no folder above this file holds a `package.json` of either.
 */
export function packageRoot(): string {
  const isOurs = (folder: string) => NAMES.includes(nameIn(folder));
  const nearest = foldersAbove(__dirname).find(isOurs);
  if (nearest === undefined) {
    throw new Error(`no package.json of ${NAMES.join(" or ")} in any folder above "${__dirname}"`);
  }
  // A checkout further above is another one: a copy of a checkout may lie in it.
  const around = path.dirname(nearest);
  return isOurs(around) ? around : nearest;
}

/**
 * A compiled file of the emulator. It is beside this file, or in the build if this is a checkout's
 * source.
 *
 * @throws Error if the checkout isn't built.
 */
export function compiledFile(name: string): string {
  const candidates = [__dirname, path.join(packageRoot(), "dist", "emulator")];
  const file = candidates.map((folder) => path.join(folder, name)).find((each) => existsSync(each));
  if (file === undefined) {
    throw new Error("the emulator is not built: run `npm run build`");
  }
  return file;
}

function foldersAbove(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

function nameIn(folder: string): unknown {
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) {
    return undefined;
  }
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: unknown }).name;
}
