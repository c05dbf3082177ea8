import type { Deployment } from "@pulumi/pulumi/automation";
import { type WrittenResource, providerUrn, recordedStack } from "../repair/pendingOperations";
import type { FoundKind, FoundRule } from "./found";
import type { Sweep } from "./planSweep";

const TYPES: Readonly<Record<FoundKind, string>> = {
  machine: "aws:ec2/instance:Instance",
  classicLoadBalancer: "aws:elb/loadBalancer:LoadBalancer",
  loadBalancer: "aws:lb/loadBalancer:LoadBalancer",
  targetGroup: "aws:lb/targetGroup:TargetGroup",
  securityGroup: "aws:ec2/securityGroup:SecurityGroup",
  volume: "aws:ebs/volume:Volume",
  snapshot: "aws:ebs/snapshot:Snapshot",
};

/** Earlier kinds are deleted later, so nothing is deleted while another resource needs it. */
const FIRST_TO_LAST = [
  ["snapshot", "volume", "securityGroup", "targetGroup"],
  ["rule"],
  ["machine", "loadBalancer", "classicLoadBalancer"],
] as const;

/**
 * A state with all resources to remove and the AWS providers of the stack. Its destroy deletes them
 * in the order that AWS requires. Pure.
 *
 * @param exported the stack, with its secrets in clear
 * @param withData whether volumes and snapshots are removed
 */
export function sweepState(
  exported: Deployment,
  sweeps: readonly Sweep[],
  { withData }: { readonly withData: boolean },
): Deployment {
  const used = new Set(sweeps.map(({ cluster }) => providerUrn(cluster.provider)));
  const providers = recordedStack(exported)
    .resources.filter(({ urn, delete: isOld }) => used.has(urn) && isOld !== true)
    .map(({ urn, type, id, inputs, outputs }) => ({
      urn,
      custom: true,
      type,
      id,
      inputs,
      outputs,
    }));
  const resources = sweeps.flatMap((sweep) => toDelete(sweep, withData));
  const { manifest, secrets_providers } = (exported.deployment ?? {}) as Record<string, unknown>;
  return {
    ...exported,
    deployment: { manifest, secrets_providers, resources: [...providers, ...resources] },
  };
}

function toDelete(
  { cluster, made, rules, data }: Sweep,
  withData: boolean,
): readonly WrittenResource[] {
  const prefix = providerUrn(cluster.provider).split("::").slice(0, 2).join("::");
  const { provider, region } = cluster;
  const place = region === "" ? {} : { region };
  const resourceOf = (type: string, id: string, dependencies: readonly string[]) => ({
    urn: `${prefix}::${type}::${id}`,
    custom: true,
    type,
    id,
    provider,
    inputs: place,
    // The provider reads the other outputs by the id before it deletes.
    outputs: { ...place, id },
    dependencies,
  });
  const things = [...made, ...(withData ? data : [])].map(({ thing }) => thing);
  const layers = FIRST_TO_LAST.map((kinds) =>
    kinds.flatMap((kind) =>
      kind === "rule"
        ? rules.map((rule) => ({ type: ruleType(rule), id: rule.id }))
        : things
            .filter((thing) => thing.kind === kind)
            .map(({ id }) => ({ type: TYPES[kind], id })),
    ),
  );
  const before: string[] = [];
  return layers.flatMap((layer) => {
    const resources = layer.map(({ type, id }) => resourceOf(type, id, [...before]));
    before.push(...resources.map(({ urn }) => urn));
    return resources;
  });
}

function ruleType({ isEgress }: FoundRule): string {
  return isEgress
    ? "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
    : "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
}
