import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** How a file was changed. */
export interface FileUpdate<Result> {
  /** The file itself, where a link was given. */
  readonly file: string;
  readonly result: Result;
  /** The access it had, where that was more than its owner's, for example `0644`. */
  readonly narrowedFrom?: string;
}

/** The bits of a mode that say who may do what. */
const ACCESS = 0o777;
/** What only the owner may read, and write. */
const PRIVATE = 0o600;

/**
 * Changes a file that holds keys: whole or not at all, readable by its owner only. While it does,
 * `<file>.lock` is there, as kubectl has it.
 *
 * @param change makes the new text of the old one, which is empty for a file that isn't there
 * @throws Error when the lock is there already, and what `change` throws
 */
export async function updateFile<Result extends { readonly text: string }>(
  path: string,
  change: (before: string) => Result,
): Promise<FileUpdate<Result>> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A link stays one.
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
      `another program changes the file just now: "${lock}" is there; if none does, remove that`,
    );
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
