import * as pulumi from "@pulumi/pulumi";
import type { ClientCredentials } from "../../provider";
import { tellingTheEnd } from "../../provider/engine";
import { beginStop, endStop, findControlPlanes, type StopRequest } from "../../provider/lifecycle";
import { DEFAULT_DRAIN_TIMEOUT_SECONDS } from "../../provider/resources";
import { logBeside } from "../logBeside";
import { onceKnown } from "../onceKnown";
import { hasHooks } from "./hasHooks";
import type { NodeDrainArgs } from "./nodeDrain";
import { ownStops, type StoppedMachines } from "./stoppedMachines";

/** Machines that are stopped a few at a time, and how they are reached. */
export interface StopTurnsArgs {
  /** Name of the group of machines, for example `talos-apps`. */
  readonly name: string;
  readonly isControlPlane: boolean;
  /** How many of them may be unavailable at the same time. */
  readonly mostAway: number;
  readonly credentials: pulumi.Input<ClientCredentials>;
  readonly drain: NodeDrainArgs;
  /**
   * Control plane machines to ask for access to Kubernetes. Default, for the control plane: those
   * that the machine names, and last the machine itself.
   */
  readonly controlPlanes?: pulumi.Input<string[]>;
  /** The Talos API that forwards to the machines. Default: each is dialled directly. */
  readonly endpoint?: pulumi.Input<string>;
  /** The Talos API that forwards to `controlPlanes`. Default: each is dialled directly. */
  readonly controlPlaneEndpoint?: pulumi.Input<string>;
  /** Whether machines are dialled by their public addresses. */
  readonly isPublic: boolean;
  /** The resource for progress messages. */
  readonly owner: pulumi.Resource;
  /** Knows which of them are stopped already. */
  readonly stopped: StoppedMachines;
}

/** An instance's properties, as hooks receive them. */
type Properties = Readonly<Record<string, unknown>>;

interface StoppedMachine {
  readonly machineName: string;
  readonly instanceId: string;
  readonly fixedAddress: pulumi.Input<string> | undefined;
  readonly instance: Properties;
}

interface KnownArgs {
  readonly credentials: ClientCredentials;
  readonly controlPlanes: readonly string[] | undefined;
  readonly endpoint: string | undefined;
  readonly controlPlaneEndpoint: string | undefined;
}

/**
 * Limits how many machines are stopped at the same time when AWS changes their instances, for
 * example the instance type. Each machine is drained before and must be healthy after. If one
 * fails, the waiting ones are not stopped. The engine calls the hooks in the program's process.
 * Kubernetes records which machines are unavailable, so a run after a killed one continues.
 */
export class StopTurns {
  private readonly stopping = new Set<string>();
  private readonly failure = new AbortController();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly args: StopTurnsArgs) {}

  /**
   * The hooks of one machine's instance; none if the program does not run in an engine, as in unit
   * tests.
   *
   * @param fixedAddress its public address, if that isn't the instance's own
   */
  hooksOf(
    machineName: string,
    fixedAddress?: pulumi.Input<string>,
  ): pulumi.ResourceHookBinding | undefined {
    // A preview stops no machine.
    if (!hasHooks() || pulumi.runtime.isDryRun()) {
      return undefined;
    }
    const before = new pulumi.ResourceHook(
      `${machineName}-drain`,
      async ({ id, oldInputs, newInputs, oldOutputs }) => {
        if (stops(oldInputs, newInputs)) {
          const instance = oldOutputs ?? {};
          await this.begin({ machineName, instanceId: id, fixedAddress, instance });
        }
      },
    );
    const after = new pulumi.ResourceHook(
      `${machineName}-return`,
      async ({ id, oldInputs, newInputs, newOutputs }) => {
        if (stops(oldInputs, newInputs)) {
          const instance = newOutputs ?? {};
          await this.end({ machineName, instanceId: id, fixedAddress, instance });
        }
      },
    );
    const failed = new pulumi.ErrorHook(`${machineName}-failed`, () => {
      this.failure.abort();
      return false;
    });
    return { beforeUpdate: [before], afterUpdate: [after], onError: [failed] };
  }

  /** Runs one after another, so that no two count the same machines. */
  private begin(stopped: StoppedMachine): Promise<void> {
    const turn = this.last.then(async () => {
      const { isControlPlane, stopped: others } = this.args;
      const { instanceId } = stopped;
      if (isControlPlane) {
        await others.refuseStopped();
      } else if (await others.isStopped(instanceId)) {
        // It has no pods to move, and starts with the change.
        return;
      }
      const request = await this.requestOf(stopped);
      await tellingTheEnd(request.progress, "drained, it may be stopped", (progress) =>
        beginStop({ ...request, progress }, this.stopping),
      );
      this.stopping.add(request.privateAddress);
      ownStops.add(instanceId);
    });
    this.last = turn.catch(() => this.failure.abort());
    return turn;
  }

  private async end(stopped: StoppedMachine): Promise<void> {
    const request = await this.requestOf(stopped);
    try {
      await tellingTheEnd(request.progress, "healthy again", (progress) =>
        endStop({ ...request, progress }),
      );
      this.stopping.delete(request.privateAddress);
      ownStops.delete(stopped.instanceId);
    } catch (error) {
      this.failure.abort();
      throw error;
    }
  }

  private async requestOf(stopped: StoppedMachine): Promise<StopRequest> {
    const { machineName, fixedAddress, instance } = stopped;
    const { name, isControlPlane, mostAway, drain, isPublic, owner } = this.args;
    const { credentials, controlPlanes, endpoint, controlPlaneEndpoint } = await this.known();
    const privateAddress = String(instance.privateIp);
    const publicAddress = (await onceKnown(fixedAddress)) ?? String(instance.publicIp);
    const node = isPublic && endpoint === undefined ? publicAddress : privateAddress;
    const machine = { node, endpoint: endpoint ?? node, credentials };
    const text = (line: string) => `${machineName}: ${line}`;
    return {
      machine,
      isControlPlane,
      mostAway,
      reason: `stop of ${name}`,
      privateAddress,
      controlPlanes:
        controlPlanes?.map((address) => ({
          node: address,
          endpoint: controlPlaneEndpoint ?? address,
          credentials,
        })) ?? (await findControlPlanes(machine)),
      whenDown: isControlPlane ? "proceed" : "fail",
      timeoutSeconds: drain.timeoutSeconds ?? DEFAULT_DRAIN_TIMEOUT_SECONDS,
      whenBlocked: drain.whenBlocked ?? "fail",
      signal: this.failure.signal,
      progress: {
        report: (line) => void logBeside(owner, text(line), { ephemeral: true }),
        warn: (line) => void logBeside(owner, text(line), { severity: "warn" }),
      },
    };
  }

  private known(): Promise<KnownArgs> {
    const { credentials, controlPlanes, endpoint, controlPlaneEndpoint } = this.args;
    return onceKnown<KnownArgs>(
      pulumi.output({ credentials, controlPlanes, endpoint, controlPlaneEndpoint }),
    );
  }
}

/** Adds hooks to a machine's options. */
export function withHooks(
  hooks: pulumi.ResourceHookBinding | undefined,
): Pick<pulumi.CustomResourceOptions, "hooks"> {
  return hooks === undefined ? {} : { hooks };
}

/** EC2 changes an instance's type only while it is stopped. Source: the AWS provider v7, `ec2_instance.go`. */
function stops(before: Properties | undefined, after: Properties | undefined): boolean {
  return before?.instanceType !== after?.instanceType;
}
