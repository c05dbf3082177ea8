import { retryDecision } from "../../api/retryPolicy";
import { TalosApiError } from "../../api/talosApiError";
import { type CallOptions, TalosClient } from "../../api/talosClient";
import { talosResources } from "../../api/talosResources";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { hasBeenUp } from "../health/hasBeenUp";
import { describeUnmet } from "../health/judgeMachine";
import { lookAtMachine } from "../health/lookAtMachine";
import { PullWatch } from "../health/pullWatch";
import { withMachine } from "../machine";
import { modeForChange } from "./bootForChange";
import { type Acceptance, APPLY_MODES, type Delivery } from "./delivery";
import { FirstTrust } from "./firstTrust";
import { LeavingMaintenance } from "./leavingMaintenance";
import { isSameConfig, type MachineConfigId, readMachineConfig } from "./machineConfigs";
import { ifConfigured, throwHidden } from "./meetMachine";
import { applyByReboot } from "./rebootingApply";
import { findLeftMachine, judgeRunning } from "./takeOverMachine";

/**
 * The stages of a machine that runs its configuration. A control plane machine stays in `booting`
 * until its etcd is up, which may need other machines first.
 */
const STAGES_OF_RUNNING: readonly string[] = ["booting", "running"];
const RUNNING = "running";

/**
 * Delivers a machine's first configuration. If the machine already answers with the cluster's
 * certificate, every call uses mutual TLS. That is so after an interrupted run, and for a cluster
 * that is taken over. Only a machine in maintenance mode gets the configuration over an
 * unauthenticated connection, and only without user data. Once a server may have received it, no
 * other one gets it: `Delivery.trust`. A machine with another configuration may be left as it is
 * (`Delivery.takeover`).
 *
 * Returns when the machine has accepted the configuration, before it runs it.
 *
 * @throws Error if another server in maintenance mode answers than the trusted one
 * @throws TalosApiError if the machine refuses it, or belongs to another cluster
 * @throws WaitTimeoutError at the deadline
 */
export function deliverFirstConfiguration(delivery: Delivery): Promise<Acceptance> {
  const { machine, text, progress, trust = new FirstTrust(undefined) } = delivery;
  const leaving = new LeavingMaintenance();
  // A run that was killed may just have sent it.
  leaving.begin();
  const delivered = wait<Acceptance>(
    delivery,
    `machine ${machine.node} to accept its first configuration`,
    async (call) => {
      const answer = await applyAuthenticated(delivery, call);
      if (!(answer instanceof TalosApiError)) {
        return { done: true, value: answer };
      }
      if (delivery.first === "userData") {
        return { done: false, status: withoutUserData(answer) };
      }
      const servers = trust.beginAttempt();
      const client = TalosClient.connectInsecure({ endpoint: machine.node, servers });
      try {
        const { warnings } = await client.applyConfiguration({ data: text, mode: "AUTO" }, call);
        trust.endAttempt(true);
        warnings.forEach((warning) => progress.warn(`machine ${machine.node}: ${warning}`));
        return { done: true, value: { leavesMaintenance: true } };
      } catch (error) {
        if (!(error instanceof TalosApiError)) {
          throw error;
        }
        trust.endAttempt(error.mayHaveArrived);
        if (error.mayHaveArrived) {
          leaving.begin();
        }
        if (error.code === "otherMaintenanceNode") {
          const { refused } = servers;
          return { done: false, status: await trust.judge(machine, { error, refused }, call) };
        }
        if (error.code !== "alreadyConfigured") {
          throw error;
        }
        throwHidden(answer);
        return { done: false, status: "it has just left maintenance mode" };
      } finally {
        client.close();
      }
    },
    leaving,
  );
  return delivered.catch((error: unknown) => {
    throw trust.explainWait(error);
  });
}

/** The error about a machine that should have booted with its configuration. */
function withoutUserData(error: TalosApiError): string {
  return error.code === "notConfigured"
    ? "it is in maintenance mode: it found no configuration in its user data, or can't read it there (the instance's console log says more)"
    : error.message;
}

/** Applies over mutual TLS; returns the error of a machine that may be in maintenance mode. */
function applyAuthenticated(
  delivery: Delivery,
  call: CallOptions,
): Promise<Acceptance | TalosApiError> {
  return ifConfigured(delivery.machine, async (client) => {
    // One that is only looked at gets nothing.
    if (delivery.takeover !== "look") {
      await judgeRunning(client, delivery, call);
    }
    const left = await findLeftMachine(client, delivery, call);
    return left === undefined ? applyIfOther(client, delivery, call) : { left };
  });
}

/**
 * Delivers a later configuration, only over mutual TLS. A machine that already has it is left
 * alone, or gets it again if that is harmless.
 *
 * @throws TalosApiError if the machine refuses it, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError at the deadline
 */
