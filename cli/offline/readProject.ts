import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { packageFolder } from "../../provider/base";
import { CommandFailure } from "../commandFailure";

/**
 * The name of the project in a folder. Its program must be that of the environments.
 *
 * @throws CommandFailure for another program
 */
export async function readProject(folder: string): Promise<string> {
  const file = join(folder, "Pulumi.yaml");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const { name = "", main = "." } = (parse(text) ?? {}) as { name?: string; main?: string };
  const program = join(packageFolder(), "dist/environments/index.js");
  if (!existsSync(program) || resolve(folder, main) !== program) {
    throw new CommandFailure(
      `only the environments of a checkout of pulumi-talos-aws can be previewed or planned without an account, but "${folder}" has another program, whose calls to AWS aren't known`,
    );
  }
  return name;
}

/**
 * The text of a stack's settings file.
 *
 * @throws CommandFailure without the file
 */
export async function readSettingsFile(folder: string, stack: string): Promise<string> {
  const file = join(folder, `Pulumi.${stack}.yaml`);
  if (!existsSync(file)) {
    throw new CommandFailure(`the stack "${stack}" has no settings: "${file}" does not exist`);
  }
  return readFile(file, "utf8");
}
