import { createReadStream } from "node:fs";
import { parse } from "yaml";
import { TalosApiError } from "../../api/talosApiError";
import type { ServiceStatus, TalosClient } from "../../api/talosClient";
import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { fileProblem } from "../../base/fileProblem";
import type { Progress } from "../../base/progress";
import { findStorageFault } from "../health/findStorageFault";
import { type Machine, withMachine } from "../machine";
import { findRunningEtcd } from "./etcdPeers";
import { type EtcdSnapshotFile, sha256OfFile } from "./etcdSnapshotFile";
import { wasBootstrapped } from "./wasBootstrapped";

/**
 * How long etcd must wait before it is bootstrapped. A second call while etcd starts stops it for
 * good, and a killed run may just have made the first one. Observed on Talos v1.12.1: etcd leaves
 * this state within two seconds of the call.
 */
const QUIET_MS = 3_000;

/**
 * How long after a call etcd may still wait. After that, the call counts as lost and is repeated.
 */
const LOST_AFTER_MS = 300_000;

/** What kind of machine it is. Source: Talos v1.12.1, `config` resources. */
const MACHINE_TYPE = {
  namespace: "config",
  type: "MachineTypes.config.talos.dev",
  id: "machine-type",
};

/** The cluster whose first etcd member starts. */
export interface BootstrapOptions {
  /**
   * Known addresses of the other control plane machines. Those that the machine has discovered are
   * checked too.
   */
  readonly peers: readonly string[];
  /** The snapshot from which etcd starts. Default: none. */
  readonly recoverFrom?: EtcdSnapshotFile;
  /**
   * The SHA-256 of a restore's snapshot. A running etcd then must be the recovered one. Default:
   * not checked, and a running etcd is another one.
   */
  readonly sha256?: string;
}

/**
 * Starts etcd on the first control plane machine of a cluster, and waits until it is healthy. A
 * running etcd is left alone: the machine has proven over mutual TLS that it belongs to this
 * cluster. After a call with an unclear result, the machine is watched and not simply asked again.
 * If another machine of the cluster runs etcd, nothing is bootstrapped, because that would create a
 * second cluster: this machine joins on its own. A running etcd ignores the snapshot, with a
 * warning.
 *
 * @param deadline in milliseconds since 1970
 * @throws Error if the machine is a worker, or can't recover from the snapshot
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline
 */
export function bootstrapEtcd(
  machine: Machine,
  { peers, recoverFrom, sha256 }: BootstrapOptions,
  deadline: number,
  { report, warn }: Progress,
): Promise<void> {
  let waitingSince: number | undefined;
  let call: { readonly at: number; readonly bootId: string } | undefined;
  return waitFor<undefined>({
    what: `etcd on ${machine.node} to be up and healthy`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: ({ signal }) =>
      withMachine(machine, async (client) => {
        const etcd = (await client.services({ signal })).find(({ id }) => id === "etcd");
        if (etcd?.state === "Running" && etcd.healthy) {
          if (recoverFrom !== undefined && call === undefined && sha256 === undefined) {
            warn(
              `etcd on ${machine.node} was running already: this run did not recover it from the snapshot`,
            );
          }
          return { done: true, value: undefined };
        }
        if (etcd === undefined) {
          await requireControlPlane(client, machine, signal);
        }
        if (etcd?.state === "Failed" && recoverFrom !== undefined && call !== undefined) {
          throw new Error(
            `machine ${machine.node} can't recover etcd from "${recoverFrom.path}": ${lastWordOf(etcd)}`,
          );
        }
        if (etcd?.state !== "Preparing") {
          waitingSince = undefined;
          return { done: false, status: describe(etcd) };
        }
        waitingSince ??= clock.now();
        if (clock.now() - waitingSince < QUIET_MS) {
          return { done: false, status: "etcd waits to be bootstrapped" };
        }
        const bootId = await client.bootId({ signal });
        // A machine that rebooted before etcd started has lost the call.
        const isLost = call?.bootId !== bootId || clock.now() - call.at >= LOST_AFTER_MS;
        if (!isLost) {
          const fault = await findStorageFault(client, { signal });
          const why = fault ?? describe(etcd);
          return { done: false, status: `bootstrapped, etcd has not started yet: ${why}` };
        }
        const other = await findRunningEtcd(client, machine, peers, signal);
        if (other !== undefined) {
          return {
            done: false,
            status: `etcd runs on ${other}, which this machine has not joined yet`,
          };
        }
        if (recoverFrom !== undefined) {
          if (call === undefined && (await wasBootstrapped(client, signal))) {
            // The machine may be reading the snapshot now; another upload would overwrite it.
            call = { at: clock.now(), bootId };
            return { done: false, status: "etcd was bootstrapped before and has not started yet" };
          }
          if (sha256 !== undefined) {
            await requireSame(recoverFrom, sha256);
          }
          await client.etcdRecover(createReadStream(recoverFrom.path), { signal });
        }
        call = { at: clock.now(), bootId };
        const outcome = await bootstrap(client, recoverFrom, signal);
        if (outcome !== "called") {
          call = outcome === "tooEarly" ? undefined : call;
          waitingSince = undefined;
        }
        return { done: false, status: STATUSES[outcome] };
      }),
  });
}

