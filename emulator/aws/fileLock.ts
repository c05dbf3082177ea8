import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;

/**
 * Runs `action` while this process holds the lock file `file`, waiting for another that does. A lock
 * whose process is dead counts as free.
 *
 * @param log told once, when there is something to wait for.
 */
export async function withFileLock<T>(
  file: string,
  log: (line: string) => void,
  action: () => Promise<T>,
): Promise<T> {
  let told = false;
  while (!(await tryLock(file))) {
    if (await removeIfDead(file)) {
      continue;
    }
    if (!told) {
      log(`waiting for the process that holds "${file}"`);
      told = true;
    }
    await sleep(POLL_MS);
  }
  try {
    return await action();
  } finally {
    await unlink(file);
  }
}

/** Links a complete file into place, so that nobody ever reads a lock without its process number. */
async function tryLock(file: string): Promise<boolean> {
  const own = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) {
      return false;
    }
    throw error;
  } finally {
    await unlink(own);
  }
}

async function removeIfDead(file: string): Promise<boolean> {
  try {
    const holder = Number(await readFile(file, "utf8"));
    if (isAlive(holder)) {
      return false;
    }
    // Of several waiters only one can rename this very file away; the others find it gone.
    const aside = `${file}.dead.${process.pid}`;
    await rename(file, aside);
    const moved = Number(await readFile(aside, "utf8"));
    if (moved !== holder) {
      await link(aside, file);
    }
    await unlink(aside);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) {
      return true;
    }
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
