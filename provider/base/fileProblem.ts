const reasons: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "the file does not exist"],
  ["ENOTDIR", "the file does not exist"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "the file may not be read"],
]);

/** Why a file can't be read, in a few words without any quote. */
export function fileProblem(error: unknown): string {
  return reasons.get((error as NodeJS.ErrnoException).code) ?? "it can't be read";
}
