import type { Deployment } from "@pulumi/pulumi/automation";
import { dependents } from "../dependents";
import { recordedStack } from "../repair/pendingOperations";

const MACHINES: ReadonlySet<string> = new Set([
  "aws:autoscaling/group:Group",
  "aws:ec2/instance:Instance",
]);
/** Its deletion marks the whole cluster as deleted, so no machine is asked to leave etcd. */
const SECRETS = "pulumi-nodejs:dynamic/talos:MachineSecrets";

/**
 * The URNs of a stack's machines, its clusters' secrets, and everything that depends on them. They
 * are deleted first, because running controllers would recreate what is removed. Pure.
 *
 * @returns an empty list without a recorded machine
 */
export function machinesFirst(exported: Deployment): readonly string[] {
  return recordedStack(exported).resources.some(({ type }) => MACHINES.has(type))
    ? [...dependents(exported, ({ type }) => MACHINES.has(type) || type === SECRETS)]
    : [];
}
