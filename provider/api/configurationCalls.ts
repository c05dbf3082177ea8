import type { CallOptions } from "./callOptions";
import { defaultTimeoutMs } from "./callOptions";
import { readKubeconfigArchive } from "./kubeconfigArchive";
import type { OneNode } from "./oneNode";
import { protocol } from "./protocol";
import { redactServerMessage } from "./serverMessage";

/** A configuration to apply. */
export interface ApplyRequest {
  /** The machine configuration as YAML. Secret. */
  data: string;
  /**
   * Always given, because the API's own default is REBOOT. TRY reverts the configuration after
   * `tryTimeoutMs`, unless it is applied again in another mode. In maintenance mode AUTO and REBOOT
   * do the same. To Talos v1.12, TRY does so too there, and the others are refused.
   */
  mode: "AUTO" | "REBOOT" | "NO_REBOOT" | "STAGED" | "TRY";
  /** Default: false. */
  dryRun?: boolean;
  /** Only for TRY. Default: the node's, one minute. */
  tryTimeoutMs?: number;
}

/** The result of applying a configuration. */
export interface ApplyResult {
  /**
   * The mode that AUTO selected: REBOOT or NO_REBOOT. In maintenance mode of Talos v1.12 and older it is always
   * REBOOT, which has no meaning there.
   */
  mode: string;
  /** The node's own text, without the configuration that it quotes. */
  modeDetails: string;
  warnings: string[];
}

/** Options of a bootstrap. */
export interface BootstrapRequest {
  /**
   * Whether etcd starts from the snapshot that `etcdRecover` sent to the node. Default: false, with
   * empty data.
   */
  recoverEtcd?: boolean;
  /**
   * Set it for a copy of etcd's own file, which lacks the checksum of a snapshot. Default: false.
   */
  recoverSkipHashCheck?: boolean;
}

/** The transfer of a snapshot depends on the machine's disk and network. */
const RECOVER_TIMEOUT_MS = 600_000;

/** Calls that change a machine's place in its cluster. Each goes to a single node. */
export function configurationCalls(node: OneNode) {
  const machine = protocol.machine.MachineService.service;
  return {
    /**
     * Gives the node a machine configuration. Success means that the node accepted it, not that it
     * runs it. `invalidArgument` if Talos finds an error in it.
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
     * Do not repeat it without a check: a second call while etcd starts destroys it (Talos
     * v1.12.1), and on another control plane node it creates a second cluster. After a failure,
     * check `services` first. `alreadyExists` if the node has etcd data.
     */
    bootstrap: ({ timeoutMs, signal, ...request }: BootstrapRequest & CallOptions = {}) =>
      node.ask(machine.Bootstrap, request, () => undefined, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(signal === undefined ? {} : { signal }),
      }),

    /**
     * Sends the node a snapshot of etcd, from which `bootstrap` with `recoverEtcd` starts. The node
     * discards an incomplete one. `failedPrecondition` until the node is ready for it. Default
     * deadline: 10 min.
     */
    etcdRecover: (snapshot: AsyncIterable<Uint8Array>, call?: CallOptions) =>
      node.upload(machine.EtcdRecover, toMessages(snapshot), {
        timeoutMs: RECOVER_TIMEOUT_MS,
        ...call,
      }),

    /**
     * A snapshot of etcd as a stream. Secret: it contains every secret of Kubernetes. Fails if
     * nothing arrives for 15 s, for example when etcd has no quorum.
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
     * have their configuration, so an answer doesn't mean that Kubernetes is up.
     */
    kubeconfig: (call?: CallOptions) =>
      node.gather(
        machine.Kubeconfig,
        {},
        (messages) => readKubeconfigArchive(bytesOf(messages)),
        call,
      ),

    /**
     * The content of a file on the node, by its absolute path. May be secret. `notFound` if it does
     * not exist.
     */
    readFile: (path: string, call?: CallOptions) =>
      node.gather(machine.Read, { path }, bytesOf, call),

    /**
     * The id that the kernel creates at each boot. Another id means that the machine has restarted.
     */
    bootId: (call?: CallOptions) =>
      node.gather(
        machine.Read,
        { path: "/proc/sys/kernel/random/boot_id" },
        (messages) => bytesOf(messages).toString("utf8").trim(),
        call,
      ),
  };
}

function bytesOf(messages: readonly { readonly bytes: Buffer }[]): Buffer {
  return Buffer.concat(messages.map(({ bytes }) => bytes));
}

function toDuration(durationMs: number): { seconds: number; nanos: number } {
  return { seconds: Math.floor(durationMs / 1000), nanos: (durationMs % 1000) * 1e6 };
}

/** The size of a snapshot's messages, far below the API's limit of 32 MiB. */
const PIECE_BYTES = 64 * 1024;

async function* toMessages(snapshot: AsyncIterable<Uint8Array>): AsyncGenerator<{ bytes: Buffer }> {
  for await (const chunk of snapshot) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      yield { bytes: Buffer.from(chunk.subarray(start, start + PIECE_BYTES)) };
    }
  }
}
