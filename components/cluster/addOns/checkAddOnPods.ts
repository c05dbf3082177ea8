import type { PropertyProblem } from "../../problems";
import type { ReplicatedAddOnPods } from "../arguments/addOnPodsArgs";
import type { AddOnManifest } from "../arguments/clusterAddOnsArgs";

/** Add-ons that always run exactly one pod. */
export const RUN_ONCE: readonly string[] = ["cloudController", "externalDns"];

/** Settings of this package's own objects. They have no effect on a manifest of the user's. */
const CHOICES = ["version", "replicas", "resources", "extraArgs", "tolerations", "storageClass"];

/** A quantity as Kubernetes writes it (apimachinery, resource/quantity.go), without exponents. */
const QUANTITY = /^\d+(\.\d+)?(m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$/;

/**
 * All problems of the settings for an add-on's pods.
 * @param most the number of control plane machines, for an add-on that runs on those
 */
export function checkAddOnPods(
  property: string,
  addOn: (AddOnManifest & ReplicatedAddOnPods) | undefined,
  most: number | undefined,
): PropertyProblem[] {
  if (addOn === undefined) {
    return [];
  }
  const given: Readonly<Record<string, unknown>> = { ...addOn };
  const manifest = ["manifest", "manifestUrls"].find((name) => given[name] !== undefined);
  if (manifest !== undefined) {
    return CHOICES.filter((name) => given[name] !== undefined).map((name) => ({
      property: `${property}.${name}`,
      reason: `it excludes ${manifest}, which says it itself: leave out one or the other`,
    }));
  }
  const { version, replicas, extraArgs = {}, resources = {}, tolerations = [] } = addOn;
  const problems: PropertyProblem[] = [];
  const say = (name: string, reason: string) => {
    problems.push({ property: `${property}.${name}`, reason });
  };
  if (version !== undefined && !/^v\d+\.\d+\.\d+$/.test(version)) {
    say("version", `"${version}" is no release: write it in full, as in "v1.2.3"`);
  }
  if (replicas !== undefined && (!Number.isInteger(replicas) || replicas < 1)) {
    say("replicas", `${replicas} is no number of pods: give 1 or more, or leave the add-on out`);
  } else if (replicas !== undefined && most !== undefined && replicas > most) {
    const reason = `${replicas} pods have no place: each needs a control plane machine of its own, of which there are ${most}; give at most ${most}`;
    say("replicas", reason);
  }
  for (const name of Object.keys(extraArgs)) {
    if (!/^[A-Za-z][\w-]*$/.test(name)) {
      const reason = `"${name}" is no name of a flag: write it without dashes before it and without a value, as in {"log-level": "debug"}`;
      say(`extraArgs["${name}"]`, reason);
    }
  }
  for (const [kind, quantities] of Object.entries(resources)) {
    for (const [name, quantity] of Object.entries(quantities as Record<string, string>)) {
      if (!QUANTITY.test(quantity)) {
        const reason = `"${quantity}" is no quantity: write it as in "100m" for CPU or "200Mi" for memory`;
        say(`resources.${kind}.${name}`, reason);
      }
    }
  }
  for (const [index, { key, operator = "Equal", value }] of tolerations.entries()) {
    const path = `tolerations[${index}]`;
    if (operator === "Exists" && value !== undefined) {
      say(path, `"Exists" asks for no value, "${value}" here: leave it out, or take "Equal"`);
    }
    if (operator === "Equal" && key === undefined) {
      say(path, `it names no key: give one, or take the operator "Exists" for every taint`);
    }
  }
  return problems;
}
