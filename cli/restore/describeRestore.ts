import type { RestorePlan } from "./planRestore";
import type { SnapshotFacts } from "./snapshotFacts";

const CLUSTERS: Readonly<Record<SnapshotFacts["cluster"], string>> = {
  this: "of this cluster, by the authority of its Kubernetes API",
  another: "of another cluster, or of one whose authority was rotated since",
  unknown: "whose cluster can't be told: it names no authority",
};

/** Says in words what a restore will do, and what will be lost. */
export function describeRestore(
  stack: string,
  snapshot: SnapshotFacts,
  plan: Exclude<RestorePlan, { readonly kind: "refused" }>,
): string {
  const title = `${stack}: etcd begins again with ${snapshot.path}`;
  return [
    title,
    `  whole, ${CLUSTERS[snapshot.cluster]}; the file is from ${snapshot.writtenAt.toISOString()}`,
    ...stepsOf(plan).map((line) => `  ${line}`),
  ].join("\n");
}

function stepsOf(plan: Exclude<RestorePlan, { readonly kind: "refused" }>): readonly string[] {
  switch (plan.kind) {
    case "goOn":
      return ["a restore was begun, and no machine holds the old etcd any more: it goes on"];
    case "finish":
      return ["etcd is restored already: what is missing is made"];
    case "begin":
      return [
        ...(plan.wiped.length > 0
          ? [
              `wiped: etcd, images and logs of ${plan.wiped.join(", ")}, which restart and keep their configuration`,
            ]
          : []),
        ...(plan.lost.length > 0 ? [`made anew: ${plan.lost.join(", ")}`] : []),
        "lost: all that Kubernetes has written since the snapshot; workers and volumes stay",
      ];
  }
}