export function deliverConfiguration(delivery: Delivery): Promise<Acceptance> {
  const { machine, former, hash, mode } = delivery;
  // Without a reboot, applying the same configuration again does no harm.
  let looksFirst = former === undefined || former.hash === hash || mode === "reboot";
  return wait(delivery, `machine ${machine.node} to accept its configuration`, (call) =>
    withMachine(machine, async (client) => {
      const deliver = looksFirst ? applyIfOther : apply;
      // A call that failed may still have reached the machine.
      looksFirst = true;
      return { done: true, value: await deliver(client, delivery, call) };
    }),
  );
}

async function applyIfOther(
  client: TalosClient,
  delivery: Delivery,
  call: CallOptions,
): Promise<Acceptance> {
  const { former, mode } = delivery;
  const kept = await readMachineConfig(client, "persistent", call);
  // While one is staged or tried out, both configurations must match.
  const isThere =
    isSameConfig(kept, delivery, former) &&
    (mode === "staged" ||
      isSameConfig(await readMachineConfig(client, "v1alpha1", call), delivery, former));
  return isThere ? { hadIt: true } : apply(client, delivery, call);
}

async function apply(
  client: TalosClient,
  delivery: Delivery,
  call: CallOptions,
): Promise<Acceptance> {
  const { machine, text, progress, isJudged, mayHaveArrived } = delivery;
  const mode = isJudged === true ? delivery.mode : await modeForChange(client, delivery, call);
  const { boot, stage, unmet } = await readStatus(client, call);
  // What is staged restarts nothing, so nothing is awaited after it.
  const wasRunning = mode !== "staged" && hasBeenUp(stage, await client.services(call));
  const arrived = () => mayHaveArrived?.();
  const applied =
    mode === "reboot"
      ? applyByReboot(client, text, arrived, call)
      : client.applyConfiguration({ data: text, mode: APPLY_MODES[mode] }, call);
  const answer = await applied.catch((error: unknown) => {
    if (retryDecision(error).mayHaveRun) {
      arrived();
    }
    throw error;
  });
  answer.warnings.forEach((warning) => progress.warn(`machine ${machine.node}: ${warning}`));
  return {
    ...(answer.mode === "REBOOT" && { rebootsFrom: boot }),
    wasRunning,
    missingBefore: unmet,
  };
}

/**
 * Waits until a machine reports that it runs a configuration. If it was up and has rebooted, it
 * must be up again. A staged configuration must be the one of the next boot.
 *
 * @throws WaitTimeoutError at the deadline
 */
export async function awaitConfiguration(
  delivery: Delivery,
  { rebootsFrom, wasRunning = false, leavesMaintenance }: Acceptance,
): Promise<void> {
  const { machine, mode } = delivery;
  const leaving = new LeavingMaintenance();
  if (leavesMaintenance === true) {
    leaving.begin();
  }
  const isStaged = mode === "staged";
  const id: MachineConfigId = isStaged ? "persistent" : "v1alpha1";
  const pulls = new PullWatch();
  const what = isStaged ? "have its configuration staged" : "run its configuration";
  const look = (call: CallOptions) =>
    withMachine<ProbeResult<undefined>>(machine, async (client) => {
      const text = await readMachineConfig(client, id, call);
      // After the configuration: then the status belongs to a machine that runs it.
      const { boot, stage } = await readStatus(client, call);
      if (boot === rebootsFrom) {
        return { done: false, status: "it has not rebooted yet" };
      }
      if (!isSameConfig(text, delivery, delivery.former)) {
        return { done: false, status: "it runs another configuration" };
      }
      const stages = wasRunning ? [RUNNING] : STAGES_OF_RUNNING;
      if (isStaged || stages.includes(stage)) {
        return { done: true, value: undefined };
      }
      // What holds it up, such as a service that fails.
      const { problems } = (await lookAtMachine(client, call, pulls)).verdict;
      return {
        done: false,
        status: problems.length === 0 ? `it is ${stage}` : problems.join("; "),
      };
    });
  await wait(delivery, `machine ${machine.node} to ${what}`, look, leaving);
}

/**
 * The status of a machine. Talos keeps its resources in memory, and this one during a whole boot.
 * So its creation time identifies the boot, like the boot id. Source: Talos v1.12.1, `runtime`
 * resources, `v1alpha2.NewState`.
 */
export async function readStatus(
  client: TalosClient,
  call: CallOptions,
): Promise<{ readonly stage: string; readonly unmet: readonly string[]; readonly boot: string }> {
  const { spec, created } = await client.getTyped(talosResources.machineStatus, call);
  return { stage: spec.stage, unmet: describeUnmet(spec), boot: created ?? "unknown" };
}

function wait<Value>(
  { deadline, progress }: Delivery,
  what: string,
  look: (call: CallOptions) => Promise<ProbeResult<Value>>,
  { isFatal } = new LeavingMaintenance(),
): Promise<Value> {
  return waitFor<Value>({
    isFatal,
    what,
    deadlineMs: Math.max(0, deadline - clock.now()),
    probe: ({ signal }) => look({ signal }),
    report: progress.report,
  });
}
