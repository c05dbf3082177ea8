import { type InputProblem, inputProblems } from "../configError";
import type { Path } from "../path";

/** Kubernetes manifests inside the machine configuration. */
export interface InlineManifest {
  /** Its unique name. */
  readonly name: string;
  /** YAML. Every reader of the machine configuration can read it. */
  readonly contents: string;
}

/** All problems of the names of inline manifests. */
export function checkInlineManifests(
  path: Path,
  manifests: readonly InlineManifest[],
): InputProblem[] {
  const names = manifests.map(({ name }) => name.trim());
  return names.flatMap((name, index) =>
    inputProblems([...path, index, "name"], checkName(name, names.indexOf(name) < index)),
  );
}

function checkName(name: string, isTaken: boolean): string | undefined {
  if (name === "") {
    return "is empty: it identifies the manifest";
  }
  return isTaken
    ? `${JSON.stringify(name)} is there twice: give each manifest a unique name`
    : undefined;
}
