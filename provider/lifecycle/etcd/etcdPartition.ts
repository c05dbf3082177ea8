import type { CallOptions, TalosClient } from "../../api/talosClient";
import { talosResources } from "../../api/talosResources";

/** The partition with what a machine writes. Source: Talos v1.12.1, `constants.EphemeralPartitionLabel`. */
const EPHEMERAL = "EPHEMERAL";

/** The volume with etcd's data. Source: Talos v1.14.1, `constants.EtcdDataVolumeID`. */
const ETCD = "ETCD";

/**
 * Partitions to wipe, with etcd's own where EPHEMERAL is among them. Since Talos v1.14, etcd's data
 * can be on such a partition, and stays when only EPHEMERAL is wiped. By then, "EPHEMERAL" had meant
 * etcd's data too.
 *
 * @returns the same labels if etcd's data is in EPHEMERAL
 * @throws TalosApiError if the machine doesn't answer
 */
export async function withEtcdPartition(
  client: TalosClient,
  labels: readonly string[],
  call: CallOptions,
): Promise<readonly string[]> {
  if (!labels.includes(EPHEMERAL) || labels.includes(ETCD)) {
    return labels;
  }
  const volumes = await client.listTyped(talosResources.volumeStatus, call);
  const isOwn = volumes.some(({ id, spec }) => id === ETCD && spec.type === "partition");
  return isOwn ? [...labels, ETCD] : labels;
}

/** The labels of what such a wipe leaves on no disk. */
export function wipedWith(labels: readonly string[]): readonly string[] {
  return labels.includes(EPHEMERAL) && !labels.includes(ETCD) ? [...labels, ETCD] : labels;
}
