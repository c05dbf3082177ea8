import type * as pulumi from "@pulumi/pulumi";
import type {
  ClientCredentials,
  ConfigurationApplyArgs,
  FirstDelivery,
  Patch,
} from "../../provider";
import type { FirstContactChoice } from "../machines/machineConsole";
import type { NamedMachineSettings } from "../machines/machineSettings";
import type { NodeDrainArgs } from "../machines/nodeDrain";
import type { AutoScalingArgs } from "./autoScalingArgs";
import type { MaxUnavailable } from "./maxUnavailable";
import type { NodeObserver } from "./nodeObserver";
import type { PoolSettings } from "./poolSettings";

/** Arguments of both kinds of pools. */
export interface WorkerMachinesArgs extends PoolSettings {
  /**
   * Name of the cluster. It is part of the tag by which controllers in the cluster find its
   * machines.
   */
  readonly clusterName: pulumi.Input<string>;
  /**
   * Subnets by zone key, in the order to fill them: `Network.publicSubnets` or `privateSubnets`.
   */
  readonly subnets: Readonly<Record<string, WorkerSubnet>>;
  /**
   * Whether each machine gets a public address, about $3.65 a month. In public subnets, a machine
   * without one reaches nothing outside the network. Default: true.
   */
  readonly publicAddresses?: boolean;
  /** The machines' image: `MachineImage.imageId`. */
  readonly imageId: pulumi.Input<string>;
  /** The machines' security group: `Firewall.workerGroupId`. */
  readonly securityGroupId: pulumi.Input<string>;
  /** `NodeRole.instanceProfileName`. Default: none, so nothing on the machines can call AWS. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /** `MachineConfiguration.machineConfiguration` of a worker. Secret. */
  readonly machineConfiguration: pulumi.Input<string>;
  /** Pulumi refuses to delete or replace the machines. Default: false. */
  readonly protect?: boolean;
  /**
   * Additional tags for machines and volumes. In an auto scaling pool, only new machines get
   * changed tags. Volumes, interfaces and the launch template keep those from the pool's creation.
   * Default: none.
   */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A subnet for machines. */
export interface WorkerSubnet {
  /** Its id. */
  readonly id: pulumi.Input<string>;
}

/** Settings of a pool with a fixed number of machines. */
export interface FixedPoolSettings extends NamedMachineSettings {
  /** Number of machines, 0 or more. */
  readonly machineCount: number;
  /** Settings of single machines, by their keys, from `1` on. Default: none. */
  readonly machines?: Readonly<Record<string, WorkerMachineArgs>>;
  /**
   * How many machines change at the same time, as a number or a share (`25%`). The others wait
   * until those are healthy. A failed change stops there. The creation of a pool with `userData`
   * ignores it. Default: `10%`, at least one machine.
   */
  readonly maxUnavailable?: MaxUnavailable;
}

/** Arguments of `WorkerPool`, a pool with a fixed number of machines. */
export interface WorkerPoolArgs extends WorkerMachinesArgs, FixedPoolSettings {
  /** `Network.zones`; see `ControlPlaneArgs`. Default: the removal of a zone is not checked. */
  readonly networkZones?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * How a machine gets its first configuration.
   * - `userData`: it boots with it and trusts only certificates. Every principal with
   *   `ec2:DescribeInstanceAttribute` can read it.
   * - `apply`: it waits for it at an address that `pulumi up` must reach. Until then it accepts one
   *   from every caller; see `firstContact`.
   *
   * Later configurations always use the Talos API. Default: `userData`.
   */
  readonly delivery?: FirstDelivery;
  /**
   * By what a new machine is trusted that waits for its first configuration, with the delivery `apply`.
   * - `console`: EC2's console output shows the fingerprint of its certificate. That needs
   *   `ec2:GetConsoleOutput` on the instance.
   * - `firstAnswer`: it is the first to answer at its address. An impostor there gets what joins workers.
   *
   * Default: `console`.
   */
  readonly firstContact?: FirstContactChoice;
  /** `ClientConfiguration.credentials`, to apply later configurations. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * The Talos API to dial, which forwards to the machines: that of a control plane machine.
   * Default: each machine's own, at its public address if it has one.
   */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * `MachineConfiguration.redactedConfiguration`, for the first preview. Default: the preview shows
   * less.
   */
  readonly redactedConfiguration?: ConfigurationApplyArgs["redactedConfiguration"];
  /**
   * `MachineConfiguration.revision`, by which a change that a killed run began is noticed when it is
   * taken back. Default: only a refresh notices it.
   */
  readonly revision?: ConfigurationApplyArgs["revision"];
  /**
   * `MachineConfiguration.machineRevisions`, by the keys of machines, for the same with
   * `machines[…].patches`. Default: only a refresh notices it.
   */
  readonly machineRevisions?: pulumi.Input<Readonly<Record<string, number>> | undefined>;
  /** Resources that must exist before machines are configured. Default: none. */
  readonly configurationDependsOn?: readonly pulumi.Resource[];
  /**
   * How nodes are drained before their machines restart or are removed, and which control plane
   * machines to ask for Kubernetes. Default: Talos drains for its own upgrade, for at most five
   * minutes. No other change drains, and nodes of removed machines stay in Kubernetes.
   */
  readonly drain?: WorkerDrainArgs;
  /**
   * The resource that is deleted with the whole cluster, so that its destruction drains nothing:
   * its `MachineSecrets`. Default: none.
   */
  readonly deletedWith?: pulumi.Resource;
  /**
   * Accepted changes of what machines keep from their birth; see
   * `ConfigurationApplyArgs.acceptedChanges`. Default: none.
   */
  readonly acceptedChanges?: ConfigurationApplyArgs["acceptedChanges"];
  /**
   * How long a machine may take to become healthy with its configuration. Seconds. Default: 600.
   */
  readonly applyTimeoutSeconds?: pulumi.Input<number>;
  /** How long a machine must stay healthy before a change counts as done. Seconds. Default: 5. */
  readonly applySettledSeconds?: pulumi.Input<number>;
  /**
   * The security group of a public Kubernetes API load balancer, or of the control plane. It gets a
   * rule for each machine's public address. AWS allows 60 rules per group. Default: none.
   */
  readonly publicApiGroupId?: pulumi.Input<string>;
}

/** How the nodes of a pool are drained. */
export interface WorkerDrainArgs extends NodeDrainArgs {
  /** Addresses of control plane machines, asked one after another for access to Kubernetes. */
  readonly controlPlanes: pulumi.Input<string[]>;
  /**
   * The Talos API that forwards to them, such as a load balancer's. Default: each machine is
   * dialled directly.
   */
  readonly endpoint?: pulumi.Input<string>;
}

/** Settings of one machine of a pool. */
export interface WorkerMachineArgs {
  /**
   * Key of the machine's zone. A change replaces the machine. Default: chosen at creation, to
   * spread machines.
   */
  readonly zone?: string;
  /**
   * Replaces the machine when it changes, for example `broken disk, 2026-11-24`. The new machine joins
   * first; then the old one is drained, if its node still answers, and ends with its volumes. Leave it
   * there afterwards: its removal is a change too. Default: none.
   */
  readonly replacement?: string;
  /** Patches for this machine, applied after those of all machines. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
}

/** Arguments of `AutoScalingWorkerPool`, a pool whose machines an auto scaling group creates. */
export interface AutoScalingWorkerPoolArgs extends WorkerMachinesArgs, AutoScalingArgs {
  /**
   * Resources to finish before running machines are replaced, such as the control plane's. Default:
   * none.
   */
  readonly refreshDependsOn?: readonly pulumi.Resource[];
  /**
   * How to ask Kubernetes whether the nodes of a group are Ready, before the next group's machines
   * are replaced. Default: not asked; a running machine is enough.
   */
  readonly kubernetes?: pulumi.Input<NodeObserver | undefined>;
  /** Labels of the nodes, for the autoscaler; the same as in their configuration. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Taints of the nodes by key, `<value>:<effect>` or `<effect>`. Default: none. */
  readonly taints?: Readonly<Record<string, string>>;
}
