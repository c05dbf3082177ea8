import * as pulumi from "@pulumi/pulumi";
import type { InlineManifest } from "../../provider";
import { defined } from "../defined";
import type { MonitoringTarget } from "../firewall/firewallArgs";
import { type AddOnChoices, eachAddOn, isOurs } from "./addOnChoices";
import type { AddOnFirewall, MachineOptions } from "./common/addOn";
import type { AddOnNames, AddOnPool } from "./common/addOnCluster";
import { type AddOnDelivery, deliveryOf } from "./common/addOnDelivery";
import type { AddOnManifest } from "./common/addOnManifest";
import type { AddOnPods } from "./common/addOnPodsArgs";

import { releaseFor } from "./common/releases";

/** The options of every machine: the given ones, and those that the add-ons need. */
export function nodeOptions(given: MachineOptions, choices: AddOnChoices): MachineOptions {
  const { kubeletExtraArgs } = given;
  const added = eachAddOn(choices, (_name, addOn, args) => [addOn.nodeOptions?.(args, given)]);
  return defined(Object.assign({ kubeletExtraArgs }, ...added) as MachineOptions);
}

/** Labels of a pool's nodes by which add-ons find them. */
export function nodeLabelsOf(
  choices: AddOnChoices,
  pool: Pick<AddOnPool, "gpu">,
): Readonly<Record<string, string>> {
  const labels = eachAddOn(choices, (_name, { nodeLabels }) => [nodeLabels?.(pool) ?? {}]);
  return Object.assign({}, ...labels) as Record<string, string>;
}

/** The options of control plane machines that the add-ons need. */
export function controlPlaneOptions(given: MachineOptions, choices: AddOnChoices): MachineOptions {
  const added = eachAddOn(choices, (_name, addOn, args) => [
    addOn.controlPlaneOptions?.(args, given),
  ]);
  return Object.assign({}, ...added) as MachineOptions;
}

/** The pod network among the add-ons; undefined without one. */
export function podNetworkOf(choices: AddOnChoices) {
  return eachAddOn(choices, (_name, addOn, args) => [addOn.podNetwork?.(args)]).find(
    (network) => network !== undefined,
  );
}

/**
 * What the add-ons add to a cluster's firewall.
 *
 * @param given the sources of metrics that the program names
 */
export function firewallOf(
  choices: AddOnChoices,
  given: readonly MonitoringTarget[] = [],
): AddOnFirewall {
  const asked = eachAddOn(choices, (_name, addOn, args) => [addOn.firewall?.(args) ?? {}]);
  const targets = asked.flatMap(({ monitoring = [] }) => monitoring);
  const more = [...new Set(targets)].filter((target) => !given.includes(target));
  return {
    ...(more.length > 0 && { monitoring: [...given, ...more] }),
    ...(asked.some(({ ciliumWireGuard }) => ciliumWireGuard) && { ciliumWireGuard: true }),
  };
}

/**
 * How long auto scaling groups keep machines that they are about to end; undefined if nothing in the
 * cluster drains them.
 */
export function drainSecondsOf(choices: AddOnChoices): number | undefined {
  return eachAddOn(choices, (_name, { drainSeconds }) => [drainSeconds]).find(
    (seconds) => seconds !== undefined,
  );
}

/** URLs that Talos fetches, published ones first. Some add-ons have fields of their own for theirs. */
export function manifestUrls(choices: AddOnChoices, kubernetesVersion: string): string[] {
  const published = eachAddOn(choices, (_name, addOn, args) => {
    const { publishedManifest, releases } = addOn;
    const { version, manifest, manifestUrls: urls }: AddOnPods & AddOnManifest = args;
    const isReplaced = manifest !== undefined || isOurs(addOn, args);
    if (publishedManifest === undefined || releases === undefined || isReplaced) {
      return [];
    }
    return urls ?? [publishedManifest(version ?? releaseFor(releases, kubernetesVersion))];
  });
  const theirs = eachAddOn(choices, (_name, { publishedManifest, hasOwnManifestField }, args) => {
    const { manifestUrls: urls = [] }: AddOnManifest = args;
    return publishedManifest === undefined && hasOwnManifestField !== true ? urls : [];
  });
  const besides = eachAddOn(choices, (_name, addOn, args) =>
    isOurs(addOn, args) ? (addOn.fetchedManifests?.(args) ?? []) : [],
  );
  return [...published, ...besides, ...theirs];
}

/**
 * The manifests that are no list of this package's own objects, with the same names: the user's, and
 * those for one region.
 *
 * @param to only those that are delivered so, where the program asks for `asked`
 * @param region asked only if an add-on needs it
 */
export function otherManifests(
  choices: AddOnChoices,
  cluster: AddOnNames,
  { to, asked }: { readonly to: AddOnDelivery; readonly asked: AddOnDelivery | undefined },
  region: () => pulumi.Output<string>,
): pulumi.Output<InlineManifest>[] {
  return eachAddOn(choices, (_name, addOn, args) => {
    const { manifestName: name, manifest, delivery: needed } = addOn;
    if (deliveryOf({ asked, needed }) !== to) {
      return [];
    }
    const { manifest: given }: AddOnManifest = args;
    const contents =
      given ?? (manifest && region().apply((where) => manifest(args, cluster, where)));
    return contents === undefined ? [] : [pulumi.output({ name, contents })];
  });
}
