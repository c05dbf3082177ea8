import * as pulumi from "@pulumi/pulumi";
import type { ClientCredentials } from "../../provider";
import { beginStop, endStop, type StopRequest } from "../../provider/lifecycle/stopTurn";
import { DEFAULT_DRAIN_TIMEOUT_SECONDS } from "../../provider/resources/applyDrain";
import type { NodeDrainArgs } from "./nodeDrain";

/** Machines that take turns when their instances are stopped, and how they are reached. */
export interface StopTurnsArgs {
  /** Name of the machines together, for example `talos-apps`. */
  readonly name: string;
  readonly isControlPlane: boolean;
  /** How many of them may be away at the same time. */
  readonly mostAway: number;
  readonly credentials: pulumi.Input<ClientCredentials>;
  readonly drain: NodeDrainArgs;
  /** Control plane machines that are asked for Kubernetes. Default: the machine itself. */
  readonly controlPlanes?: pulumi.Input<string[]>;
  /** The Talos API that forwards to the machines. Default: each is dialled. */
  readonly endpoint?: pulumi.Input<string>;
  /** The Talos API that forwards to `controlPlanes`. Default: each is dialled. */
  readonly controlPlaneEndpoint?: pulumi.Input<string>;
  /** Whether machines are dialled by their public addresses. */
  readonly isPublic: boolean;
  /** Beside which progress is shown. */
  readonly owner: pulumi.Resource;
}

/** Properties of an instance, as hooks are given them. */
type Properties = Readonly<Record<string, unknown>>;

/** A machine that is stopped, or was. */
interface StoppedMachine {
  readonly machineName: string;
  readonly fixedAddress: pulumi.Input<string> | undefined;
  readonly instance: Properties;
}

/** What of the arguments is known when a hook runs. */
interface KnownArgs {
  readonly credentials: ClientCredentials;
  readonly controlPlanes: readonly string[] | undefined;
  readonly endpoint: string | undefined;
  readonly controlPlaneEndpoint: string | undefined;
}

/**
 * The turns of machines whose instances AWS stops and starts for a change, as for another instance type: as many
 * at the same time as may be away, each drained before and well again after. One that fails ends the turns of
 * those that wait. The engine calls hooks in the program's process; who is away stands in Kubernetes, so a run
 * that was killed is gone on with.
 */
export class StopTurns {
  private readonly stopping = new Set<string>();
  private readonly failure = new AbortController();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly args: StopTurnsArgs) {}

  /**
   * The hooks of one machine's instance; none where a program is only looked at, as in unit tests.
   *
   * @param fixedAddress its public address, where that isn't the instance's own
   */
  hooksOf(
    machineName: string,
    fixedAddress?: pulumi.Input<string>,
  ): pulumi.ResourceHookBinding | undefined {
    if (!hasHooks()) {
      return undefined;
    }
    const before = new pulumi.ResourceHook(
      `${machineName}-drain`,
      async ({ oldInputs, newInputs, oldOutputs }) => {
        if (stops(oldInputs, newInputs)) {
          await this.begin({ machineName, fixedAddress, instance: oldOutputs ?? {} });
        }
      },
    );
    const after = new pulumi.ResourceHook(
      `${machineName}-return`,
      async ({ oldInputs, newInputs, newOutputs }) => {
        if (stops(oldInputs, newInputs)) {
          await this.end({ machineName, fixedAddress, instance: newOutputs ?? {} });
        }
      },
    );
    const failed = new pulumi.ErrorHook(`${machineName}-failed`, () => {
      this.failure.abort();
      return false;
    });
    return { beforeUpdate: [before], afterUpdate: [after], onError: [failed] };
  }

  /** One after the other, so that no two count the same machines. */
  private begin(stopped: StoppedMachine): Promise<void> {
    const turn = this.last.then(async () => {
      const request = await this.requestOf(stopped);
      await beginStop(request, this.stopping);
      this.stopping.add(request.privateAddress);
    });
    this.last = turn.catch(() => this.failure.abort());
    return turn;
  }

  private async end(stopped: StoppedMachine): Promise<void> {
    const request = await this.requestOf(stopped);
    try {
      await endStop(request);
      this.stopping.delete(request.privateAddress);
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
    const publicAddress = (await valueOf(fixedAddress)) ?? String(instance.publicIp);
    const node = isPublic && endpoint === undefined ? publicAddress : privateAddress;
    const machine = { node, endpoint: endpoint ?? node, credentials };
    const text = (line: string) => `${machineName}: ${line}`;
    return {
      machine,
      isControlPlane,
      mostAway,
      reason: `stop of ${name}`,
      privateAddress,
      controlPlanes: controlPlanes?.map((address) => ({
        node: address,
        endpoint: controlPlaneEndpoint ?? address,
        credentials,
      })) ?? [machine],
      timeoutSeconds: drain.timeoutSeconds ?? DEFAULT_DRAIN_TIMEOUT_SECONDS,
      whenBlocked: drain.whenBlocked ?? "fail",
      signal: this.failure.signal,
      progress: {
        report: (line) => void pulumi.log.info(text(line), owner, undefined, true),
        warn: (line) => void pulumi.log.warn(text(line), owner),
      },
    };
  }

  private known(): Promise<KnownArgs> {
    const { credentials, controlPlanes, endpoint, controlPlaneEndpoint } = this.args;
    return valueOf<KnownArgs>(
      pulumi.output({ credentials, controlPlanes, endpoint, controlPlaneEndpoint }),
    );
  }
}

/** What an input is, once it is known. */
function valueOf<Value>(input: pulumi.Input<Value>): Promise<Value> {
  return new Promise((resolve) => {
    pulumi.output(input).apply((value) => resolve(value as Value));
  });
}

/** A machine's options with its hooks. */
export function withHooks(
  hooks: pulumi.ResourceHookBinding | undefined,
): Pick<pulumi.CustomResourceOptions, "hooks"> {
  return hooks === undefined ? {} : { hooks };
}

/** EC2 changes an instance's type only while it is stopped. Source: the AWS provider v7, `ec2_instance.go`. */
function stops(before: Properties | undefined, after: Properties | undefined): boolean {
  return before?.instanceType !== after?.instanceType;
}

/** Pulumi's mocks have no hooks, and a preview runs none. */
function hasHooks(): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return !pulumi.runtime.isDryRun() && monitor !== undefined && "registerResourceHook" in monitor;
}
