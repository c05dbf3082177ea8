import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { KubernetesObjects, type KubernetesObjectsArgs } from "../../../provider";
import { otherManifests } from "../../addOns/addOnOptions";
import { defined } from "../../defined";
import type { NodeObserver } from "../../workers/nodeObserver";
import type { OwnManifest } from "../addOns/makeOwnManifests";
import { join } from "../addOns/withAddOns";
import { withOwnManifests } from "../addOns/withOwnManifests";
import type { ClusterPlan } from "../plan/planCluster";
import { isListUnfinished } from "./unfinishedLists";

/**
 * Applies the objects that are no part of the machines' configuration: the program's and those of add-ons.
 *
 * @param own this package's own manifests that are there
 * @param access how to reach the cluster
 * @param observer how to ask Kubernetes, once the control plane has its configuration
 * @returns undefined without any such object
 */
export function makeObjects(
  name: string,
  args: ClusterPlan,
  own: readonly OwnManifest[],
  access: Pick<KubernetesObjectsArgs, "nodes" | "endpoint" | "credentials">,
  observer: pulumi.Output<NodeObserver>,
  opts: pulumi.CustomResourceOptions,
): KubernetesObjects | undefined {
  const region = () => aws.getRegionOutput({}, opts).region;
  const { addOns = {}, addOnDelivery: asked, facts } = args;
  const others = otherManifests(
    addOns,
    facts.addOnCluster,
    { to: "afterBootstrap", asked },
    region,
  );
  if (args.manifests === undefined && own.length + others.length === 0) {
    return undefined;
  }
  const given = join(others, args.manifests);
  return new KubernetesObjects(
    `${name}-objects`,
    defined({
      ...access,
      inventory: "cluster",
      unfinished: isListUnfinished("cluster", observer),
      manifests: withOwnManifests(given, own),
      kubernetesVersion: args.kubernetesVersion,
      // Without this gate the network comes later, and no pod starts before it.
      awaitRollouts: pulumi
        .output(args.facts.healthGates)
        .apply((gates) => gates === undefined || gates.includes("nodesReady")),
    }),
    opts,
  );
}
