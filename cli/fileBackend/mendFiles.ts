import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import type { Damage } from "./findDamage";

/** Only the owner may read and write a copy of a state. */
const PRIVATE = 0o600;

/** Whether mending removes nothing that a person might want, so that consent to the command is enough. */
export function isHarmless({ kind }: Damage): boolean {
  return kind === "metadata" || kind === "version";
}

/**
 * Mends the files of a backend. A replaced state is kept beside its successor.
 *
 * @param now for the name of what is kept
 */
export async function mendFiles(damages: readonly Damage[], now = new Date()): Promise<void> {
  for (const damage of damages) {
    switch (damage.kind) {
      case "metadata":
        await rm(damage.file, { force: true });
        break;
      case "lock":
        await rm(damage.file, { force: true });
        await rm(`${damage.file}.attrs`, { force: true });
        break;
      case "version":
        await writeFile(damage.file, "version: 1\n", { mode: PRIVATE });
        break;
      case "state":
      case "draft":
        await replaceState(damage, now);
        break;
    }
  }
}

async function replaceState(
  { file, copy }: Extract<Damage, { readonly kind: "state" | "draft" }>,
  now: Date,
): Promise<void> {
  if (copy !== undefined) {
    const draft = `${file}.mended`;
    await copyFile(copy.file, draft);
    await copyFile(file, replacedName(file, now));
    await rename(draft, file);
  }
}

/** Where a replaced state is kept. The engine reads no file with such an ending. */
function replacedName(file: string, now: Date): string {
  return `${file}.replaced-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
}
