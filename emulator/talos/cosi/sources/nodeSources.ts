import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource } from "../resource";
import { blockSources } from "./blockSources";
import { clusterSources } from "./clusterSources";
import { configSources } from "./configSources";
import { etcdSources } from "./etcdSources";
import { kubernetesSources } from "./kubernetesSources";
import { metaSources } from "./metaSources";
import { networkSources } from "./networkSources";
import { runtimeSources } from "./runtimeSources";

/** Every resource a simulated node has. A new type is one more source in its family's file. */
export function nodeSources(node: NodeState): readonly ResourceSource[] {
  return [
    ...metaSources,
    ...runtimeSources(node),
    ...configSources(node),
    ...networkSources(node),
    ...clusterSources(node),
    ...kubernetesSources(node),
    ...etcdSources(node),
    ...blockSources,
  ];
}
