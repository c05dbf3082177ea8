import { at, fields, flag, listOf, oneOf, orElse, text, wholeNumber } from "./specShape";
import type { ResourceKind } from "./typedResource";

/** What a machine is told to be. */
export type NodeType = "controlplane" | "worker" | "init" | "unknown";

/** Another node, or this one, as the cluster's discovery knows it. */
export interface MemberSpec {
  nodeId: string;
  hostname: string;
  nodeType: NodeType;
  /** Such as `Talos (v1.12.1)`. */
  operatingSystem: string;
  addresses: string[];
  /** Where its Kubernetes API listens; undefined for a worker. */
  apiServerPort: number | undefined;
}

/** A node as discovery tells of it, before it is known to be a member. */
export interface AffiliateSpec extends MemberSpec {
  /** Its name in Kubernetes; empty while it has none. */
  nodename: string;
  /** What its KubeSpan peers need; undefined where KubeSpan is off. */
  kubeSpan: { publicKey: string; address: string; endpoints: string[] } | undefined;
}

/** How far a machine is. */
export interface MachineStatusSpec {
  stage: MachineStage;
  ready: boolean;
  /** Why it is not ready. */
  unmetConditions: { name: string; reason: string }[];
}

/** What a machine is doing. */
export type MachineStage = (typeof machineStages)[number];

/** A machine's name in Kubernetes. */
export interface NodenameSpec {
  nodename: string;
  /** True for a machine that is told not to become a node of Kubernetes. */
  skipNodeRegistration: boolean;
}

/** Addresses of a node that belong together, by the id: `current`, `routed`, `default` … */
export interface NodeAddressSpec {
  /** With their prefix, such as `10.0.0.4/24`. */
  addresses: string[];
}

/** An address of a network interface. */
export interface AddressSpec {
  /** With its prefix, such as `10.0.0.4/24`. */
  address: string;
  linkName: string;
  /** `inet4` or `inet6`. */
  family: string;
  /** Such as `global`, `link` or `host`. */
  scope: string;
}

/** A network interface. */
export interface LinkStatusSpec {
  /** Such as `ether` or `loopback`. */
  type: string;
  /** Such as `bond` or `veth`; empty for a physical one. */
  kind: string;
  hardwareAddress: string;
  mtuBytes: number;
  /** Such as `up` or `down`. */
  operationalState: string;
  /** Whether there is a carrier. */
  linkUp: boolean;
  /** In Mbit/s; undefined where there is no such thing. */
  speedMegabits: number | undefined;
}

/** A volume that Talos keeps: a partition, a disk, a directory and so on. */
export interface VolumeStatusSpec {
  /** Such as `waiting`, `provisioned`, `ready` or `failed`. */
  phase: string;
  /** Such as `partition` or `directory`. */
  type: string;
  /** Its block device; empty if it has none. */
  location: string;
  /** Undefined for what has no size of its own. */
  sizeBytes: number | undefined;
  /** Empty if it has none. */
  filesystem: string;
  /** Such as `luks2`; empty if it is not encrypted. */
  encryptionProvider: string;
  /** Why it failed; empty unless it did. */
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

/** The member of etcd that this node is. */
export interface EtcdMemberSpec {
  /** In hexadecimal, unlike `EtcdMember.id`. */
  memberId: string;
}

/** The certificates that a node's own API is served with, base64 of PEM. Private keys are left out. */
export interface ApiCertificatesSpec {
  acceptedCas: string[];
  server: string;
  /** With which a control plane node asks the others; undefined on a worker. */
  client: string | undefined;
}

/** What the certificate of a node's API names. */
export interface CertSansSpec {
  ipAddresses: string[];
  dnsNames: string[];
}

const machineStages = [
  ...["unknown", "booting", "installing", "maintenance", "running"],
  ...["rebooting", "shutting down", "resetting", "upgrading"],
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
const certificate = fields<{ crt: string }>({ crt: text });
const pem = (value: unknown, path: string) => certificate(value, path).crt;
/** Go writes a pointer to nothing as `null`. */
const pemOrNull = (value: unknown, path: string) =>
  value === "null" ? undefined : orElse(pem, undefined)(value, path);

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
 * The types of Talos' state that this program knows the fields of, by their namespaces in Talos
 * v1.12. Fields as in machinery v1.10 to v1.13, `resources/…`; seen on nodes with Talos v1.12.1.
 */
export const talosResources = {
  /** The nodes of the cluster, of which each one knows by discovery. */
  member: kind<MemberSpec>("cluster", "Members.cluster.talos.dev", fields(member)),
  affiliate: kind<AffiliateSpec>(
    "cluster",
    "Affiliates.cluster.talos.dev",
    fields<AffiliateSpec>({
      ...member,
      nodename: absentText,
      kubeSpan: at(
        "kubespan",
        orElse(
          fields<{ publicKey: string; address: string; endpoints: string[] }>({
            publicKey: text,
            address: text,
            endpoints: listOf(text),
          }),
          undefined,
        ),
      ),
    }),
  ),
  /** Also in maintenance mode. */
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
  /** What the machine runs, as YAML text. Secret. */
  activeConfiguration: {
    ...kind<string>("config", "MachineConfigs.config.talos.dev", text),
    id: "v1alpha1",
  },
  /** What the machine starts with the next time, as YAML text. Secret. */
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
  /** Lists of addresses by what they are for. */
  nodeAddress: kind<NodeAddressSpec>(
    "network",
    "NodeAddresses.net.talos.dev",
    fields({ addresses: listOf(text) }),
  ),
  /** Each address of each interface. */
  address: kind<AddressSpec>(
    "network",
    "AddressStatuses.net.talos.dev",
    fields({ address: text, linkName: text, family: text, scope: text }),
  ),
  linkStatus: kind<LinkStatusSpec>(
    "network",
    "LinkStatuses.net.talos.dev",
    fields<LinkStatusSpec>({
      type: text,
      kind: text,
      hardwareAddress: at("hardwareAddr", text),
      mtuBytes: at("mtu", wholeNumber),
      operationalState: text,
      linkUp: at("linkState", flag),
      speedMegabits: at("speedMbit", orElse(wholeNumber, undefined)),
    }),
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
  etcdMember: {
    ...kind<EtcdMemberSpec>(
      "etcd",
      "EtcdMembers.etcd.talos.dev",
      fields({ memberId: at("memberID", text) }),
    ),
    id: "local",
  },
  /** Administrators alone may read it. */
  apiCertificates: {
    ...kind<ApiCertificatesSpec>(
      "secrets",
      "ApiCertificates.secrets.talos.dev",
      fields<ApiCertificatesSpec>({
        acceptedCas: at("acceptedCAs", listOf(pem)),
        server: pem,
        client: pemOrNull,
      }),
    ),
    id: "api",
  },
  /** Administrators alone may read it. */
  apiCertSans: {
    ...kind<CertSansSpec>(
      "secrets",
      "CertSANs.secrets.talos.dev",
      fields({ ipAddresses: at("ips", listOf(text)), dnsNames: listOf(text) }),
    ),
    id: "api",
  },
};

function kind<Spec>(
  namespace: string,
  type: string,
  shape: ResourceKind<Spec>["shape"],
): ResourceKind<Spec> {
  return { namespace, type, shape };
}
