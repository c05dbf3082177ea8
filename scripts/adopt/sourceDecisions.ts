import { code, codes, type ReportSection } from "./reportSection";
import type { UpstreamChange } from "./upstreamChanges";

/** A part of Talos' sources, by what is decided in it. */
interface Part extends Pick<ReportSection, "title" | "question"> {
  readonly paths: RegExp;
}

/** Each path belongs to the first part that fits. */
const PARTS: readonly Part[] = [
  {
    title: "Apply and upgrade",
    question:
      "Look at what a machine does with a configuration, an upgrade, a reset, a boot: what our files say of it has to be true of each release.",
    paths:
      /^internal\/(?:app\/(?:lifecycle|maintenance|machined\/(?:internal|pkg\/(?:runtime|system)))|pkg\/(?:install|upgrade|etcd|machinehelper|miniprocfs))|^cmd\/installer/,
  },
  {
    title: "Controllers' sources",
    question:
      "Look at how the files, pods and addresses of a machine come of its configuration, and at what is refused only there.",
    paths: /^internal\/app\/machined\/pkg\/controllers/,
  },
  {
    title: "Rules of configurations",
    question: "Look at what is refused or warned of, how patches merge, and what is generated.",
    paths: /^pkg\/machinery\/(?:config|cel|kubelet|nethelpers|yamlutils)/,
  },
  {
    title: "Other sources",
    question: "Look at each for what our files take from it.",
    paths: /^/,
  },
];

/** More names would hide those before. */
const MOST_NAMES = 8;

/** What is to be decided by the files of Talos that ours rest on, by part. */
export function sourceDecisions(changes: readonly UpstreamChange[]): readonly ReportSection[] {
  const partOf = (path: string) => PARTS.find(({ paths }) => paths.test(path));
  return PARTS.map((part) => {
    const own = changes.filter(({ path }) => partOf(path) === part);
    return {
      title: part.title,
      question: part.question,
      upstream: [],
      ours: [],
      points: own.map(describe),
    };
  });
}

function describe({ path, status, movedTo, added, removed, functions, ours }: UpstreamChange) {
  const where = movedTo.length === 0 ? "" : `, perhaps now ${codes(movedTo)}`;
  const what = {
    came: `is new (+${added})`,
    went: `is gone${where}`,
    changed: `+${added} −${removed}`,
  }[status];
  const named = new Set(ours.flatMap(({ names }) => names));
  const others = functions.filter((name) => !named.has(name));
  const list =
    status === "changed" && functions.length > 0
      ? ` in ${[...[...named].map((name) => `**${code(name)}**`), ...others.slice(0, MOST_NAMES).map(code)].join(", ")}${others.length > MOST_NAMES ? ` and ${others.length - MOST_NAMES} more` : ""}`
      : "";
  const files = ours.map(({ path: file, names }) =>
    names.length === 0 ? code(file) : `${code(file)} (names ${codes(names)})`,
  );
  return `${code(path)}: ${what}${list}. On it rest ${files.join(", ")}`;
}
