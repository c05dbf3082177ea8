import { inputProblems } from "../configError";
import { acceptedBootstrapTokens } from "./acceptedBootstrapTokens";
import type { Generator } from "./generator";
import { mapping } from "./mapping";
import { checkManifestUrls } from "./urls";

/** Kubernetes manifests inside the machine configuration. */
export interface InlineManifest {
  /** Its unique name. */
  readonly name: string;
  /** YAML. Every reader of the machine configuration can read it. */
  readonly contents: string;
}

/**
 * The manifests that are applied when the cluster starts: `cluster.extraManifests` and
 * `cluster.inlineManifests`. Only control plane machines have them, because they apply them.
 */
export const manifests: Generator = {
  check({ extraManifests = [], inlineManifests = [] }) {
    const names = inlineManifests.map(({ name }) => name.trim());
    return [
      ...checkManifestUrls(["extraManifests"], extraManifests),
      ...names.flatMap((name, index) =>
        inputProblems(
          ["inlineManifests", index, "name"],
          checkName(name, names.indexOf(name) < index),
        ),
      ),
    ];
  },

  generate({ machineType, extraManifests, inlineManifests, acceptedAuthorities }) {
    if (machineType === "worker") {
      return {};
    }
    const tokens = acceptedBootstrapTokens(acceptedAuthorities?.bootstrapToken ?? []);
    const all = tokens.length === 0 ? inlineManifests : [...(inlineManifests ?? []), ...tokens];
    const inline = all?.map(({ name, contents }) => ({ name, contents }));
    return { config: mapping({ cluster: { extraManifests, inlineManifests: inline } }) };
  },
};

function checkName(name: string, isTaken: boolean): string | undefined {
  if (name === "") {
    return "is empty: it identifies the manifest";
  }
  return isTaken
    ? `${JSON.stringify(name)} is there twice: give each manifest a unique name`
    : undefined;
}
