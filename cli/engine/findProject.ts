import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandFailure } from "../commandFailure";

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/**
 * The folder of the Pulumi project that contains a folder.
 *
 * @throws CommandFailure without a project
 */
export function findProject(folder: string): string {
  const start = resolve(folder);
  for (let current = start; ; current = dirname(current)) {
    if (PROJECT_FILES.some((name) => existsSync(join(current, name)))) {
      return current;
    }
    if (dirname(current) === current) {
      throw new CommandFailure(
        `there is no Pulumi project in "${start}" or above it: go to the folder with Pulumi.yaml, or name it with --cwd`,
      );
    }
  }
}
