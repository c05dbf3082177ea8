import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Environment variable of the engine that names the folder. */
export const HOLD_VARIABLE = "EMULATOR_HOLD_CREATES";

/**
 * For tests that kill engines during a create. The first create of each resource gets no answer after AWS
 * has made the resource. It leaves a file with the URN in the folder, and later creates of that
 * resource are answered.
 *
 * @param folder is created when missing. Undefined: every create is answered.
 */
export async function answerCreate(folder: string | undefined, urn: string): Promise<void> {
  if (folder === undefined || folder === "") {
    return;
  }
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, createHash("sha256").update(urn).digest("hex"));
  if (!existsSync(file)) {
    writeFileSync(file, urn);
    await new Promise(() => undefined);
  }
}
