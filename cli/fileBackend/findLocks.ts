import { hostname } from "node:os";
import { join } from "node:path";
import { jsonOf, namesIn, type StackFiles, textOf } from "./stackFiles";

/** The content of a lock. Source: pulumi v3.230.0, pkg/backend/diy/lock.go. */
interface Lock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
}

export interface FoundLock {
  readonly file: string;
  /** Whose it is, as the end of a sentence. */
  readonly owner: string;
  /** Whether its process may still run: it does on this computer, or it ran on another one. */
  readonly isActive: boolean;
}

/** The locks on a stack. A run writes one before it changes anything. */
export async function findLocks({ lockFolder }: StackFiles): Promise<readonly FoundLock[]> {
  const names = (await namesIn(lockFolder)).filter((name) => name.endsWith(".json"));
  const found = names.map(async (name): Promise<readonly FoundLock[]> => {
    const file = join(lockFolder, name);
    const text = await textOf(file);
    if (text === undefined) {
      return [];
    }
    const lock = jsonOf(text) as Lock | undefined;
    if (lock === undefined) {
      return [{ file, owner: "is cut off", isActive: false }];
    }
    const { pid, username, hostname: host } = lock;
    const isActive = host !== hostname() || isRunning(pid);
    const process = `${username}'s process ${pid} on ${host}`;
    return [{ file, owner: `is of ${process}${isActive ? "" : ", which has ended"}`, isActive }];
  });
  return (await Promise.all(found)).flat();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
