import { said } from "../said";
import type { RestorePlan } from "./planRestore";
import type { SnapshotFacts } from "./snapshotFacts";

const CLUSTERS: Readonly<Record<SnapshotFacts["cluster"], string>> = {
  this: "from this cluster, according to the CA of its Kubernetes API",
  another: "from another cluster, or from before a rotation of the CA",
  unknown: "from an unknown cluster: it contains no CA",
};

/** Describes what a restore will do, and what will be lost. */
export function describeRestore(
  stack: string,
  snapshot: SnapshotFacts,
  plan: Exclude<RestorePlan, { readonly kind: "refused" }>,
): string {
  const title = `${stack}: etcd restarts from ${snapshot.path}`;
  return [
    title,
    `  complete, ${CLUSTERS[snapshot.cluster]}; the file is from ${snapshot.writtenAt.toISOString()}`,
    ...stepsOf(plan).map((line) => `  ${line}`),
  ].join("\n");
}

function stepsOf(plan: Exclude<RestorePlan, { readonly kind: "refused" }>): readonly string[] {
  switch (plan.kind) {
    case "goOn":
      return ["a restore has begun, and no machine holds the old etcd any more: it continues"];
    case "finish":
      return ["etcd is restored already: missing resources are created"];
    case "begin":
      return said(
        plan.wiped.length > 0 &&
          `wiped: etcd, images and logs of ${plan.wiped.join(", ")}, which restart and keep their configuration`,
        plan.lost.length > 0 && `recreated: ${plan.lost.join(", ")}`,
        "lost: everything that Kubernetes has written since the snapshot; workers and volumes stay",
      );
  }
}
