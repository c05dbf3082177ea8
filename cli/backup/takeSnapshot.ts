import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import type { TalosClient } from "../../provider/api";
import { messageOfError } from "../../provider/base";
import { checkEtcdSnapshotFile } from "../../provider/lifecycle";
import { CommandFailure } from "../commandFailure";
import { type ClusterAccess, connectToMachine } from "../status/clusterAccess";

export interface TakenSnapshot {
  /** The machine that sent it. */
  readonly machine: string;
  readonly bytes: number;
}

/** Only the owner may read and write the file, because it contains every secret of Kubernetes. */
const PRIVATE = 0o600;

/**
 * Gets a snapshot of etcd from a control plane machine and writes it to a file: complete, checked
 * and readable only by its owner, or not at all. It asks one machine after another until one
 * succeeds.
 *
 * @param report gets a line for each machine that failed
 * @throws CommandFailure if the file exists already, or no machine succeeded
 */
export async function takeSnapshot(
  { machines, ...access }: Omit<ClusterAccess, "unlisted">,
  file: string,
  report: (line: string) => void,
): Promise<TakenSnapshot> {
  if (await stat(file).catch(() => undefined)) {
    throw new CommandFailure(`"${file}" exists already: name another file with --file`);
  }
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${randomBytes(8).toString("hex")}.tmp`);
  const controlPlanes = machines.filter(({ role }) => role === "controlplane");
  try {
    for (const machine of controlPlanes) {
      const client = connectToMachine(machine, access);
      try {
        await download(client, draft);
        await requireWhole(draft);
        // Unlike a rename, a link never replaces an existing file.
        await link(draft, file);
        return { machine: machine.name, bytes: (await stat(file)).size };
      } catch (error) {
        report(`${machine.name}: ${messageOfError(error)}`);
      } finally {
        client.close();
        await rm(draft, { force: true });
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw new CommandFailure(
    `none of ${controlPlanes.length} control plane machines could send a snapshot of etcd. etcd needs a majority for that: "talos-aws status" shows the state of its members`,
  );
}

async function download(client: TalosClient, file: string): Promise<void> {
  const target = createWriteStream(file, { flags: "wx", mode: PRIVATE });
  const ended = finished(target);
  // It is awaited below, but may fail earlier.
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
    throw new Error(`it did not send a complete snapshot: ${problem.reason}`);
  }
}
