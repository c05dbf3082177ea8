import { parse } from "yaml";
import { TalosApiError } from "../api/talosApiError";
import { type ServiceStatus, TalosClient } from "../api/talosClient";
import { waitFor } from "../api/waitFor";
import type { Machine } from "./machine";

/**
 * How long etcd must have been seen waiting before it is bootstrapped. A second call while etcd
 * starts stops it for good, and an earlier run may have made the first one just before it was
 * killed. Observed on Talos v1.12.1: etcd leaves this state within two seconds of the call.
 */
const QUIET_MS = 3_000;

/** How long after a call etcd may still wait before the call counts as lost and is made again. */
const LOST_AFTER_MS = 300_000;

/** What kind of machine it is. Source: Talos v1.12.1, `config` resources. */
const MACHINE_TYPE = {
  namespace: "config",
  type: "MachineTypes.config.talos.dev",
  id: "machine-type",
};

/**
 * Brings etcd up on the first control plane machine of a cluster, and waits until it is healthy.
 * One that is up already is left alone: the machine has proven over mutual TLS that it belongs to
 * this cluster. After a call with an unclear end the machine is watched, never just asked again.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws Error when the machine is a worker
 * @throws TalosApiError when the machine refuses
 * @throws WaitTimeoutError at the deadline
 */
export function bootstrapEtcd(
  machine: Machine,
  deadline: number,
  report: (line: string) => void,
): Promise<void> {
  let waitingSince: number | undefined;
  let calledAt: number | undefined;
  return waitFor<undefined>({
    what: `etcd on ${machine.node} to be up and healthy`,
    deadlineMs: Math.max(0, deadline - Date.now()),
    report,
    probe: async ({ signal }) => {
      const client = TalosClient.connect(machine);
      try {
        const etcd = (await client.services({ signal })).find(({ id }) => id === "etcd");
        if (etcd?.state === "Running" && etcd.healthy) {
          return { done: true, value: undefined };
        }
        if (etcd === undefined) {
          await requireControlPlane(client, machine, signal);
        }
        if (etcd?.state !== "Preparing") {
          waitingSince = undefined;
          return { done: false, seen: describe(etcd) };
        }
        const now = Date.now();
        waitingSince ??= now;
        const isQuiet = now - waitingSince >= QUIET_MS;
        const isDue = calledAt === undefined || now - calledAt >= LOST_AFTER_MS;
        if (!isQuiet || !isDue) {
          return { done: false, seen: "etcd waits to be bootstrapped" };
        }
        calledAt = now;
        const outcome = await bootstrap(client, signal);
        if (outcome !== "called") {
          calledAt = outcome === "tooEarly" ? undefined : calledAt;
          waitingSince = undefined;
        }
        return { done: false, seen: SEEN[outcome] };
      } finally {
        client.close();
      }
    },
  });
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

const SEEN: Readonly<Record<Outcome, string>> = {
  called: "bootstrapped, etcd starts",
  doneBefore: "bootstrapped before, etcd starts",
  tooEarly: "the machine is not ready to be bootstrapped",
  unclear: "the answer to the bootstrap call was lost, watching etcd",
};

async function bootstrap(client: TalosClient, signal: AbortSignal): Promise<Outcome> {
  try {
    await client.bootstrap({ signal });
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
  const message = etcd.lastMessage === "" ? "" : `: ${etcd.lastMessage}`;
  return `etcd is ${etcd.state}${health}${message}`;
}
