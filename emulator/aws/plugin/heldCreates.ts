import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Names the folder, in the environment of the engine. */
export const HOLD_VARIABLE = "EMULATOR_HOLD_CREATES";

/**
 * For tests of engines that are killed in the middle of a create: leaves the first create of each
 * resource without an answer once AWS has made it. Each leaves a file in the folder, which holds its
 * URN; a resource that has one is answered.
 *
 * @param folder made when it isn't there; undefined: every create is answered
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
