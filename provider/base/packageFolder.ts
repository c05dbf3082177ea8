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

/** What this package's `package.json` says of it. */
interface PackageManifest {
  readonly version: string;
  /** With its address, such as `git+https://github.com/<owner>/<repository>.git`. */
  readonly repository: { readonly url: string };
}

let manifest: PackageManifest | undefined;

/** The manifest, read once. */
export function packageManifest(): PackageManifest {
  manifest ??= JSON.parse(
    readFileSync(join(packageFolder(), "package.json"), "utf8"),
  ) as PackageManifest;
  return manifest;
}

/** The version of this package, and so of its plugin. */
export function packageVersion(): string {
  return packageManifest().version;
}
