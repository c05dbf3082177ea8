import type { CallOptions, TalosClient } from "../api/talosClient";
import { talosResources } from "../api/talosResources";
import { unlessSilent } from "./unlessSilent";

/** Where containers, images and etcd keep what they write. Source: Talos v1.12.1, `constants.EphemeralMountPoint`. */
const EPHEMERAL = "/var";

/** With less left of its file system etcd can't even write its log ahead, in files of 64 MB (etcd v3.6). */
const LEAST_BYTES = 64_000_000;

/**
 * What a machine shows of storage that keeps it from working, as the end of a sentence: volumes that
 * failed, a file system that is full. Undefined when there is nothing of the kind, or nothing to learn.
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
    .filter(({ target, availableBytes }) => target === EPHEMERAL && availableBytes < LEAST_BYTES)
    .map(
      ({ target, sizeBytes, availableBytes }) =>
        `its disk is full: of ${mebibytes(sizeBytes)} at ${target} ${mebibytes(availableBytes)} are left; free some, or replace the machine with one that has a bigger volume`,
    );
  const faults = [...failed, ...full];
  return faults.length === 0 ? undefined : faults.join("; ");
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
