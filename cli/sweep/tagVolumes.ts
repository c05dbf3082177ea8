import * as pulumi from "@pulumi/pulumi";
import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { shownStack } from "../engine/shownStack";
import { providerLike } from "../repair/askAws";
import { providerUrn, recordedStack } from "../repair/pendingOperations";
import { hasUnknownCluster } from "./creatorOf";
import type { Sweep } from "./planSweep";
import { CLUSTER_TAG_PREFIX } from "./recordedClusters";
import { withTemporaryStack } from "./withTemporaryStack";

/**
 * Sets the cluster's tag on volumes that are known to be the cluster's only by the machine that
 * they are attached to. After the machine is deleted, nothing else would show that, also not to the
 * next run after a killed one.
 *
 * @param exported the stack, with its secrets in clear
 */
export async function tagVolumes(
  stack: Stack,
  exported: Deployment,
  sweeps: readonly Sweep[],
): Promise<void> {
  const claims = sweeps.flatMap(({ cluster, data }) =>
    data
      .filter(({ thing }) => hasUnknownCluster(thing))
      .map(({ thing }) => ({ cluster, resourceId: thing.id })),
  );
  if (claims.length === 0) {
    return;
  }
  const program = () => {
    for (const [index, provider] of [
      ...new Set(claims.map(({ cluster }) => cluster.provider)),
    ].entries()) {
      const recorded = recordedStack(exported).resources.find(
        ({ urn }) => urn === providerUrn(provider),
      );
      const options =
        recorded === undefined ? {} : { provider: providerLike(`sweep-${index}`, recorded) };
      for (const { cluster, resourceId } of claims) {
        if (cluster.provider === provider) {
          const key = CLUSTER_TAG_PREFIX + cluster.name;
          const place = cluster.region === "" ? {} : { region: cluster.region };
          new Tag(resourceId, { ...place, resourceId, key, value: "owned" }, options);
        }
      }
    }
    return Promise.resolve();
  };
  await withTemporaryStack(stack, program, (beside) => shownStack(beside).up());
}

/** `aws.ec2.Tag`, without loading its SDK. */
class Tag extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions) {
    super("aws:ec2/tag:Tag", name, args, options);
  }
}
