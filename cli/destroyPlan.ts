import type { Deployment } from "@pulumi/pulumi/automation";
import { dynamicType, pluginType } from "../provider/engine";
import { readResources } from "./stackResource";

export interface DestroyPlan {
  readonly resources: number;
  /** The most important kinds of resources, with their names, for example `machines`. */
  readonly losses: readonly { readonly what: string; readonly names: readonly string[] }[];
  /** Names of resources that Pulumi refuses to delete, or EC2. */
  readonly protectedNames: readonly string[];
}

/** Kinds of losses to report, the gravest first, by type. */
const LOSSES = [
  [dynamicType("MachineSecrets"), "the cluster's certificate authorities"],
  [pluginType("MachineSecrets"), "the cluster's certificate authorities"],
  ["aws:ec2/instance:Instance", "machines and the data on their disks"],
  ["aws:autoscaling/group:Group", "groups of machines"],
  ["aws:ebs/volume:Volume", "volumes"],
  ["kubernetes:helm.sh/v3:Release", "Helm releases"],
  ["aws:lb/loadBalancer:LoadBalancer", "load balancers"],
  ["aws:s3/bucket:Bucket", "buckets"],
  ["aws:s3/bucketV2:BucketV2", "buckets"],
  ["aws:route53/zone:Zone", "hosted zones"],
  ["aws:ec2/vpc:Vpc", "networks"],
] as const;

export function destroyPlan(deployment: Deployment): DestroyPlan {
  const all = readResources(deployment);
  const resources = all.filter(({ isComponent }) => !isComponent);
  const losses = LOSSES.map(([type, what]) => ({
    what,
    names: resources.filter((each) => each.type === type).map(({ name }) => name),
  })).filter(({ names }) => names.length > 0);
  return {
    resources: resources.length,
    losses,
    protectedNames: all
      // Earlier releases protected such machines only in EC2.
      .filter(({ isProtected, inputs }) => isProtected || inputs.disableApiTermination === true)
      .map(({ name }) => name),
  };
}
