// A step of the build, after the compiler: has each compiled module load another one when it first uses
// something of it, and not when it is loaded itself. A plugin that checks a machine configuration then reads
// neither the client of the Talos API nor the code for certificates, and a program only what it creates.
//
// The compiler writes an import as `const name_1 = require("…")`, and each use as `name_1.thing`. Uses stay as
// they are, because Node.js reads from their text what ECMAScript modules may import. Imports for their
// effect, of a whole namespace, and `export *` load at once, as before.
//
// Pulumi's SDK of AWS is imported as a whole, and has a module for each of its services and functions: each
// loads when it is first used. The whole would load 300 modules, a fifth of a second of every program.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);

const IMPORT = /^(?:const|var) (\w+_\d+) = ((?:__importDefault\()?require\("[^"]+"\)\)?);$/gm;

/** The import of a package that has its members in modules of their own. */
const WHOLE = /^const (\w+) = __importStar\(require\("(@pulumi\/aws)"\)\);$/gm;

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
  const inParts = compiled.replaceAll(WHOLE, (whole, name, library) => {
    const uses = compiled.matchAll(new RegExp(`(?<![\\w$."'])${name}\\s*\\.\\s*([\\w$]+)`, "g"));
    const loads = new Map(Array.from(uses, ([, member]) => [member, loadOf(library, member)]));
    const members = [...loads].map(([member, load]) => `get ${member}() { return ${load}; }`);
    return [...loads.values()].includes(undefined)
      ? whole
      : `const ${name} = { ${members.join(", ")} };`;
  });
  return inParts.replaceAll(IMPORT, (_, name, load) => {
    const members = [...(used.get(name) ?? [])].map(
      (member) => `get ${member}() { return (of_${name} ??= ${load}).${member}; }`,
    );
    return `let of_${name}; const ${name} = { ${members.join(", ")} };`;
  });
}

/** Loads a service from its folder, and a function from the module of its name. Undefined if it has neither. */
function loadOf(library, member) {
  const functionName = member.replace(/Output$/, "");
  return exists(`${library}/${member}/index.js`)
    ? `require("${library}/${member}")`
    : exists(`${library}/${functionName}.js`)
      ? `require("${library}/${functionName}").${member}`
      : undefined;
}

function exists(module) {
  try {
    return require.resolve(module) !== "";
  } catch {
    return false;
  }
}
