import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;

/**
 * Runs `action` while this process holds the lock file `file`. Waits while another process holds it. The
 * lock of a dead process counts as free.
 *
 * @param log is called once, when there is a wait.
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

/** Links a complete file into place, so that every reader of a lock finds its process id. */
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
    // Only one of several waiters can rename this file; the others don't find it.
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
