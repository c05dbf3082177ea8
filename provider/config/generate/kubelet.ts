import { inputProblems } from "../configError";
import { NEWEST_ACCEPTED_MINOR } from "../releases/acceptedTalos";
import { talosMinor } from "../releases/talosMinor";
import { deniedFlagsOf } from "../rules/deniedFlags";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** The kubelet's flags, and how it names the node. */
export interface KubeletOptions {
  /**
   * Additional kubelet flags without leading dashes, for example `{max-pods: "200"}`. A list repeats
   * a flag; it needs Talos v1.13 or newer. Default: none.
   */
  readonly kubeletExtraArgs?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /**
   * Whether a node's name is its fully qualified domain name, which the AWS cloud controller needs.
   * A change gives the machine a new Kubernetes node and leaves the old one behind. Default: false.
   */
  readonly registerWithFqdn?: boolean | undefined;
}

/** The first Talos that reads a list as the value of a flag. Source: pkg/machinery v1.13.0. */
const FIRST_MINOR_WITH_LISTS = 13;

/**
 * The kubelet's flags, and how it names the node: `KubeletConfig` and `KubeNodeConfig`, or
 * `machine.kubelet` in older contracts.
 */
export const kubelet: Generator<KubeletOptions> = {
  check({ kubeletExtraArgs = {}, talosVersion, versionContract }) {
    const minor = talosMinor(talosVersion ?? versionContract ?? "");
    return Object.entries(kubeletExtraArgs).flatMap(([flag, value]) => [
      ...inputProblems(["kubeletExtraArgs", flag], checkFlag(flag, minor)),
      ...inputProblems(["kubeletExtraArgs", flag], checkValue(value, minor)),
    ]);
  },

  generate({ kubeletExtraArgs = {}, registerWithFqdn }, { kubernetesDocuments }) {
    const flags = Object.entries(kubeletExtraArgs).map(
      ([flag, value]) =>
        [flag, typeof value === "object" && value.length === 1 ? value[0] : value] as const,
    );
    const extraArgs = Object.fromEntries(flags);
    const registerWithFQDN = registerWithFqdn === true ? true : undefined;
    return kubernetesDocuments
      ? {
          documents: [
            configDocument("KubeletConfig", { extraArgs }),
            configDocument("KubeNodeConfig", { registerWithFQDN }),
          ],
        }
      : { config: mapping({ machine: { kubelet: { extraArgs, registerWithFQDN } } }) };
  },
};

function checkFlag(flag: string, minor = NEWEST_ACCEPTED_MINOR): string | undefined {
  if (deniedFlagsOf("kubelet", minor).has(flag)) {
    return "can't be set: Talos sets it itself; leave it out";
  }
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(flag)
    ? undefined
    : `${JSON.stringify(flag)} is not a flag of kubelet: write it without dashes before it, like "max-pods"`;
}

function checkValue(
  value: string | readonly string[],
  minor: number | undefined,
): string | undefined {
  if (typeof value !== "object") {
    return undefined;
  }
  if (value.length === 0) {
    return "is an empty list: write a value, or leave the flag out";
  }
  return value.length > 1 && minor !== undefined && minor < FIRST_MINOR_WITH_LISTS
    ? `has ${value.length} values, but Talos reads lists since v1.${FIRST_MINOR_WITH_LISTS}: write one text, with commas between where the flag takes that`
    : undefined;
}
