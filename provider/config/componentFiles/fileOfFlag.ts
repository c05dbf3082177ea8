import { parse } from "yaml";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { flagName } from "../releases/removedInKubernetes";
import { valueAt } from "../secrets/quote";

/** A file of `machine.files` that a flag of the API server names. */
export interface FlaggedFile {
  /** What it says; null for a text that is no YAML. */
  readonly content: YamlValue;
  /** The path that the flag names. */
  readonly file: string;
  /** Where its text stands in the machine configuration proper. */
  readonly place: Path;
}

/**
 * The file that an additional flag of the API server names, where a machine writes it: in one of the volumes that
 * the API server mounts. Of several files at one path, the last one counts. Undefined for a file that comes from
 * elsewhere, or that is added to.
 *
 * Source: talos v1.12.1 and v1.14.1, `WriteUserFiles` in `v1alpha1_sequencer_tasks.go`.
 */
export function fileOfFlag(
  config: ConfigDocument,
  flags: ConfigDocument,
  flag: string,
): FlaggedFile | undefined {
  const [, file] = Object.entries(flags).find(([name]) => flagName(name) === flag) ?? [];
  if (typeof file !== "string") {
    return undefined;
  }
  const volume = mappingsAt(config, ["cluster", "apiServer", "extraVolumes"]).find((each) =>
    file.startsWith(`${textAt(each, "mountPath") ?? ""}/`),
  );
  if (volume === undefined) {
    return undefined;
  }
  const onHost = file.replace(textAt(volume, "mountPath") ?? "", textAt(volume, "hostPath") ?? "");
  const files = mappingsAt(config, ["machine", "files"]);
  const index = files.findLastIndex((each) => textAt(each, "path") === onHost);
  const text = textAt(files[index] ?? {}, "content");
  return text === undefined || files[index]?.op === "append"
    ? undefined
    : { content: contentOf(text), file, place: ["machine", "files", index, "content"] };
}

function contentOf(text: string): YamlValue {
  try {
    return parse(text) as YamlValue;
  } catch {
    return null;
  }
}

/** The items of a list of mappings, each at its index. */
function mappingsAt(config: ConfigDocument, path: Path): readonly ConfigDocument[] {
  const list = valueAt(config, path);
  return (Array.isArray(list) ? list : []).map((each) => (isMapping(each) ? each : {}));
}
