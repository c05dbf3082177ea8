import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface FileUpdate<Result> {
  /** The file itself, if a link was given. */
  readonly file: string;
  readonly result: Result;
  /** Its former mode, if more than the owner had access, for example `0644`. */
  readonly narrowedFrom?: string;
}

const ACCESS = 0o777;
/** Only the owner may read and write. */
const PRIVATE = 0o600;

/**
 * Changes a file with keys: completely or not at all, readable only by its owner. Meanwhile
 * `<file>.lock` exists, as with kubectl.
 *
 * @param change returns the new text for the old one, which is empty for a missing file
 * @throws Error if the lock exists already, and what `change` throws
 */
export async function updateFile<Result extends { readonly text: string }>(
  path: string,
  change: (before: string) => Result,
): Promise<FileUpdate<Result>> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A link stays a link.
  const file = await realpath(path).catch(() => path);
  return withLock(`${file}.lock`, async () => {
    const before = await readIfThere(file);
    const result = change(before?.text ?? "");
    if (result.text !== before?.text) {
      await replace(file, result.text);
    }
    if (before === undefined || (before.mode & ~PRIVATE) === 0) {
      return { file, result };
    }
    await chmod(file, PRIVATE);
    return { file, result, narrowedFrom: `0${before.mode.toString(8)}` };
  });
}

async function readIfThere(
  file: string,
): Promise<{ readonly text: string; readonly mode: number } | undefined> {
  try {
    const { mode } = await stat(file);
    return { text: await readFile(file, "utf8"), mode: mode & ACCESS };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = join(dirname(file), `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const handle = await open(draft, "wx", PRIVATE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function withLock<Value>(lock: string, work: () => Promise<Value>): Promise<Value> {
  try {
    await (await open(lock, "wx", PRIVATE)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
    throw new Error(
      `another program is changing the file: "${lock}" exists; if no program does, delete that file`,
      { cause: error },
    );
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
