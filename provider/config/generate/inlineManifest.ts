import { type InputProblem, inputProblems } from "../configError";
import type { Path } from "../path";
import { isObjectName } from "../rules/names";
import { isReservedManifestName } from "./manifestNames";

/** Kubernetes manifests inside the machine configuration. */
export interface InlineManifest {
  /** Its unique name. */
  readonly name: string;
  /** YAML. Every reader of the machine configuration can read it. */
  readonly contents: string;
}

/**
 * All problems of the names of inline manifests.
 *
 * @param options.inDocuments whether each has a document of its own, which Talos allows fewer names
 */
export function checkInlineManifests(
  path: Path,
  manifests: readonly InlineManifest[],
  { inDocuments }: { readonly inDocuments: boolean },
): InputProblem[] {
  const names = manifests.map(({ name }) => name.trim());
  return names.flatMap((name, index) => [
    ...inputProblems([...path, index, "name"], checkName(name, names.indexOf(name) < index)),
    ...inputProblems(
      [...path, index, "name"],
      inDocuments && name !== "" ? documentNameProblem(manifests[index]?.name ?? "") : undefined,
    ),
  ]);
}

/** Source: types/k8s/inline_manifest.go, and controllers/k8s/extra_manifest.go for ids, Talos v1.14.1. */
function documentNameProblem(name: string): string | undefined {
  if (!isObjectName(name)) {
    return `${JSON.stringify(name)} is not a name that Talos takes: small letters, digits, "-" and ".", starting and ending with a letter or digit`;
  }
  return isReservedManifestName(name)
    ? `${JSON.stringify(name)} is the name of a manifest that another option makes: choose another`
    : undefined;
}

function checkName(name: string, isTaken: boolean): string | undefined {
  if (name === "") {
    return "is empty: it identifies the manifest";
  }
  return isTaken
    ? `${JSON.stringify(name)} is there twice: give each manifest a unique name`
    : undefined;
}
