import { dynamicType, pluginType } from "../../provider/engine";
import { isUnknown, property } from "../property";
import type { JudgedResource, ResourceRule } from "../rule";

/**
 * Resources without which a cluster can't be recreated. Volumes and machines of pools are not among
 * them.
 */
const PROTECTED: readonly string[] = [
  dynamicType("MachineSecrets"),
  pluginType("MachineSecrets"),
  "aws:lb/loadBalancer:LoadBalancer",
  "aws:ec2/vpc:Vpc",
  "aws:route53/zone:Zone",
];

/** The default for production stacks: a part of the name says so. */
export function isProductionStack(stack: string): boolean {
  return /(^|[-_.])prod(uction)?([-_.]|$)/.test(stack);
}

/**
 * In production, resources without which the cluster can't be recreated are protected from
 * accidental deletion.
 *
 * @param isProduction whether a stack with this name is production
 */
export function protectedProduction(isProduction: (stack: string) => boolean): ResourceRule {
  return {
    name: "protected-production",
    description: "In production, Pulumi and AWS refuse to delete resources that can't be recreated",
    judge: (resource) => (isProduction(stackOf(resource)) ? unguarded(resource) : []),
  };
}

function unguarded({ urn, type, inputs, isProtected }: JudgedResource): readonly string[] {
  // Control planes are members of etcd; workers are replaceable.
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
