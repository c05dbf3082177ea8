import type * as pulumi from "@pulumi/pulumi";
import type { ClientCredentials, MachineConfigurationArgs } from "../../../provider";
import type { Firewall } from "../../firewall/firewall";
import type { Network } from "../../network/network";
import type { NodeObserver } from "../../workers/nodeObserver";
import type { ClusterPlan } from "../plan/planCluster";
import type { ClusterRotation } from "./makeRotation";

/** The resources that workers need. */
export interface PoolDependencies {
  readonly clusterName: pulumi.Output<string>;
  readonly network: Network;
  readonly firewall: Firewall;
  /**
   * The group that must allow machines by their public addresses:
   * `ClusterEntrances.publicApiGroupId`.
   */
  readonly publicApiGroupId: pulumi.Output<string> | undefined;
  /** The arguments of every machine's configuration. */
  readonly configuration: Omit<MachineConfigurationArgs, "machineType">;
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Output<string>;
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The Talos API that forwards to workers. */
  readonly talosEndpoint: pulumi.Input<string>;
  /** Resources that exist before a machine boots. */
  readonly bootDependsOn: readonly pulumi.Resource[];
  /** How to ask Kubernetes whether nodes are ready; undefined if `up` does not wait for that. */
  readonly kubernetes: pulumi.Input<NodeObserver | undefined>;
  /** Addresses of the control plane machines for the Talos API. */
  readonly controlPlanes: readonly pulumi.Output<string>[];
  /** The discovery identity of this stage of its rotation; undefined without one. */
  readonly identity: ClusterRotation["identity"];
  /** The resource that is deleted with the whole cluster. */
  readonly secrets: pulumi.Resource;
  /** Resources that exist before a machine is configured. */
  readonly configurationDependsOn: readonly pulumi.Resource[];
}

/** Settings that all pools of a cluster share. */
export interface PoolScope {
  readonly args: ClusterPlan;
  readonly dependencies: PoolDependencies;
  readonly child: pulumi.ComponentResourceOptions;
}

/** What the configuration of a pool's machines follows from. */
export type PoolConfigurationScope = Omit<PoolScope, "dependencies"> & {
  readonly dependencies: Pick<PoolDependencies, "clusterName" | "configuration" | "endpoint">;
};
