import * as pulumi from "@pulumi/pulumi";
import type { KarpenterPoolArgs } from "./karpenterPoolArgs";

/** What a preview tells the cost of a pool by. */
export interface KarpenterWorkerPoolArgs {
  readonly karpenter: KarpenterPoolArgs;
  /** The volumes of each machine, in GiB. */
  readonly volumesGib: number;
  readonly publicAddresses: boolean;
}

/** A pool of Karpenter in the stack's tree. It has no machine: those are Karpenter's, and in no state. */
export class KarpenterWorkerPool extends pulumi.ComponentResource {
  constructor(name: string, args: KarpenterWorkerPoolArgs, opts: pulumi.ComponentResourceOptions) {
    super("talos-aws:index:KarpenterWorkerPool", name, args, opts);
    this.registerOutputs({});
  }
}
