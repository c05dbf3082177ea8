import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { messageOfError } from "../base/messageOfError";
import type { Progress } from "../base/progress";
import { isUnknown } from "../base/unknown";
import { checkTimeout } from "../engine/checkTimeout";
import { type Handler, PartialUpdateError } from "../engine/handler";
import { deletesCluster } from "../engine/onDestroy";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { awaitVoter } from "../lifecycle/etcd/awaitVoter";
import { EtcdMajorityLostError } from "../lifecycle/etcd/etcdMajority";
import { leaveEtcd } from "../lifecycle/etcd/leaveEtcd";
import { LeavingNode } from "../lifecycle/kubernetes/leavingNode";
import { takeOverFrom } from "../lifecycle/leaving/takeOverFrom";
import type { EtcdMachine, Machine } from "../lifecycle/machine";
import { latestCredentials, mustRecordAgain } from "../lifecycle/rotation/renewedCredentials";
import type { ClientCredentials } from "../pki/clientCredentials";
import { compactCredentials } from "../pki/compactCredentials";
import {
  checkDrain,
  type Drain,
  type DrainArgs,
  drainRequest,
  isOtherDrain,
} from "./configurationApply/applyDrain";

/** Arguments of `EtcdMember`. */
export interface EtcdMemberArgs {
  /** The machine's EC2 instance id. Another id means that another machine replaces it. */
  readonly machineId: pulumi.Input<string>;
  /** Address of the machine. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * The machine's address inside the network, by which etcd knows it. The member of a machine that
   * doesn't answer is found by it. Default: `node`; a silent machine that etcd knows by another
   * address is not removed.
   */
  readonly privateAddress?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. They are stored, encrypted, for the delete. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * Addresses of control plane machines that stay when this one is deleted. They are asked if it
   * doesn't answer. `TalosCluster` passes the machines before it, because those are deleted after
   * it. Default: none.
   */
  readonly peers?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * How the machine's node is drained before its member leaves etcd. The node is then removed from
   * Kubernetes. Other control plane machines are asked for that. Default: undefined, the node is
   * left alone.
   */
  readonly drain?: pulumi.Input<Omit<DrainArgs, "controlPlanes" | "endpoint" | "removeNode">>;
  /**
   * The stage of the Talos CA's rotation. A new one records the credentials again. Default: none.
   */
  readonly rotation?: pulumi.Input<string> | undefined;
  /** How long to wait for etcd. Seconds. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `EtcdMember` is registered. */
export const etcdMemberKind: TalosKind<EtcdMemberArgs> = {
  name: "EtcdMember",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    machineId: args.machineId,
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    privateAddress: args.privateAddress,
    credentials: pulumi.secret(args.credentials),
    peers: args.peers ?? [],
    drain: args.drain,
    ...(args.rotation !== undefined && { rotation: args.rotation }),
    timeoutSeconds: args.timeoutSeconds ?? 600,
  }),
};

/**
 * The etcd member of a control plane machine: one resource per place in the control plane. A
 * replacement of the machine is an update.
 * - Create: it records the machine and waits for nothing.
 * - Update to another machine: a former machine that is silent for 30 s, from here and from other
 *   members, is removed from etcd. Then the new machine must become a healthy, voting member. Then
 *   the former one leaves. An interrupted update continues. One that failed and is followed by
 *   another machine, or by the former one again, makes each that it left behind leave.
 * - Delete: the machine leaves etcd. If it is silent for 30 s, a peer removes its member. The last
 *   member stays. If no peer answers, the delete fails and says what to do. A machine that keeps
 *   running joins again at its next boot: terminate it, or reset it with `onDestroy` of its
 *   `ConfigurationApply`. Until then, `ClusterHealth`, a refresh and `talos-aws status` warn.
 *
 * Set `dependsOn` to the machine's `ConfigurationApply`, and let the next machine's apply depend on
 * this resource: members then join and leave one after another. With `deletedWith` of the cluster's
 * `MachineSecrets`, no member leaves when the whole cluster is destroyed. The same holds for
 * `talos-aws destroy`. Otherwise `pulumi destroy` makes each machine leave, which fails once
 * machines are gone.
 */