/** Checks the file again: the restore may have started on another computer. */
async function requireSame({ path }: EtcdSnapshotFile, sha256: string): Promise<void> {
  const found = await sha256OfFile(path).catch(fileProblem);
  if (found !== sha256) {
    const isThere = /^[0-9a-f]{64}$/.test(found);
    throw new Error(`the snapshot isn't in "${path}": ${isThere ? "the file has changed" : found}`);
  }
}

/** A worker has no etcd service and never will; a control plane has none while it boots. */
async function requireControlPlane(
  client: TalosClient,
  { node }: Machine,
  signal: AbortSignal,
): Promise<void> {
  const { spec } = await client.getResource(MACHINE_TYPE, { signal });
  if (parse(spec) === "worker") {
    throw new Error(
      `machine ${node} is a worker, which has no etcd: bootstrap a control plane machine`,
    );
  }
}

type Outcome = "called" | "doneBefore" | "tooEarly" | "unclear";

const STATUSES: Readonly<Record<Outcome, string>> = {
  called: "bootstrapped, etcd starts",
  doneBefore: "bootstrapped before, etcd starts",
  tooEarly: "the machine is not ready to be bootstrapped",
  unclear: "the answer to the bootstrap call was lost, watching etcd",
};

async function bootstrap(
  client: TalosClient,
  recoverFrom: EtcdSnapshotFile | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    await client.bootstrap({
      recoverEtcd: recoverFrom !== undefined,
      recoverSkipHashCheck: recoverFrom?.skipHashCheck ?? false,
      signal,
    });
    return "called";
  } catch (error) {
    if (!(error instanceof TalosApiError)) {
      throw error;
    }
    switch (error.code) {
      case "alreadyExists":
        return "doneBefore";
      case "failedPrecondition":
        // A worker will never be ready; the other reasons (runtime, time sync) pass.
        if (error.message.includes("control plane node")) {
          throw error;
        }
        return "tooEarly";
      case "unreachable":
      case "deadlineExceeded":
      case "unknown":
        return "unclear";
      default:
        throw error;
    }
  }
}

function describe(etcd: ServiceStatus | undefined): string {
  if (etcd === undefined) {
    return "the machine has no etcd service yet";
  }
  const health = etcd.healthUnknown ? "" : etcd.healthy ? ", healthy" : ", not healthy";
  const word = lastWordOf(etcd);
  return `etcd is ${etcd.state}${health}${word === "" ? "" : `: ${word}`}`;
}

/** The message of its health check, or its last event. */
function lastWordOf({ lastMessage, events }: ServiceStatus): string {
  return lastMessage === "" ? (events.at(-1)?.message ?? "") : lastMessage;
}
