import { type ConfigDocument, isMapping, textAt } from "./machineConfig";

/**
 * Warnings about `machine.files` that change a file: Talos does so only if its image has that file, which
 * can't be known here. Otherwise it ends the boot with an error, and the machine restarts again and
 * again. Source: Talos v1.10.9 to v1.14.1, `WriteUserFiles` and `existsAndIsFile` in
 * `v1alpha1_sequencer_tasks.go`.
 *
 * @param outline of the configuration (`outlineDocuments`)
 */
export function fileWarnings({ machine }: ConfigDocument): string[] {
  const files = isMapping(machine) ? machine.files : undefined;
  return Object.values(files !== null && typeof files === "object" ? files : {}).flatMap((file) => {
    const [path, op] = [textAt(file, "path"), textAt(file, "op")];
    return path !== undefined && (op === "overwrite" || op === "append")
      ? [
          `machine.files: ${JSON.stringify(op)} needs the file ${JSON.stringify(path)} in Talos' image: without it, a machine restarts in each boot; look with \`talosctl ls\` on a machine of the same Talos before`,
        ]
      : [];
  });
}
