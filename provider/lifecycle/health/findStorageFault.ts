import type { CallOptions, TalosClient } from "../../api/talosClient";
import { talosResources } from "../../api/talosResources";
import { unlessSilent } from "../silence";

/**
 * The mount points where containers, images and etcd write. etcd can have one of its own since Talos
 * v1.14. Sources: Talos v1.12.1, `constants.EphemeralMountPoint`; v1.14.1, `constants.EtcdDataPath`.
 */
const WRITTEN: readonly string[] = ["/var", "/var/lib/etcd"];

/** With less free space, etcd can't create its write-ahead log: files of 64 MB (etcd v3.6). */
const LEAST_BYTES = 64_000_000;

/**
 * The reason why a machine's storage keeps it from working, as the end of a sentence: a failed
 * volume or a full file system. Undefined without such a reason, or without an answer.
 */
export async function findStorageFault(
  client: TalosClient,
  call: CallOptions,
): Promise<string | undefined> {
  const [volumes, mounts] = await Promise.all([
    unlessSilent(client.listTyped(talosResources.volumeStatus, call)),
    unlessSilent(client.mounts(call)),
  ]);
  const failed = (volumes ?? [])
    .filter(({ spec }) => spec.phase === "failed")
    .map(({ id, spec }) => `its volume ${id} failed: ${spec.errorMessage}`);
  const full = (mounts ?? [])
    .filter(
      ({ target, availableBytes }) => WRITTEN.includes(target) && availableBytes < LEAST_BYTES,
    )
    .map(
      ({ target, sizeBytes, availableBytes }) =>
        `its disk is full: ${mebibytes(availableBytes)} of ${mebibytes(sizeBytes)} at ${target} are free; delete data, or replace the machine with one that has a larger volume`,
    );
  const faults = [...failed, ...full];
  return faults.length === 0 ? undefined : faults.join("; ");
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
