// A step of the build, after the compiler: has each compiled module load another one when it first uses
// something of it, and not when it is loaded itself. A plugin that checks a machine configuration then reads
// neither the client of the Talos API nor the code for certificates, and a program only what it creates.
//
// The compiler writes an import as `const name_1 = require("…")`, and each use as `name_1.thing`. Uses stay as
// they are, because Node.js reads from their text what ECMAScript modules may import. Imports for their
// effect, of a whole namespace, and `export *` load at once, as before.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const IMPORT = /^(?:const|var) (\w+_\d+) = ((?:__importDefault\()?require\("[^"]+"\)\)?);$/gm;

/**
 * @param folder of compiled modules; those that were rewritten before stay as they are
 */
export function lazyImports(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".js")) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const compiled = readFileSync(file, "utf8");
    const lazy = withLazyImports(compiled);
    if (lazy !== compiled) writeFileSync(file, lazy);
  }
}

/**
 * The text of a module with lazy imports, on the same lines, so that its source map holds.
 *
 * @param compiled as the compiler wrote it
 */
export function withLazyImports(compiled) {
  const used = new Map();
  for (const [, name, member] of compiled.matchAll(/(?<![\w$])(\w+_\d+)\.([\w$]+)/g)) {
    used.set(name, (used.get(name) ?? new Set()).add(member));
  }
  return compiled.replaceAll(IMPORT, (_, name, load) => {
    const members = [...(used.get(name) ?? [])].map(
      (member) => `get ${member}() { return (of_${name} ??= ${load}).${member}; }`,
    );
    return `let of_${name}; const ${name} = { ${members.join(", ")} };`;
  });
}
