import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The plugin by which an engine runs programs in Node.js. A CLI from Pulumi has it beside it. */
const PLUGIN = "pulumi-language-nodejs";

/**
 * The folder with Pulumi's own host of Node.js programs: beside the engine, else on PATH.
 *
 * @param engine path of the engine's program, or its name on PATH
 * @returns undefined where there is none, as with an engine built from source
 */
export function findNodeHost(
  engine: string,
  path: string = process.env.PATH ?? "",
): string | undefined {
  return [dirname(engine), ...path.split(delimiter)].find(
    (folder) => folder !== "" && folder !== "." && existsSync(join(folder, PLUGIN)),
  );
}
