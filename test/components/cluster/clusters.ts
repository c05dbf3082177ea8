import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build, type Graph, type Registered } from "../mockedGraph";

/** A cluster of three machines in three zones, by all defaults. */
export const standard: TalosClusterArgs = {
  environment: "sandbox",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  network: { zones: ["us-east-1a", "us-east-1b", "us-east-1c"] },
};

/** The standard cluster, with changes, made by a mocked engine. */
export const make = (change: Partial<TalosClusterArgs> = {}) =>
  build(() => new TalosCluster("c", { ...standard, ...change }));

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
