import type { Deployment } from "@pulumi/pulumi/automation";
import { dependents } from "../dependents";
import { recordedStack } from "../repair/pendingOperations";

const MACHINES: ReadonlySet<string> = new Set([
  "aws:autoscaling/group:Group",
  "aws:ec2/instance:Instance",
]);
/** With which the cluster goes as a whole, so that no machine is asked to leave etcd. */
const SECRETS = "pulumi-nodejs:dynamic/talos:MachineSecrets";

/**
 * The URNs of a stack's machines, its clusters' secrets, and all that depends on either: what has to go
 * first, since controllers that still run make anew what is removed. Pure.
 *
 * @returns nothing when no machine is recorded
 */
export function machinesFirst(exported: Deployment): readonly string[] {
  return recordedStack(exported).resources.some(({ type }) => MACHINES.has(type))
    ? [...dependents(exported, ({ type }) => MACHINES.has(type) || type === SECRETS)]
    : [];
}