export class EtcdMember extends TalosResource {
  declare readonly machineId: pulumi.Output<string>;

  constructor(name: string, args: EtcdMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(etcdMemberKind, name, args, opts);
  }
}

interface Inputs extends EtcdMachine {
  readonly peers: readonly string[];
  /** Absent in older releases' states. */
  readonly drain?: Drain | undefined;
  readonly rotation?: string;
  readonly timeoutSeconds: number;
}

/** Its credentials are compact. */
interface State extends Inputs {
  /**
   * Machines that held the place before, and may still be in etcd: their replacement was not
   * finished. They leave in the next update, whichever machine then holds the place.
   */
  readonly leaving?: readonly EtcdMachine[];
}

/**
 * Inputs that the engine doesn't compare: the state has its own form of them, or they only affect an
 * update.
 */
const transient = ["credentials", "drain", "timeoutSeconds"] as const;

/** How long a machine must be silent to count as gone. */
const GONE_MS = 30_000;

/** Checks, creates, reads, updates and deletes `EtcdMember`. */
export const etcdMemberHandler: Handler<Inputs, State> = {
  achieved: { update: "votes in etcd", delete: "out of etcd" },

  transient,

  check(_olds, news) {
    const failures = [...checkTimeout(news.timeoutSeconds), ...checkDrain(news.drain)];
    return Promise.resolve({ inputs: { ...news, drain: news.drain }, failures });
  },

  diff(_id, state, news) {
    const places = ["machineId", "node", "endpoint", "privateAddress"] as const;
    const compared = [...places, "peers", "rotation"] as const;
    // A refresh passes no drain.
    const isDrainKnown = Object.hasOwn(news, "drain");
    return {
      changes:
        mustRecordAgain(state.credentials, news.credentials) ||
        state.leaving !== undefined ||
        (isDrainKnown && isOtherDrain(state.drain, news.drain)) ||
        compared.some(
          (name) => isUnknown(news[name]) || !isDeepStrictEqual(news[name], state[name]),
        ),
    };
  },

  create(inputs) {
    return Promise.resolve({ id: "member", state: stateOf(inputs) });
  },

  async update(id, state, news, progress) {
    const { leaving = [] } = state;
    const formers = [placeOf(state), ...leaving].filter(
      ({ machineId }) => machineId !== news.machineId,
    );
    try {
      for (const former of formers) {
        await replaceMember({ ...former, credentials: news.credentials }, news, GONE_MS, progress);
      }
    } catch (error) {
      // The new machine may be a member already, also if the next program wants another one.
      const message = messageOfError(error);
      const reached = { ...stateOf(news), leaving: formers.map(placeOf) };
      throw new PartialUpdateError(message, id, reached, { cause: error });
    }
    return stateOf(news);
  },

  async delete(_id, state, progress) {
    if (deletesCluster()) {
      return;
    }
    const { leaving = [] } = state;
    const credentials = latestCredentials(state.credentials);
    for (const machine of [...leaving, placeOf(state)]) {
      await removeMember({ ...state, ...machine, credentials }, GONE_MS, progress);
    }
  },
};

/**
 * Replaces a machine in etcd by another one.
 *
 * @param recorded the former machine
 * @param goneMs how long the former machine must be silent to count as gone
 * @throws Error if that does not succeed in time, with what to do
 */
