import { existsSync } from "node:fs";
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
