import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build, type Calls, type Graph, type Registered } from "../mockedGraph";
import { standardCluster } from "./standardCluster";

/** The standard cluster, with changes, made by a mocked engine. */
export const make = (change: Partial<TalosClusterArgs> = {}, calls: Calls = {}) =>
  build(() => new TalosCluster("c", { ...standardCluster, ...change }), { calls });

/** The type of a kind of Talos resource. */
export const talos = (kind: string) => `pulumi-nodejs:dynamic/talos:${kind}`;
export const INSTANCE = "aws:ec2/instance:Instance";
export const APPLY = talos("ConfigurationApply");

/** Names of those of a type that are there before another. */
export const namesBefore = (graph: Graph, resource: Registered, type: string) =>
  graph
    .before(resource)
    .filter((each) => each.type === type)
    .map(({ name }) => name)
    .sort();
