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

/** A discovered node that may not be a member yet. */
export interface AffiliateSpec extends MemberSpec {
  /** Its name in Kubernetes; empty while it has none. */
  nodename: string;
  /** Its KubeSpan settings for peers; undefined without KubeSpan. */
  kubeSpan: { publicKey: string; address: string; endpoints: string[] } | undefined;
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

/** A machine's name in Kubernetes. */
export interface NodenameSpec {
  nodename: string;
  /** True for a machine that must not become a Kubernetes node. */
  skipNodeRegistration: boolean;
}

/** The addresses of a node for one purpose, which is the id: `current`, `routed`, `default` … */
export interface NodeAddressSpec {
  /** With their prefix, for example `10.0.0.4/24`. */
  addresses: string[];
}

/** An address of a network interface. */
export interface AddressSpec {
  /** With its prefix, for example `10.0.0.4/24`. */
  address: string;
  linkName: string;
  /** `inet4` or `inet6`. */
  family: string;
  /** For example `global`, `link` or `host`. */
  scope: string;
}

/** A network interface. */
export interface LinkStatusSpec {
  /** For example `ether` or `loopback`. */
  type: string;
  /** For example `bond` or `veth`; empty for a physical one. */
  kind: string;
  hardwareAddress: string;
  mtuBytes: number;
  /** For example `up` or `down`. */
  operationalState: string;
  /** Whether there is a carrier. */
  linkUp: boolean;
  /** In Mbit/s; undefined for interfaces without a speed. */
  speedMegabits: number | undefined;
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

/** The etcd member of this node. */
export interface EtcdMemberSpec {
  /** In hexadecimal, unlike `EtcdMember.id`. */
  memberId: string;
}

/** The certificates of a node's API server, base64 of PEM. Private keys are left out. */
export interface ApiCertificatesSpec {
  acceptedCas: string[];
  server: string;
  /** The certificate with which a control plane node calls other nodes; undefined on a worker. */
  client: string | undefined;
}

/** The names in the certificate of a node's API. */
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
 * Types of Talos' state with known fields, by their namespaces in Talos v1.12. Fields as in
 * machinery v1.10 to v1.13, `resources/…`; observed on nodes with Talos v1.12.1.
 */
export const talosResources = {
  /** The nodes of the cluster that a node has discovered. */
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
  /** Lists of addresses by their purpose. */
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
  /** Readable only for administrators. */
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
  /** Readable only for administrators. */
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
