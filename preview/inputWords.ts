import type { HandlerName } from "../provider/engine";

/**
 * What a change of inputs means that a program doesn't give: Talos resources compute them, or this
 * package gives them. All others are called as in the program.
 */
const WORDS: Partial<Record<HandlerName, Readonly<Record<string, string>>>> = {
  MachineConfiguration: {
    redactedConfiguration: "the configuration",
    installerImage: "the Talos installer",
    machinePatchHashes: "single machines' patches",
    machineRevisions: "single machines' patches",
  },
  ConfigurationApply: {
    machineId: "another instance",
    redactedConfiguration: "the machine's configuration",
    talosSystem: "the machine's Talos",
    bornOtherwise: "what it was born with",
  },
  EtcdMember: { machineId: "another instance" },
  FirstContact: { machineId: "another instance" },
  ClusterHealth: { triggers: "the machines' configuration", etcdMinor: "the machines' etcd" },
  MachineTurn: { triggers: "the instance" },
  KubernetesUpgrade: {
    images: "the images of Kubernetes",
    talosVersion: "the machines' Talos",
  },
  KubernetesManifests: { manifests: "what Talos' manifests for Kubernetes say" },
  KubernetesObjects: { objects: "objects of Kubernetes", salt: "the key of the digests" },
  ImmutableArguments: {
    values: "arguments that can't change with machines",
    first: "what the cluster was born with",
    removals: "what add-ons leave behind",
  },
};

/** An input of a resource in the words of a report. */
export function inputWords(kind: string, input: string): string {
  return WORDS[kind as HandlerName]?.[input] ?? input;
}
