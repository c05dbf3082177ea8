/** Which files of ours rest on a file of Talos: they name it as the source of what they do. */
export type Citations = ReadonlyMap<string, readonly string[]>;

/** Texts by path. */
export type SourceTexts = Readonly<Record<string, string>>;

/** What files of ours name, and the files of Talos that these are. */
export interface CitedSources {
  /** By the file of Talos, `pkg/machinery/config/contract.go`, sorted. */
  readonly citations: Citations;
  /** What names a file of Go, but is none of Talos: a file of another project, or a mistake. */
  readonly foreign: readonly { readonly file: string; readonly name: string }[];
}

/** More files of one name say nothing: `config.go` alone is in dozens of folders. */
const MOST_NAMESAKES = 3;

/**
 * Finds the files of Talos that ours name, in comments or in code: `k8s/kubelet_spec.go` by the end of its
 * path, `types/block/{trim,scrub}.go` as two, `pkg/machinery/role` as each file of the folder.
 *
 * @param upstream the paths of all files of Talos, of each release that ours may name
 */
export function citedSources(ours: SourceTexts, upstream: readonly string[]): CitedSources {
  const byName = groupedBy(upstream, (path) => path.slice(path.lastIndexOf("/") + 1));
  const byFolder = groupedBy(upstream, (path) => path.slice(0, path.lastIndexOf("/")));
  const citing = new Map<string, Set<string>>();
  const foreign: { readonly file: string; readonly name: string }[] = [];
  for (const [file, text] of Object.entries(ours)) {
    for (const name of namesIn(text)) {
      const found = name.endsWith(".go") ? filesNamed(name, byName) : (byFolder.get(name) ?? []);
      found.forEach((path) => citing.set(path, (citing.get(path) ?? new Set()).add(file)));
      if (found.length === 0 && name.endsWith(".go")) {
        foreign.push({ file, name });
      }
    }
  }
  const sorted = [...citing].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    citations: new Map(sorted.map(([path, files]) => [path, [...files].sort()])),
    foreign,
  };
}

/** The files of Go and the folders of Talos that a text names. */
export function namesIn(text: string): string[] {
  const files = [
    ...text.matchAll(/[\w./-]*(?:\{[\w,]+\}[\w./-]*)?\w\.go\b|[\w./-]*\{[\w,]+\}\.go\b/g),
  ];
  const folders = [...text.matchAll(/\b(?:pkg\/machinery|internal)\/[\w./-]*(?:\{[\w,]+\})?\w/g)];
  const names = [...files, ...folders].flatMap(([name]) => alternatives(name));
  return [...new Set(names)];
}

/** `a/{b,c}.go` is `a/b.go` and `a/c.go`. */
function alternatives(name: string): string[] {
  const [, start = "", words = "", end = ""] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
  return words === "" ? [name] : words.split(",").map((word) => `${start}${word}${end}`);
}

function filesNamed(name: string, byName: ReadonlyMap<string, readonly string[]>): string[] {
  const base = name.slice(name.lastIndexOf("/") + 1);
  // A single letter, as in `D/controllers/…`, stands for a folder that a comment has named before.
  const end = `/${name.replace(/^(?:\.\/|[A-Z]\/)/, "")}`;
  const found = (byName.get(base) ?? []).filter((path) => `/${path}`.endsWith(end));
  return found.length <= MOST_NAMESAKES ? found : [];
}

function groupedBy(
  paths: readonly string[],
  key: (path: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const group = groups.get(key(path)) ?? [];
    group.push(path);
    groups.set(key(path), group);
  }
  return groups;
}
