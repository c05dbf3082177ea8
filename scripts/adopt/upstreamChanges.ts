import type { Citations, SourceTexts } from "./citations";

/** A file of Talos that files of ours rest on, and that another release has otherwise. */
export interface UpstreamChange {
  /** `internal/app/machined/pkg/controllers/k8s/kubelet_spec.go`. */
  readonly path: string;
  /** Whether the new release has it, both have it, or only the former. */
  readonly status: "came" | "changed" | "went";
  /** Where the new release has a file of the same name that the former doesn't have: it may have moved. */
  readonly movedTo: readonly string[];
  /** Lines that only the new release has. */
  readonly added: number;
  /** Lines that only the former release has. */
  readonly removed: number;
  /** The functions that came, went or have another body. */
  readonly functions: readonly string[];
  /** Our files that rest on it, those that name a changed function first. */
  readonly ours: readonly OurFile[];
}

/** A file of ours, with the changed functions that it names. */
export interface OurFile {
  readonly path: string;
  readonly names: readonly string[];
}

/**
 * What another release changes in the files that ours rest on: those first whose changed functions ours name,
 * then those with more changed lines.
 *
 * @param before the former release's files by path, also those that nobody rests on
 */
export function upstreamChanges(
  citations: Citations,
  ours: SourceTexts,
  before: SourceTexts,
  after: SourceTexts,
): UpstreamChange[] {
  const changes = [...citations].flatMap(([path, files]): UpstreamChange[] => {
    const [former, now] = [before[path], after[path]];
    if (former === now) {
      return [];
    }
    const functions = changedFunctions(former ?? "", now ?? "");
    const citing = files.map((file) => ({
      path: file,
      names: functions.filter((name) => names(ours[file] ?? "", name)),
    }));
    const name = path.slice(path.lastIndexOf("/"));
    return [
      {
        path,
        status: former === undefined ? "came" : now === undefined ? "went" : "changed",
        movedTo:
          now === undefined
            ? Object.keys(after).filter((other) => other.endsWith(name) && !(other in before))
            : [],
        ...lineChanges(former ?? "", now ?? ""),
        functions,
        ours: citing.sort((a, b) => b.names.length - a.names.length),
      },
    ];
  });
  const weight = ({ ours: citing, added, removed }: UpstreamChange) =>
    (citing.some(({ names }) => names.length > 0) ? 1_000_000 : 0) + added + removed;
  return changes.sort((a, b) => weight(b) - weight(a));
}

/** Whether a text means a function by its name: `Install` in backquotes, or a name of several words. */
function names(text: string, name: string): boolean {
  const pattern = /[a-z][A-Z]/.test(name) ? `\\b${name}\\b` : `\`(?:\\w+\\.)?${name}\``;
  return new RegExp(pattern).test(text);
}

/** Lines that only one of two texts has; the same lines in another order count as the same. */
function lineChanges(before: string, after: string): { added: number; removed: number } {
  const counts = new Map<string, number>();
  const count = (text: string, by: number) => {
    for (const line of text.split("\n").map((each) => each.trim())) {
      if (line !== "") {
        counts.set(line, (counts.get(line) ?? 0) + by);
      }
    }
  };
  count(after, 1);
  count(before, -1);
  const values = [...counts.values()];
  const sum = (sign: number) =>
    values.reduce((total, value) => total + Math.max(0, sign * value), 0);
  return { added: sum(1), removed: sum(-1) };
}

/** The names of functions and methods of Go that two texts don't have alike, in the order of the texts. */
function changedFunctions(before: string, after: string): string[] {
  const [former, now] = [functionsIn(before), functionsIn(after)];
  const names = new Set([...now.keys(), ...former.keys()]);
  const changed = [...names].filter((name) => former.get(name) !== now.get(name));
  return [...new Set(changed.map((name) => name.replace(/^.*\./, "")))];
}

/** The texts of functions, by `Type.Name` or `Name`. */
function functionsIn(text: string): ReadonlyMap<string, string> {
  const pattern = /^func (?:\((?:\w+ )?\*?(\w+)[^)]*\) )?(\w+)[^\n]*\{(?:\n[^]*?\n\}|[^\n]*\})$/gm;
  return new Map(
    [...text.matchAll(pattern)].map(([body, type = "", name = ""]) => [
      type === "" ? name : `${type}.${name}`,
      body,
    ]),
  );
}
