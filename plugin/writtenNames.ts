import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { asInSchema, type WrittenName } from "../provider/schema";
import { pythonName } from "./pythonName";

/**
 * How the program writes names. The engine doesn't tell a plugin the language. But it starts the plugin in the folder
 * of the program, whose `Pulumi.yaml` names it.
 *
 * @param folder Default: that of this process
 * @returns names as in the schema, if the language is another than Python or can't be known
 */
export function writtenNames(folder: string = process.cwd()): WrittenName {
  return runtimeIn(folder) === "python" ? pythonName : asInSchema;
}

function runtimeIn(folder: string): unknown {
  const file = join(folder, "Pulumi.yaml");
  if (!existsSync(file)) {
    const parent = dirname(folder);
    return parent === folder ? undefined : runtimeIn(parent);
  }
  try {
    const { runtime } = parse(readFileSync(file, "utf8")) as { readonly runtime?: unknown };
    return typeof runtime === "object" && runtime !== null && "name" in runtime
      ? runtime.name
      : runtime;
  } catch {
    // Only names in messages depend on it, and the engine itself reports such a file.
    return undefined;
  }
}
