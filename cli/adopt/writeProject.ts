import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandFailure } from "../commandFailure";
import { type Project, SECRETS_FOLDER } from "./writeProgram";

/** Only the owner may read and write. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * Writes a project into a new or empty folder, its secrets readable only by their owner.
 *
 * @throws CommandFailure if the folder has something already, which stays as it is
 */
export async function writeProject(
  folder: string,
  { files, secretSettings }: Project,
): Promise<void> {
  await refuseUsed(folder);
  const secrets = join(folder, SECRETS_FOLDER);
  await mkdir(secrets, { recursive: true, mode: PRIVATE_FOLDER });
  // A umask may have taken what the owner needs, and an empty folder may have been there.
  await chmod(secrets, PRIVATE_FOLDER);
  for (const [name, text] of Object.entries(secretSettings)) {
    await writeFile(join(secrets, `${name}.yaml`), text, { mode: PRIVATE_FILE, flag: "wx" });
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: "wx" });
  }
}

/** @throws CommandFailure if a folder has something in it */
export async function refuseUsed(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return [];
    }
    throw new CommandFailure(`the folder "${folder}" can't be used: ${String(error)}`);
  });
  if (there.length > 0) {
    throw new CommandFailure(
      `the folder "${folder}" has ${there.length} files already: name a new one with --out, or empty it`,
    );
  }
}
