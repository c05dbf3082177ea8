import { createHash } from "node:crypto";
import type { PropertyProblem } from "../../problems";
import type { AddOn } from "../common/addOn";
import { type AddOnCluster, checkNodeIds } from "../common/addOnCluster";
import type { KarpenterAddOn } from "./karpenterAddOn";
import { karpenterController, NAME } from "./karpenterController";
import { karpenterDefinitions } from "./karpenterDefinitions";
import { makeInterruptionQueue } from "./makeInterruptionQueue";

/** The minor that the definitions are of. */
const MINOR = "v1.15";

/** Karpenter; see `karpenterController`. */
export const karpenter: AddOn<KarpenterAddOn> = {
  manifestName: NAME,
  charts: ["karpenter", "karpenter-crd"],
  removal:
    "the machines of its pools are drained and end first, up to an hour each. Pods that wait for room get no machine any more: have other pools for them before",
  // Its guide, "Compatibility Matrix", at August 2026: Kubernetes 1.30 to 1.36. Older ones are untested.
  releases: [{ oldestMinor: 28, version: "v1.15.2" }],
  objects: (scope, addOn, parts) => [
    ...karpenterDefinitions,
    ...karpenterController(scope, addOn, {
      ...parts,
      queueName: interruptionQueueName(scope.recordName),
    }),
  ],
  isReplicated: true,
  machines: "controlPlane",
  // Its definitions have some 40 kilobytes.
  delivery: "afterBootstrap",
  hasOwnList: true,
  aws: {
    permissions: (_addOn, { recordName }) => ({
      karpenterQueueName: interruptionQueueName(recordName),
    }),
    identity: { account: NAME, roleName: NAME },
    services: ["ec2", "sqs"],
  },
  check,
  make: (_addOn, made) => {
    makeInterruptionQueue(interruptionQueueName(made.cluster.recordName), made);
  },
};

/**
 * The name of the queue that tells Karpenter of interruptions. A cluster's name in DNS is its own, and can be longer
 * than that of a queue.
 */
export function interruptionQueueName(recordName: string): string {
  const own = createHash("sha256").update(recordName).digest("hex").slice(0, 8);
  return `${NAME}-${recordName.replaceAll(".", "-").slice(0, 60)}-${own}`;
}

function check({ version }: KarpenterAddOn, cluster: AddOnCluster): PropertyProblem[] {
  const isOtherMinor =
    version !== undefined && /^v\d+\.\d+\.\d+$/.test(version) && !version.startsWith(`${MINOR}.`);
  const other = `"${version ?? ""}" is of another minor than this package's definitions: take a release of ${MINOR}, or leave this out`;
  const shared =
    "it may launch machines, and without a role of its own each control plane machine could do so: set irsa, or leave this out";
  return [
    ...checkNodeIds(cluster, "waits in vain for the nodes of its machines if they have none"),
    ...(cluster.hasOwnRoles ? [] : [{ property: "", reason: shared }]),
    ...(isOtherMinor ? [{ property: "version", reason: other }] : []),
  ];
}
