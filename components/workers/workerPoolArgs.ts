import type * as pulumi from "@pulumi/pulumi";
import type {
  ClientCredentials,
  ConfigurationApplyArgs,
  FirstDelivery,
  Patch,
} from "../../provider";
import type { AutoScalingArgs } from "./autoScalingArgs";
import type { NodeDrainArgs } from "../machines/nodeDrain";
import type { MaxUnavailable } from "./maxUnavailable";
import type { NodeObserver } from "./nodeObserver";

/** What the machines of a pool have in common, however their number is decided. */
export interface WorkerMachinesArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its machines. */
  readonly clusterName: pulumi.Input<string>;
  /** Subnets by zone key, in the order to fill: `Network.publicSubnets` or `privateSubnets`. */
  readonly subnets: Readonly<Record<string, WorkerSubnet>>;
  /**
   * Whether each machine gets a public address, about $3.65 a month. In public subnets it reaches
   * nothing outside the network without. Default: true.
   */
  readonly publicAddresses?: boolean;
  /**
   * EC2 instance type, of a Nitro family and of the image's architecture. Default: `m6i.large`, about
   * $70 a month each (list price in us-east-1, November 2026).
   */
  readonly instanceType?: string;
  /** The image that machines boot: `MachineImage.imageId`. */
  readonly imageId: pulumi.Input<string>;
  /** The machines' group: `Firewall.workerGroupId`. */
  readonly securityGroupId: pulumi.Input<string>;
  /** `NodeRole.instanceProfileName`. Default: none, and nothing on the machines can call AWS. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /** `MachineConfiguration.machineConfiguration`, of a worker. */
  readonly machineConfiguration: pulumi.Input<string>;
  /**
   * How many hops the answers of the metadata service travel. With 1 only the machine and pods in its
   * network read them; 2 reach all pods, which then act in the machines' role and read user data,
   * with which machines join the cluster. Default: 1; 2 where nothing is in user data.
   */
  readonly metadataHopLimit?: number;
  /**
   * GiB, 20 or more; gp3, encrypted. Default: 50, about $4 a month each (list price in us-east-1,
   * November 2026).
   */
  readonly rootVolumeSizeGib?: number;
  /**
   * ARN of the KMS key that encrypts root volumes. Machines of an auto scaling pool are replaced for
   * another key; the key's policy has to let the role `AWSServiceRoleForAutoScaling` use it and create
   * grants, else they end as soon as they are launched. Other machines keep the key that they were made
   * with. About $1 a month (list price, November 2026). Default: AWS' own key for EBS.
   */
  readonly kmsKeyId?: pulumi.Input<string>;
  /**
   * CloudWatch has values of each minute instead of each five, about $2.10 a month for each machine.
   * Default: false.
   */
  readonly detailedMonitoring?: boolean;
  /** Pulumi refuses to delete or replace the machines. Default: false. */
  readonly protect?: boolean;
  /**
   * More tags for machines and volumes. Of an auto scaling pool, machines to come get another choice;
   * volumes, interfaces and the launch template keep those that the pool was made with. Default: none.
   */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A subnet that machines are made in. */
export interface WorkerSubnet {
  readonly id: pulumi.Input<string>;
}

/** A pool of as many machines as you say. */
export interface WorkerPoolArgs extends WorkerMachinesArgs {
  /** How many machines, 0 or more. */
  readonly machineCount: number;
  /** `Network.zones`; `ControlPlaneArgs` says what for. Default: none is refused to go. */
  readonly networkZones?: pulumi.Input<pulumi.Input<string>[]>;
  /** What is special about single machines, by their keys, from `1` on. Default: nothing. */
  readonly machines?: Readonly<Record<string, WorkerMachineArgs>>;
  /**
   * How a machine gets its first configuration. By `userData` it has it from its first moment, and
   * nobody is trusted without a certificate; the user data is read by whoever may call
   * `ec2:DescribeInstanceAttribute`. By `apply` it waits for it, at an address that has to be reached
   * from where `pulumi up` runs, and obeys anyone until then. Either way later ones go over the Talos
   * API. Default: `userData`.
   */
  readonly delivery?: FirstDelivery;
  /** `ClientConfiguration.credentials`, with which machines are given other configurations. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * The Talos API to dial, which forwards to the machines: a control plane's. Default: each machine's
   * own, at its public address where it has one.
   */
  readonly endpoint?: pulumi.Input<string>;
  /** `MachineConfiguration.redactedConfiguration`, for the first preview. Default: it shows less. */
  readonly redactedConfiguration?: ConfigurationApplyArgs["redactedConfiguration"];
  /** What there has to be before machines can be talked to. Default: nothing. */
  readonly configureAfter?: readonly pulumi.Resource[];
  /**
   * How many machines change at the same time, a number or a share (`25%`): others wait until those before
   * are well again, and a change that goes wrong stops there. A pool by `userData` is made all at once
   * all the same. Default: `10%`, and one machine at least.
   */
  readonly maxUnavailable?: MaxUnavailable;
  /**
   * How nodes are drained before their machines restart or are removed, and where Kubernetes is asked for that:
   * at the control plane machines. Default: Talos drains for its own upgrade, for five minutes at most; nobody
   * does else, and nodes of machines that are removed stay in Kubernetes.
   */
  readonly drain?: WorkerDrainArgs;
  /** With what the whole cluster goes, so that its end drains nothing: its `MachineSecrets`. Default: none. */
  readonly goesWith?: pulumi.Resource;
  /** How long a machine may take until it is well with its configuration. Seconds. Default: 600. */
  readonly applyTimeoutSeconds?: pulumi.Input<number>;
  /** How long a machine has to stay well after a change until that counts as done. Seconds. Default: 5. */
  readonly applySettledSeconds?: pulumi.Input<number>;
  /**
   * The group of a public load balancer of the Kubernetes API, or of the control plane: it then lets
   * in the machines by their public addresses. AWS lets a group have 60 rules. Default: none.
   */
  readonly publicApiGroupId?: pulumi.Input<string>;
  /** EC2 refuses to terminate the machines until this is false again. Default: false. */
  readonly terminationProtection?: pulumi.Input<boolean>;
}

/** How the nodes of a pool are drained. */
export interface WorkerDrainArgs extends NodeDrainArgs {
  /** Addresses of control plane machines, asked for Kubernetes one after the other. */
  readonly controlPlanes: pulumi.Input<string[]>;
  /** The Talos API that forwards to them, such as a load balancer's. Default: each is dialled at its address. */
  readonly endpoint?: pulumi.Input<string>;
}

/** What is special about one machine of a pool. */
export interface WorkerMachineArgs {
  /** Key of the zone to be in; a change replaces the machine. Default: spread at creation. */
  readonly zone?: string;
  /** Patches for this machine alone, applied after those of all. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
}

/** A pool that AWS makes the machines of. */
export interface AutoScalingWorkerPoolArgs extends WorkerMachinesArgs, AutoScalingArgs {
  /** What is done before machines that run are replaced, as on a control plane. Default: nothing. */
  readonly refreshAfter?: readonly pulumi.Resource[];
  /**
   * Where Kubernetes tells whether the machines of a group are Ready nodes, before those of the next are
   * replaced. Default: nobody asks, and a machine that runs counts.
   */
  readonly kubernetes?: pulumi.Input<NodeObserver | undefined>;
  /** Labels of the machines' nodes, for the autoscaler: those in their configuration. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Taints of the machines' nodes, `<value>:<effect>` or `<effect>` by key. Default: none. */
  readonly taints?: Readonly<Record<string, string>>;
}
