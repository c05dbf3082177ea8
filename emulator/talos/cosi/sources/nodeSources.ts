import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource } from "../resource";
import { blockSources } from "./blockSources";
import { certificateSources } from "./certificateSources";
import { clusterSources } from "./clusterSources";
import { configSources } from "./configSources";
import { controlPlaneSources } from "./controlPlaneSources";
import { etcdSources } from "./etcdSources";
import { kubeSpanSources } from "./kubeSpanSources";
import { kubernetesSources } from "./kubernetesSources";
import { linkSources } from "./linkSources";
import { metaSources } from "./metaSources";
import { networkSources } from "./networkSources";
import { rootSecretSources } from "./rootSecretSources";
import { runtimeSources } from "./runtimeSources";
import { systemSources } from "./systemSources";
import { volumeSources } from "./volumeSources";

/** All resources of a simulated node. A new type is another source in its family's file. */
export function nodeSources(node: NodeState): readonly ResourceSource[] {
  return [
    ...metaSources,
    ...runtimeSources(node),
    ...configSources(node),
    ...networkSources(node),
    ...clusterSources(node),
    ...kubernetesSources(node),
    ...etcdSources(node),
    ...certificateSources(node),
    ...controlPlaneSources(node),
    ...kubeSpanSources(node),
    ...linkSources(node),
    ...systemSources(node),
    ...volumeSources(node),
    ...rootSecretSources(node),
    ...blockSources(node),
  ];
}
