import type * as pulumi from "@pulumi/pulumi";
import type {
  ClientCredentials,
  ConfigurationApplyArgs,
  MachineConfigurationArgs,
  Patch,
} from "../../../provider";
import type { NodeObserver } from "../../workers/nodeObserver";
import type { ClusterWorkerConfigurationArgs } from "../arguments/clusterWorkersArgs";

/** The arguments of a machine configuration that all machines of a cluster have. None is secret but `secretsBundle`. */
export const SHARED_ARGUMENTS = [
  ...(["clusterName", "endpoint", "secretsBundle", "acceptedAuthorities", "platform"] as const),
  ...(["talosVersion", "versionContract", "contractDefaults", "newDefaults"] as const),
  ...(["kubernetesVersion", "installDisk", "cni", "kubeSpan", "podCidrs"] as const),
  ...(["serviceCidrs", "plannedSettings"] as const),
] satisfies (keyof MachineConfigurationArgs)[];

/** Those arguments. */
export type SharedConfiguration = Pick<
  MachineConfigurationArgs,
  Exclude<(typeof SHARED_ARGUMENTS)[number], "talosVersion">
> & {
  /** The Talos release of the machines. */
  readonly talosVersion: pulumi.Input<string>;
};

/** Ids of the subnets of each tier, by the key of their zone. */
export interface ClusterJoinSubnets {
  /** Those of machines with public addresses. */
  readonly public: Readonly<Record<string, pulumi.Input<string>>>;
  /** Private ones; none unless `network` asks for them. */
  readonly private: Readonly<Record<string, pulumi.Input<string>>>;
  /** Private ones in `network.workerCidrBlock`; none by default. */
  readonly worker: Readonly<Record<string, pulumi.Input<string>>>;
}

/**
 * What `TalosCluster` hands out for pools of workers that are made elsewhere: by another component, team or stack. It is
 * plain data, so it can be the output of a stack, which is then a secret one. It has what workers know, and no key of a
 * certificate authority. Releases, labels of a rotation and options are those of the cluster at its last `up`.
 */
export interface ClusterJoin {
  /** Name of the cluster, which is part of tags. */
  readonly clusterName: pulumi.Input<string>;
  /** Id of the workers' security group, whose rules are the cluster's. */
  readonly securityGroupId: pulumi.Input<string>;
  /** Id of the security group that lets public addresses of machines reach the Kubernetes API. */
  readonly apiGroupId: pulumi.Input<string>;
  /**
   * Whether machines with public addresses that nobody knows before reach the Kubernetes API: those of an auto scaling pool in public
   * subnets.
   */
  readonly admitsUnknownAddresses: pulumi.Input<boolean>;
  /** Ids of the subnets, by tier and by the key of their zone. */
  readonly subnets: ClusterJoinSubnets;
  /** The arguments of every worker's configuration that are not a pool's to choose. */
  readonly configuration: SharedConfiguration;
  /** The options of every worker's configuration, with what the cluster's add-ons need. */
  readonly options: ClusterWorkerConfigurationArgs;
  /** The patches of every worker's configuration. Secret. */
  readonly patches: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * How long the groups of an auto scaling pool keep machines that AWS is about to end, for the add-on that drains them.
   * Seconds. Undefined if nothing drains them.
   */
  readonly drainSeconds?: number;
  /** Changes of what machines keep from their birth; see `ConfigurationApplyArgs.acceptedChanges`. */
  readonly acceptedChanges?: ConfigurationApplyArgs["acceptedChanges"];
  /**
   * Access as an administrator, which a pool with a fixed number of machines needs for later changes of them. Its holder can
   * read the keys of the whole cluster. Leave it out for a team that may add machines and no more: that team then makes auto scaling
   * pools, which need none.
   */
  readonly administration?: ClusterAdministration;
}

/** Access to a cluster's machines as an administrator. */
export interface ClusterAdministration {
  /** `ClientConfiguration.credentials`. Secret. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The Talos API that forwards to workers. */
  readonly talosEndpoint: pulumi.Input<string>;
  /** Addresses of the control plane machines, for drains. */
  readonly controlPlanes: pulumi.Input<string[]>;
  /** The Talos API that forwards to them. Default: each machine's own. */
  readonly controlPlaneEndpoint?: pulumi.Input<string>;
  /** How an auto scaling pool asks whether its new nodes are Ready. Secret. Default: it doesn't. */
  readonly kubernetes?: pulumi.Input<NodeObserver | undefined>;
}
