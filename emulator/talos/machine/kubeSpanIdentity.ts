import { createHash, createPrivateKey, createPublicKey } from "node:crypto";

/** The port WireGuard listens on (talos v1.12.1, `constants.KubeSpanDefaultPort`). */
export const kubeSpanPort = 51820;

/** A node's identity in its cluster's WireGuard network (KubeSpan). */
export interface KubeSpanIdentity {
  /** An address of the cluster's own unique local network, the same each time. */
  readonly address: string;
  /** The network of all nodes of the cluster, with `/64`. */
  readonly subnet: string;
  /** Base64 of 32 bytes. */
  readonly publicKey: string;
  /** Base64 of 32 bytes; secret. */
  readonly privateKey: string;
}

/** The prefix of an X25519 key's 32 bytes in PKCS #8 (RFC 8410). */
const keyPrefix = Buffer.from("302e020100300506032b656e04220420", "hex");
/** Of a unique local network: its first byte, and the purpose that Talos gives this one (`ULAKubeSpan`). */
const UNIQUE_LOCAL = 0xfd;
const PURPOSE = 0x02;

/**
 * The identity of a node. The network is derived from the cluster's id as in Talos v1.12.1
 * (`network.ULAPrefix`). Key and address are derived from the node's id, which lives as long as its
 * disk.
 */
export function kubeSpanIdentity(clusterId: string, nodeId: string): KubeSpanIdentity {
  const prefix = createHash("sha256").update(clusterId).digest().subarray(16, 24);
  prefix[0] = UNIQUE_LOCAL;
  prefix[7] = PURPOSE;
  const seed = createHash("sha256").update(`kubespan ${nodeId}`).digest();
  const privateKey = createPrivateKey({
    key: Buffer.concat([keyPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const network = groupsOf(prefix);
  return {
    address: `${network}:${groupsOf(seed.subarray(0, 8))}`,
    subnet: `${network}::/64`,
    publicKey: publicKey.subarray(-32).toString("base64"),
    privateKey: seed.toString("base64"),
  };
}

function groupsOf(bytes: Buffer): string {
  const groups = bytes.toString("hex").match(/.{4}/g) ?? [];
  return groups.map((group) => parseInt(group, 16).toString(16)).join(":");
}
