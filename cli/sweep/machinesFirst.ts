import type { Deployment } from "@pulumi/pulumi/automation";
import { recordedStack, type WrittenResource } from "../repair/pendingOperations";
import { providerUrn } from "./providerUrn";

const MACHINES: ReadonlySet<string> = new Set([
  "aws:autoscaling/group:Group",
  "aws:ec2/instance:Instance",
]);
/** With which the cluster goes as a whole, so that no machine is asked to leave etcd. */
const SECRETS = "pulumi-nodejs:dynamic/talos:MachineSecrets";

interface Dependent extends WrittenResource {
  readonly parent?: string;
  readonly dependencies?: readonly string[] | null;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>> | null;
  readonly deletedWith?: string;
}

/**
 * The URNs of a stack's machines, its clusters' secrets, and all that depends on either: what has to go
 * first, since controllers that still run make anew what is removed. Pure.
 *
 * @returns nothing when no machine is recorded
 */
export function machinesFirst(exported: Deployment): readonly string[] {
  const resources = recordedStack(exported).resources as readonly Dependent[];
  if (!resources.some(({ type }) => MACHINES.has(type))) {
    return [];
  }
  const goes = new Set(
    resources.filter(({ type }) => MACHINES.has(type) || type === SECRETS).map(({ urn }) => urn),
  );
  let before = 0;
  while (goes.size > before) {
    before = goes.size;
    for (const each of resources) {
      if (needs(each).some((urn) => goes.has(urn))) {
        goes.add(each.urn);
      }
    }
  }
  return [...goes];
}

function needs({
  parent = "",
  provider = "",
  deletedWith = "",
  dependencies,
  propertyDependencies,
}: Dependent): readonly string[] {
  const ofProperties = Object.values(propertyDependencies ?? {}).flatMap((urns) => urns ?? []);
  return [
    ...[parent, providerUrn(provider), deletedWith],
    ...(dependencies ?? []),
    ...ofProperties,
  ];
}
