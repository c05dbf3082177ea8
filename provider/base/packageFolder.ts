import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this package, which contains its `package.json`. */
export function packageFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) {
      return folder;
    }
    if (dirname(folder) === folder) {
      throw new Error(`there is no package.json above "${__dirname}"`);
    }
  }
}

/** The version of this package, from its `package.json`. */
export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), "package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
