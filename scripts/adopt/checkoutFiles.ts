import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What a checkout gets: the text of each file by its path, undefined for one that goes. */
export type CheckoutFiles = ReadonlyMap<string, string | Uint8Array | undefined>;

/** All files of a folder, by the path from its root; those of `inCheckout` that it lacks go. */
export async function replacedFolder(
  root: string,
  folder: string,
  checkout: string,
): Promise<CheckoutFiles> {
  const files = new Map<string, string | undefined>();
  for (const path of await filesIn(join(checkout, folder))) {
    files.set(join(folder, path), undefined);
  }
  for (const path of await filesIn(join(root, folder))) {
    files.set(join(folder, path), await readFile(join(root, folder, path), "utf8"));
  }
  return files;
}

/**
 * Puts files in place, when all of them are written beside their places: a failure before changes nothing.
 *
 * @returns the paths of those that are otherwise than before, sorted
 */
export async function placeFiles(checkout: string, files: CheckoutFiles): Promise<string[]> {
  const changed: string[] = [];
  const suffix = ".adopted";
  for (const [path, content] of files) {
    const place = join(checkout, path);
    const former = await readFile(place).catch(() => undefined);
    const isSame =
      content === undefined
        ? former === undefined
        : former?.equals(Buffer.from(content as Uint8Array)) === true;
    if (!isSame) {
      changed.push(path);
    }
  }
  const beside: string[] = [];
  try {
    for (const path of changed) {
      const content = files.get(path);
      if (content !== undefined) {
        await mkdir(dirname(join(checkout, path)), { recursive: true });
        await writeFile(join(checkout, path + suffix), content);
        beside.push(join(checkout, path + suffix));
      }
    }
    for (const path of changed) {
      const place = join(checkout, path);
      await (files.get(path) === undefined ? rm(place) : rename(place + suffix, place));
    }
  } finally {
    await Promise.all(beside.map((place) => rm(place, { force: true })));
  }
  return changed.sort();
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
