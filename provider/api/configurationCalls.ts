import type { CallOptions } from "./callOptions";
import { defaultTimeoutMs } from "./callOptions";
import { readKubeconfigArchive } from "./kubeconfigArchive";
import type { OneNode } from "./oneNode";
import { protocol } from "./protocol";
import { redactServerMessage } from "./serverMessage";

/** What is to be applied. */
export interface ApplyRequest {
  /** The machine configuration as YAML. Secret. */
  data: string;
  /**
   * The API's own default is REBOOT, so it is always given. TRY takes the configuration back after
   * `tryTimeoutMs` unless it is applied again in another mode. In maintenance mode AUTO, REBOOT and
   * TRY do the same, the others are refused.
   */
  mode: "AUTO" | "REBOOT" | "NO_REBOOT" | "STAGED" | "TRY";
  /** Default: false. */
  dryRun?: boolean;
  /** Only for TRY. Default: the node's, one minute. */
  tryTimeoutMs?: number;
}

/** What became of it. */
export interface ApplyResult {
  /** What AUTO came to: REBOOT or NO_REBOOT. In maintenance mode always REBOOT, which says nothing. */
  mode: string;
  /** The node's own sentence, without configuration it quotes. */
  modeDetails: string;
  warnings: string[];
}

/** How etcd is bootstrapped. */
export interface BootstrapRequest {
  /** Whether etcd starts from the snapshot that `etcdRecover` gave to the node. Default: false, from nothing. */
  recoverEtcd?: boolean;
  /** For a copy of etcd's own file, which lacks the checksum that a snapshot has. Default: false. */
  recoverSkipHashCheck?: boolean;
}

/** A snapshot is sent at the pace of the machine's disk and network. */
const recoverTimeoutMs = 600_000;

/** What makes a machine a node of its cluster, or is taken from it. Each goes to one node alone. */
export function configurationCalls(node: OneNode) {
  const machine = protocol.machine.MachineService.service;
  return {
    /**
     * Hands the node a machine configuration. A success says that it was accepted, not that the
     * node runs it. `invalidArgument` if Talos finds fault with it.
     */
    applyConfiguration: (request: ApplyRequest, call?: CallOptions) => {
      const { mode, dryRun = false, tryTimeoutMs } = request;
      const data = Buffer.from(request.data, "utf8");
      const timeout =
        tryTimeoutMs === undefined ? {} : { tryModeTimeout: toDuration(tryTimeoutMs) };
      return node.ask(
        machine.ApplyConfiguration,
        { data, mode, dryRun, ...timeout },
        (reply): ApplyResult => ({
          mode: reply.mode,
          modeDetails: redactServerMessage(reply.modeDetails),
          warnings: reply.warnings.map(redactServerMessage),
        }),
        call,
      );
    },

    /**
     * Starts a new etcd cluster on this control plane node.
     *
     * Never repeat it blindly: a second call while etcd starts destroys it for good (Talos v1.12.1),
     * and on another control plane node it makes a second cluster. After a failure look at
     * `services` first. `alreadyExists` if the node has etcd data.
     */
    bootstrap: ({ timeoutMs, signal, ...request }: BootstrapRequest & CallOptions = {}) =>
      node.ask(machine.Bootstrap, request, () => undefined, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(signal === undefined ? {} : { signal }),
      }),

    /**
     * Gives the node a snapshot of etcd, from which `bootstrap` with `recoverEtcd` then starts. One
     * that is cut off is thrown away. `failedPrecondition` until the node is so far. Default
     * deadline: 10 min.
     */
    etcdRecover: (snapshot: AsyncIterable<Uint8Array>, call?: CallOptions) =>
      node.upload(machine.EtcdRecover, toMessages(snapshot), {
        timeoutMs: recoverTimeoutMs,
        ...call,
      }),

    /**
     * A snapshot of etcd in pieces, as it is read. Secret: it holds every secret of Kubernetes.
     * Fails if nothing comes for 15 s, as when etcd has no quorum.
     */
    etcdSnapshot: (call?: CallOptions) =>
      node.follow(
        machine.EtcdSnapshot,
        {},
        () => (message) => (message ? [message.bytes] : []),
        call,
        { silenceMs: defaultTimeoutMs },
      ),

    /**
     * A new administrator's kubeconfig, as YAML. Secret. Control plane nodes answer as soon as they
     * have their configuration: it does not mean that Kubernetes is up.
     */
    kubeconfig: (call?: CallOptions) =>
      node.gather(
        machine.Kubeconfig,
        {},
        (messages) => readKubeconfigArchive(Buffer.concat(messages.map(({ bytes }) => bytes))),
        call,
      ),

    /** What is in a file of the node, by its absolute path. May be secret. `notFound` if there is none. */
    readFile: (path: string, call?: CallOptions) =>
      node.gather(
        machine.Read,
        { path },
        (messages) => Buffer.concat(messages.map(({ bytes }) => bytes)),
        call,
      ),

    /** An id that the kernel makes at each start: another one means that the machine has restarted. */
    bootId: (call?: CallOptions) =>
      node.gather(
        machine.Read,
        { path: "/proc/sys/kernel/random/boot_id" },
        (messages) =>
          Buffer.concat(messages.map(({ bytes }) => bytes))
            .toString("utf8")
            .trim(),
        call,
      ),
  };
}

function toDuration(durationMs: number): { seconds: number; nanos: number } {
  return { seconds: Math.floor(durationMs / 1000), nanos: (durationMs % 1000) * 1e6 };
}

/** How much of a snapshot goes into one message: far below what the API takes, 32 MiB. */
const pieceBytes = 64 * 1024;

async function* toMessages(snapshot: AsyncIterable<Uint8Array>): AsyncGenerator<{ bytes: Buffer }> {
  for await (const chunk of snapshot) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      yield { bytes: Buffer.from(chunk.subarray(start, start + pieceBytes)) };
    }
  }
}
