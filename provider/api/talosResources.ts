import { at, fields, flag, listOf, oneOf, orElse, text, wholeNumber } from "./specShape";
import type { ResourceKind } from "./typedResource";

/** The type of a machine in its configuration. */
export type NodeType = "controlplane" | "worker" | "init" | "unknown";

/** A node of the cluster, as discovery reports it, including this one. */
export interface MemberSpec {
  /** Its id at the discovery service. */
  nodeId: string;
  /** Its host name. */
  hostname: string;
  /** Its role in the cluster. */
  nodeType: NodeType;
  /** For example `Talos (v1.12.1)`. */
  operatingSystem: string;
  /** Its addresses. */
  addresses: string[];
  /** The port of its Kubernetes API; undefined for a worker. */
  apiServerPort: number | undefined;
}

/** The status of a machine. */
export interface MachineStatusSpec {
  stage: MachineStage;
  ready: boolean;
  /** Why it is not ready. */
  unmetConditions: { name: string; reason: string }[];
}

/** The stage of a machine. */
export type MachineStage = (typeof machineStages)[number];

/** The clock of a machine. */
export interface TimeStatusSpec {
  /** Also true if the configuration turns time servers off. */
  synced: boolean;
}

/** A machine's name in Kubernetes. */
export interface NodenameSpec {
  nodename: string;
  /** True for a machine that must not become a Kubernetes node. */
  skipNodeRegistration: boolean;
}

/** An address of a machine. */
export interface AddressStatusSpec {
  /** With its prefix length, for example `10.0.0.4/24`. */
  address: string;
  /** The interface that has it; `external` for one that only the platform knows, such as a public one. */
  linkName: string;
}

/** A volume that Talos manages: a partition, a disk, a directory and so on. */
export interface VolumeStatusSpec {
  /** For example `waiting`, `provisioned`, `ready` or `failed`. */
  phase: string;
  /** For example `partition` or `directory`. */
  type: string;
  /** Its block device; empty if it has none. */
  location: string;
  /** Undefined for a volume without a size of its own. */
  sizeBytes: number | undefined;
  /** Empty if it has none. */
  filesystem: string;
  /** For example `luks2`; empty if it is not encrypted. */
  encryptionProvider: string;
  /** Why it failed; empty if it did not fail. */
  errorMessage: string;
}

/** A system extension, or the schematic that the image was built from. */
export interface ExtensionSpec {
  image: string;
  name: string;
  version: string;
  author: string;
  description: string;
}

const machineStages = [
  "unknown",
  "booting",
  "installing",
  "maintenance",
  "running",
  "rebooting",
  "shutting down",
  "resetting",
  "upgrading",
] as const;

const nodeType = oneOf("controlplane", "worker", "init", "unknown");
const absentText = orElse(text, "");
const apiServerPort = at(
  "controlPlane",
  orElse(
    (value, path) => fields<{ port: number }>({ port: wholeNumber })(value, path).port,
    undefined,
  ),
);
const member = {
  nodeId: text,
  hostname: text,
  nodeType: at("machineType", nodeType),
  operatingSystem: text,
  addresses: listOf(text),
  apiServerPort,
};

const status = fields<Omit<MachineStatusSpec, "stage">>({
  ready: flag,
  unmetConditions: listOf(fields<{ name: string; reason: string }>({ name: text, reason: text })),
});

/**
 * Types of Talos' state with known fields, by their namespaces in Talos v1.12. Fields as in
 * machinery v1.10 to v1.13, `resources/…`; observed on nodes with Talos v1.12.1.
 */
export const talosResources = {
  /** The nodes of the cluster that a node has discovered. */
  member: kind<MemberSpec>("cluster", "Members.cluster.talos.dev", fields(member)),
  /** Also available in maintenance mode. */
  machineStatus: {
    ...kind<MachineStatusSpec>("runtime", "MachineStatuses.runtime.talos.dev", (value, path) => {
      const { stage, status: nested } = fields<{
        stage: MachineStage;
        status: Omit<MachineStatusSpec, "stage">;
      }>({ stage: oneOf(...machineStages), status })(value, path);
      return { stage, ...nested };
    }),
    id: "machine",
  },
  /** Whether a time server has set the clock. Also available in maintenance mode. */
  timeStatus: {
    ...kind<TimeStatusSpec>(
      "runtime",
      "TimeStatuses.v1alpha1.talos.dev",
      fields<TimeStatusSpec>({ synced: flag }),
    ),
    id: "node",
  },
  /** The active configuration, as YAML text. Secret. */
  activeConfiguration: {
    ...kind<string>("config", "MachineConfigs.config.talos.dev", text),
    id: "v1alpha1",
  },
  /** The configuration for the next boot, as YAML text. Secret. */
  persistentConfiguration: {
    ...kind<string>("config", "MachineConfigs.config.talos.dev", text),
    id: "persistent",
  },
  nodename: {
    ...kind<NodenameSpec>(
      "k8s",
      "Nodenames.kubernetes.talos.dev",
      fields({ nodename: text, skipNodeRegistration: flag }),
    ),
    id: "nodename",
  },
  /** Also the addresses that the platform translates, such as EC2's public one. */
  addressStatus: kind<AddressStatusSpec>(
    "network",
    "AddressStatuses.net.talos.dev",
    fields({ address: text, linkName: text }),
  ),
  volumeStatus: kind<VolumeStatusSpec>(
    "runtime",
    "VolumeStatuses.block.talos.dev",
    fields<VolumeStatusSpec>({
      phase: text,
      type: text,
      location: absentText,
      sizeBytes: at("size", orElse(wholeNumber, undefined)),
      filesystem: absentText,
      encryptionProvider: absentText,
      errorMessage: absentText,
    }),
  ),
  extension: kind<ExtensionSpec>(
    "runtime",
    "ExtensionStatuses.runtime.talos.dev",
    (value, path) => {
      const { image, metadata } = fields<{ image: string; metadata: Omit<ExtensionSpec, "image"> }>(
        {
          image: text,
          metadata: fields({ name: text, version: text, author: text, description: text }),
        },
      )(value, path);
      return { image, ...metadata };
    },
  ),
};

function kind<Spec>(
  namespace: string,
  type: string,
  shape: ResourceKind<Spec>["shape"],
): ResourceKind<Spec> {
  return { namespace, type, shape };
}
