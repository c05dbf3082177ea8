import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import type { TalosClient } from "../../provider/api/talosClient";
import { checkEtcdSnapshotFile } from "../../provider/etcdSnapshotFile";
import { CommandFailure } from "../commandFailure";
import { connectToMachine } from "../status/connectToMachine";
import type { ClusterAccess } from "../status/clusterAccess";

/** A snapshot of etcd that was written to a file. */
export interface TakenSnapshot {
  /** The machine it is from. */
  readonly machine: string;
  readonly bytes: number;
}

/** What only the owner may read and write: the file holds every secret of Kubernetes. */
const PRIVATE = 0o600;

/**
 * Has a control plane machine send a snapshot of etcd, and writes it to a file: whole, checked and readable by
 * its owner only, or not at all. Machines are asked in turn until one can.
 *
 * @param report hears of machines that couldn't
 * @throws CommandFailure when the file is there already, or no machine could
 */
export async function takeSnapshot(
  { machines, ...access }: ClusterAccess,
  file: string,
  report: (line: string) => void,
): Promise<TakenSnapshot> {
  if (await stat(file).catch(() => undefined)) {
    throw new CommandFailure(`"${file}" is there already: name another file with --file`);
  }
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${randomBytes(8).toString("hex")}.tmp`);
  const controlPlanes = machines.filter(({ role }) => role === "controlplane");
  try {
    for (const machine of controlPlanes) {
      const client = connectToMachine(machine, { machines, ...access });
      try {
        await download(client, draft);
        await requireWhole(draft);
        // Unlike a rename, a link takes no other file's place.
        await link(draft, file);
        return { machine: machine.name, bytes: (await stat(file)).size };
      } catch (error) {
        report(`${machine.name}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        client.close();
        await rm(draft, { force: true });
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw new CommandFailure(
    `none of ${controlPlanes.length} control plane machines could send a snapshot of etcd. etcd needs a majority for that: "talos-aws status" says how its members are`,
  );
}

async function download(client: TalosClient, file: string): Promise<void> {
  const target = createWriteStream(file, { flags: "wx", mode: PRIVATE });
  const ended = finished(target);
  // It is awaited below, and may fail before.
  ended.catch(() => undefined);
  try {
    for await (const bytes of client.etcdSnapshot()) {
      if (!target.write(bytes)) {
        await Promise.race([once(target, "drain"), ended]);
      }
    }
    target.end();
    await ended;
  } catch (error) {
    target.destroy();
    throw error;
  }
}

async function requireWhole(path: string): Promise<void> {
  const [problem] = await checkEtcdSnapshotFile({ path });
  if (problem !== undefined) {
    throw new Error(`what it sent is no whole snapshot: ${problem.reason}`);
  }
}
