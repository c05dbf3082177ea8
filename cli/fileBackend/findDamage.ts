import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { findLocks } from "./findLocks";
import { jsonOf, namesIn, type StackFiles, textOf } from "./stackFiles";

/** What is wrong with a file of a backend, and what mends it. */
export type Damage =
  /** A cut-off file of metadata beside another one. It holds nothing that Pulumi needs. */
  | { readonly kind: "metadata"; readonly file: string }
  /** The backend's version is missing. */
  | { readonly kind: "version"; readonly file: string }
  /** A lock of a process on this computer that has ended, or a cut-off lock. */
  | { readonly kind: "lock"; readonly file: string; readonly owner: string }
  /** A state that the engine was about to put in the place of the recorded one. */
  | { readonly kind: "draft"; readonly file: string; readonly copy: StateCopy }
  /** A cut-off state, and the newest complete one, if there is any. */
  | { readonly kind: "state"; readonly file: string; readonly copy: StateCopy | undefined };

/** A complete state in another file. */
export interface StateCopy {
  readonly file: string;
  readonly writtenAt: Date;
}

/**
 * Finds what a killed engine, or a computer that went down, has left of a stack's files: cut-off ones
 * and locks. A kill cuts off metadata: the engine replaces the state in one step (tried with pulumi
 * v3.230.0 and v3.274.1, killed as it wrote). Only a computer that goes down cuts off a state.
 */
export async function findDamage(files: StackFiles): Promise<readonly Damage[]> {
  return [
    ...(await versionDamage(files)),
    ...(await metadataDamage(files)),
    ...(await stateDamage(files)),
    ...(await findLocks(files)).flatMap(({ file, owner, isActive }): Damage[] =>
      isActive ? [] : [{ kind: "lock", file, owner }],
    ),
  ];
}

async function versionDamage({ folder, stateFolder }: StackFiles): Promise<readonly Damage[]> {
  const file = join(folder, "meta.yaml");
  const text = await textOf(file);
  // A backend without projects has no version, and no folders of projects.
  return text?.trim() === "" && (await namesIn(stateFolder)).length > 0
    ? [{ kind: "version", file }]
    : [];
}

async function metadataDamage(files: StackFiles): Promise<readonly Damage[]> {
  const { folder, stateFolder, stateName, lockFolder } = files;
  const places = [
    [folder, /^meta\.yaml\.attrs$/],
    [stateFolder, new RegExp(`^${escaped(stateName)}(?:\\.gz|\\.zst)?(?:\\.bak)?\\.attrs$`)],
    [lockFolder, /\.attrs$/],
  ] as const;
  const found = await Promise.all(
    places.map(async ([place, pattern]) => {
      const names = (await namesIn(place)).filter((name) => pattern.test(name));
      const cut = await Promise.all(names.map((name) => isCutOff(join(place, name))));
      return names.filter((_, index) => cut[index]).map((name) => join(place, name));
    }),
  );
  return found.flat().map((file) => ({ kind: "metadata", file }));
}

async function stateDamage(files: StackFiles): Promise<readonly Damage[]> {
  const { stateFolder, stateName } = files;
  const names = await namesIn(stateFolder);
  const own = names.filter((name) => [".gz", ".zst", ""].some((end) => name === stateName + end));
  const cut = await Promise.all(own.map((name) => isCutOff(join(stateFolder, name))));
  const damages = own.map(async (name, index): Promise<readonly Damage[]> => {
    const file = join(stateFolder, name);
    const copy = await newestCopy(files, name);
    if (cut[index] === true) {
      return [{ kind: "state", file, copy }];
    }
    const isNewer =
      copy !== undefined &&
      isDraftOf(basename(copy.file), name) &&
      copy.writtenAt > (await stat(file)).mtime;
    return isNewer ? [{ kind: "draft", file, copy }] : [];
  });
  return (await Promise.all(damages)).flat();
}

/**
 * The newest complete state among what the engine was about to record, what it recorded before, and its
 * backups at the end of each update.
 */
async function newestCopy(files: StackFiles, name: string): Promise<StateCopy | undefined> {
  const { folder, stateFolder, stateName } = files;
  const beside = (await namesIn(stateFolder))
    .filter((each) => each === `${name}.bak` || isDraftOf(each, name))
    .map((each) => join(stateFolder, each));
  const backupFolder = join(folder, "backups", basename(stateFolder), stateName.slice(0, -5));
  const ending = name.slice(stateName.length - ".json".length);
  const backups = (await namesIn(backupFolder))
    .filter((each) => each.endsWith(ending))
    .map((each) => join(backupFolder, each));
  const copies = await Promise.all(
    [...beside, ...backups].map(async (file) =>
      (await isCutOff(file)) ? [] : [{ file, writtenAt: (await stat(file)).mtime }],
    ),
  );
  return copies.flat().sort((one, other) => +other.writtenAt - +one.writtenAt)[0];
}

/** Whether a file is a state that the engine has not put in its place. */
function isDraftOf(name: string, state: string): boolean {
  return new RegExp(`^${escaped(state)}\\.[0-9a-f]+\\.tmp$`).test(name);
}

async function isCutOff(file: string): Promise<boolean> {
  const bytes = await readFile(file);
  if (bytes.length === 0) {
    return true;
  }
  // Node.js 20 can't read this compression.
  if (/\.zst\b/.test(basename(file))) {
    return false;
  }
  try {
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return jsonOf((isCompressed ? gunzipSync(bytes) : bytes).toString()) === undefined;
  } catch {
    return true;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, "\\$&");
}
