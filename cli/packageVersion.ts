import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version of this package, from its `package.json`. */
export function packageVersion(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) {
      const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
      return version;
    }
    if (dirname(folder) === folder) {
      throw new Error(`no package.json stands above "${__dirname}"`);
    }
  }
}
