import { readFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../paths";

/** What the schema needs of the checkout's package.json. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly homepage: string;
  readonly keywords: readonly string[];
  readonly repository: { readonly url: string };
}

/**
 * Reads it. An import would have the compiler write a copy into `dist`, which would then be taken for the package
 * by whatever looks for its root, and by programs in `dist` that load it by its name.
 */
export function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(paths.root, "package.json"), "utf8")) as PackageManifest;
}
