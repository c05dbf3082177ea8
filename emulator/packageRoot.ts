import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * The folder of this package: the checkout, or its place under a user's `node_modules`.
 *
 * @throws {Error} when no folder above this file holds the package's own `package.json`.
 */
export function packageRoot(): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, "package.json");
    if (existsSync(manifest) && isOurs(manifest)) {
      return folder;
    }
    if (path.dirname(folder) === folder) {
      throw new Error(`no package.json of pulumi-talos-aws in any folder above "${__dirname}"`);
    }
  }
}

function isOurs(manifest: string): boolean {
  const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return (
    typeof content === "object" &&
    content !== null &&
    "name" in content &&
    content.name === "pulumi-talos-aws"
  );
}
