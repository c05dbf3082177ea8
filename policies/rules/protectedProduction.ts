import { isUnknown, property } from "../property";
import type { JudgedResource, ResourceRule } from "../rule";

/** What a cluster can't be made again without; volumes and machines of pools are not among it. */
const PROTECTED: readonly string[] = [
  "pulumi-nodejs:dynamic/talos:MachineSecrets",
  "aws:lb/loadBalancer:LoadBalancer",
  "aws:ec2/vpc:Vpc",
  "aws:route53/zone:Zone",
];

/** Which stacks are production, unless somebody says else: those that are called so. */
export function isProductionStack(stack: string): boolean {
  return /(^|[-_.])prod(uction)?([-_.]|$)/.test(stack);
}

/**
 * In production nothing goes by accident that the cluster can't be made again without.
 *
 * @param isProduction whether a stack of this name is production
 */
export function protectedProduction(isProduction: (stack: string) => boolean): ResourceRule {
  return {
    name: "protected-production",
    description: "In production Pulumi and AWS refuse to delete what can't be made again",
    judge: (resource) => (isProduction(stackOf(resource)) ? unguarded(resource) : []),
  };
}

function unguarded({ urn, type, inputs, isProtected }: JudgedResource): readonly string[] {
  // Members of etcd; workers come and go.
  const isControlPlane = urn.includes("talos-aws:index:ControlPlane$aws:ec2/instance:Instance::");
  const lacks = (name: string) => !isUnknown(inputs, name) && property(inputs, name) !== true;
  return [
    ...((isControlPlane || PROTECTED.includes(type)) && !isProtected
      ? ['Pulumi would delete or replace it without asking: set the option "protect" to true']
      : []),
    ...(isControlPlane && lacks("disableApiTermination")
      ? ['EC2 would terminate it at one call: set "disableApiTermination" to true']
      : []),
    ...(type === "aws:lb/loadBalancer:LoadBalancer" && lacks("enableDeletionProtection")
      ? ['AWS would delete it at one call: set "enableDeletionProtection" to true']
      : []),
  ];
}

function stackOf({ urn }: JudgedResource): string {
  return /^urn:pulumi:([^:]*)::/.exec(urn)?.[1] ?? "";
}
