import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { KubernetesObjects, type KubernetesObjectsArgs } from "../../../provider";
import { defined } from "../../defined";
import type { ServiceAccountRole } from "../../identity/serviceAccountRole";
import { planMachineKeys, planPassRole } from "../../permissions/planKarpenter";
import { policyText } from "../../permissions/planNodePolicy";
import { policyOf } from "../../permissions/policyDocument";
import type { NodeObserver } from "../../workers/nodeObserver";
import type { OwnManifest } from "../addOns/makeOwnManifests";
import type { ClusterPlan } from "../plan/planCluster";
import type { KarpenterPool } from "./makeKarpenterPool";
import { isListUnfinished } from "./unfinishedLists";

/** What Karpenter and its pools are made of. */
export interface KarpenterParts {
  /** Karpenter itself. */
  readonly manifests: readonly OwnManifest[];
  readonly pools: readonly KarpenterPool[];
  /** The role of its pods. */
  readonly role: ServiceAccountRole | undefined;
  readonly access: Pick<KubernetesObjectsArgs, "nodes" | "endpoint" | "credentials">;
  /** How to ask Kubernetes, once the control plane has its configuration. */
  readonly configured: pulumi.Output<NodeObserver>;
  /** What must be done before: the control plane, its objects. */
  readonly dependsOn: readonly pulumi.Resource[];
}

/** How long the machines of a pool may take to be drained and to end. */
const END_SECONDS = 3_600;

/**
 * Applies Karpenter and its pools, in a list of their own. A pool that leaves it is drained first: its machines end, then
 * its EC2NodeClass goes. Karpenter itself leaves after the pools.
 *
 * Unlike other objects, they aren't forgotten with the cluster: the machines would stay, cost money, and keep the
 * network from being deleted. So a plain `pulumi destroy` begins with them.
 *
 * @returns undefined without Karpenter
 */
export function makeKarpenter(
  name: string,
  args: ClusterPlan,
  { manifests, pools, role, access, configured, dependsOn }: KarpenterParts,
  child: pulumi.CustomResourceOptions,
): KubernetesObjects | undefined {
  if (manifests.length === 0) {
    return undefined;
  }
  const forPools =
    role === undefined || pools.length === 0
      ? []
      : [
          new aws.iam.RolePolicy(
            `${name}-karpenter-pools`,
            { role: role.roleName, policy: policyOfPools(pools) },
            child,
          ),
        ];
  const ofPools = pools.map((pool) => ({
    name: `karpenter-pool-${pool.name}`,
    contents: pool.manifest,
  }));
  return new KubernetesObjects(
    `${name}-karpenter`,
    defined({
      ...access,
      inventory: "karpenter",
      unfinished: isListUnfinished("karpenter", configured),
      manifests: [
        ...manifests.map((each) => ({ name: each.name, contents: each.contents })),
        ...ofPools,
      ],
      kubernetesVersion: args.kubernetesVersion,
      awaitDeletions: true,
      awaitRollouts: pulumi
        .output(args.facts.healthGates)
        .apply((gates) => gates === undefined || gates.includes("nodesReady")),
      timeoutSeconds: END_SECONDS,
    }),
    { ...child, dependsOn: [...dependsOn, ...forPools] },
  );
}

/** What Karpenter may give to machines of these pools: their roles, and the keys of their volumes. */
function policyOfPools(pools: readonly KarpenterPool[]): pulumi.Output<string> {
  const roles = pulumi.all(pools.map(({ roleArn }) => roleArn));
  const keys = pulumi.all(pools.map(({ kmsKeyArn }) => kmsKeyArn));
  return pulumi.all([roles, keys]).apply(([roleArns, keyArns]) => {
    const given = new Set(keyArns.filter((arn) => arn !== undefined));
    const passRole = planPassRole([...new Set(roleArns)]);
    return policyText(policyOf([passRole, ...planMachineKeys([...given])]));
  });
}