export async function replaceMember(
  recorded: EtcdMachine,
  news: Inputs,
  goneMs: number,
  progress: Progress,
): Promise<void> {
  const deadline = clock.now() + news.timeoutSeconds * 1_000;
  const others = peersOf(news);
  const former = besides(news, recorded);
  // A new machine with the former's address has its member name, so Talos itself replaces the
  // member.
  const isSamePlace = addressOf(former) === addressOf(news);
  const leaving = leavingOf(former, [news, ...others], news.drain, progress);
  try {
    const predecessor = isSamePlace
      ? "gone"
      : await takeOverFrom(former, news, others, deadline, progress, goneMs);
    await awaitVoter(news, deadline, progress);
    if (predecessor === "there") {
      await leaving?.drain();
      await leaveEtcd(former, [news, ...others], deadline, progress, goneMs);
    }
    if (!isSamePlace) {
      await leaving?.remove();
    }
  } catch (error) {
    await leaving?.keep();
    if (error instanceof EtcdMajorityLostError) {
      throw error;
    }
    throw new Error(
      `machine ${news.node} did not take the place of ${former.node} in etcd: ${messageOfError(error)}. Run the command again to continue. Remove the member of a lost machine with "talosctl -n ${news.node} etcd remove-member"`,
      { cause: error },
    );
  }
}

/**
 * Removes a machine from etcd.
 *
 * @param goneMs how long it must be silent to count as gone
 * @throws Error if it can't be removed, with what to do
 */
export async function removeMember(
  state: State,
  goneMs: number,
  progress: Progress,
): Promise<void> {
  const deadline = clock.now() + state.timeoutSeconds * 1_000;
  const leaving = leavingOf(state, peersOf(state), state.drain, progress);
  try {
    await leaving?.drain();
    await leaveEtcd(state, peersOf(state), deadline, progress, goneMs);
    await leaving?.remove();
  } catch (error) {
    await leaving?.keep();
    const { node, machineId } = state;
    throw new Error(
      `machine ${node} (${machineId}), in etcd ${addressOf(state)}, was not removed from etcd: ${messageOfError(error)}. If the machine is lost, remove its member with "talosctl -n <another control plane machine> etcd remove-member"; if that is done, or the whole cluster is gone, run "pulumi state delete" with the URN of this EtcdMember, then the command again`,
      { cause: error },
    );
  }
}

/**
 * The node of a machine that leaves; undefined without a drain, or without a remaining machine to
 * ask.
 */
function leavingOf(
  machine: EtcdMachine,
  staying: readonly Machine[],
  drain: Drain | undefined,
  progress: Progress,
): LeavingNode | undefined {
  return drain === undefined || staying.length === 0
    ? undefined
    : new LeavingNode(machine, drainRequest(machine, staying, drain, progress));
}

function peersOf({ node, endpoint, credentials, peers }: Inputs): Machine[] {
  return peers.map((peer) => ({
    node: peer,
    endpoint: endpoint === node ? peer : endpoint,
    credentials,
  }));
}

/**
 * A former machine as it is reached beside its successor. EC2 gives an address to one machine at a time: if the
 * successor has it, the former one is reached only through the successor.
 */
function besides(successor: Machine, former: EtcdMachine): EtcdMachine {
  return former.node === successor.node
    ? { ...former, node: addressOf(former), endpoint: successor.endpoint }
    : former;
}

/** The machine that holds a place, without how the place changes. */
function placeOf({
  machineId,
  node,
  endpoint,
  privateAddress,
  credentials,
}: EtcdMachine): EtcdMachine {
  return {
    machineId,
    node,
    endpoint,
    ...(privateAddress !== undefined && { privateAddress }),
    credentials: compactCredentials(credentials),
  };
}

function addressOf({ node, privateAddress }: EtcdMachine): string {
  return privateAddress ?? node;
}

function stateOf(inputs: Inputs): State {
  const { machineId, node, endpoint, privateAddress, peers } = inputs;
  const { drain, rotation, timeoutSeconds } = inputs;
  const credentials: ClientCredentials = compactCredentials(inputs.credentials);
  return {
    machineId,
    node,
    endpoint,
    ...(privateAddress !== undefined && { privateAddress }),
    credentials,
    peers,
    ...(drain && { drain }),
    ...(rotation !== undefined && { rotation }),
    timeoutSeconds,
  };
}
