import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { messageOfError } from "../base/messageOfError";
import { checkTimeout } from "../engine/checkTimeout";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { bootstrapEtcd } from "../lifecycle/etcd/bootstrapEtcd";
import { checkEtcdSnapshotFile, type EtcdSnapshotFile } from "../lifecycle/etcd/etcdSnapshotFile";
import type { ClientCredentials } from "../pki/clientCredentials";
import type { BegunRestore, DoneRestore } from "./restoreRecord";

/** Arguments of `MachineBootstrap`. */
export interface MachineBootstrapArgs {
  /** Address of the control plane machine whose etcd is the cluster's first member. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * Addresses of the cluster's other control plane machines. If one of them runs etcd, nothing is
   * bootstrapped. Default: those that the machine has discovered.
   */
  readonly peers?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * A snapshot from which etcd starts, of a cluster with the same secrets: to recover a lost etcd,
   * or to move one. The preview of the bootstrap checks it, and only the bootstrap uses it. A later
   * change has no effect, and the file may be deleted. Default: none.
   */
  readonly recoverFrom?: pulumi.Input<EtcdSnapshotFile>;
  /** How long to wait until etcd is healthy. Seconds. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `MachineBootstrap` is registered. */
export const machineBootstrapKind: TalosKind<MachineBootstrapArgs> = {
  name: "MachineBootstrap",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: pulumi.secret(args.credentials),
    peers: args.peers ?? [],
    timeoutSeconds: args.timeoutSeconds ?? 600,
    // The engine's plugin may run in another working folder than the program.
    recoverFrom: args.recoverFrom && pulumi.output(args.recoverFrom).apply(withFullPath),
  }),
};

/**
 * The single bootstrap of a cluster: etcd is up and healthy on its first machine. It can't be
 * undone, so later changes of inputs and a delete have no effect. A restore by `talos-aws restore`
 * is recorded here, and every `up` continues it.
 */
export class MachineBootstrap extends TalosResource {
  /** The machine that was bootstrapped. */
  declare readonly node: pulumi.Output<string>;

  constructor(name: string, args: MachineBootstrapArgs, opts?: pulumi.CustomResourceOptions) {
    super(machineBootstrapKind, name, args, opts);
  }
}

function withFullPath(file: EtcdSnapshotFile): EtcdSnapshotFile {
  return typeof file.path === "string" && file.path !== ""
    ? { ...file, path: resolve(file.path) }
    : file;
}

interface Inputs {
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly peers: readonly string[];
  readonly timeoutSeconds: number;
  readonly recoverFrom?: EtcdSnapshotFile;
}

interface State {
  readonly node: string;
  readonly restoring?: BegunRestore;
  readonly restored?: DoneRestore;
}

/** Checks, creates, reads, updates and deletes `MachineBootstrap`. */
export const machineBootstrapHandler: Handler<Inputs, State> = {
  achieved: { create: "etcd is up and healthy", update: "etcd is up and healthy" },

  async check(olds, news) {
    const isNew = olds === undefined;
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...(isNew ? await checkEtcdSnapshotFile(news.recoverFrom) : []),
    ];
    return { inputs: news, failures };
  },

  diff(_id, { restoring }) {
    return { changes: restoring !== undefined };
  },

  async create(inputs, progress) {
    const deadline = clock.now() + inputs.timeoutSeconds * 1_000;
    await bootstrapEtcd(inputs, inputs, deadline, progress);
    return { id: inputs.node, state: { node: inputs.node } };
  },

  async update(_id, state, news, progress) {
    const { restoring } = state;
    if (restoring === undefined) {
      return state;
    }
    const { path, sha256, skipHashCheck, at, phase } = restoring;
    if (phase === "wiping") {
      throw new Error(
        `a restore from "${path}" began on ${at}, and machines may still hold the old etcd: continue it with "talos-aws restore <stack> --from <file>"`,
      );
    }
    const deadline = clock.now() + news.timeoutSeconds * 1_000;
    const recoverFrom = { path, skipHashCheck };
    try {
      await bootstrapEtcd(news, { peers: news.peers, recoverFrom, sha256 }, deadline, progress);
    } catch (error) {
      throw new Error(
        `the restore that began on ${at} is not complete: ${messageOfError(error)}. Run "talos-aws restore <stack> --from ${path}" to continue, on a computer that has the snapshot`,
        { cause: error },
      );
    }
    return { node: news.node, restored: { sha256, at } };
  },
};
