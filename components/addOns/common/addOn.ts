import type * as pulumi from "@pulumi/pulumi";
import type { MachineConfigurationArgs } from "../../../provider";
import type { KubernetesObject } from "../../../provider/kubernetes";
import type { FirewallArgs } from "../../firewall/firewallArgs";
import type { ClusterCni } from "../../firewall/podNetworkPorts";
import type { GatewayService, InterfaceService } from "../../network/networkArgs";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { PropertyProblem } from "../../problems";
import type { AddOnCluster, AddOnNames, AddOnPool } from "./addOnCluster";
import type { AddOnDelivery } from "./addOnDelivery";
import type { PodIdentity } from "./addOnPods";
import type { AddOnScope } from "./addOnScope";
import type { Releases } from "./releases";

/**
 * An add-on of a cluster: all that the cluster and its checks ask of it. What a part leaves out, the
 * add-on doesn't have. `registry.ts` lists all of them.
 */
export interface AddOn<Args extends object> {
  /** Name of its manifest, whether that is the user's or this package's. */
  readonly manifestName: string;
  /**
   * Names of Helm charts that install the same program, or another for the same task that can't be beside it. Default:
   * none is known.
   */
  readonly charts?: readonly string[];
  /**
   * What a cluster loses or keeps without it, once it had it, and what to do before. The preview says it
   * when the add-on is left out.
   */
  readonly removal: string;
  /** Its releases. Default: none, as the user's manifest decides. */
  readonly releases?: Releases;
  /** Each Kubernetes minor has a release that supports only that minor. Default: false. */
  readonly isReleasedWithKubernetes?: boolean;
  /**
   * The URL of the manifest that its project publishes with a release. Machines fetch it until a setting
   * of its pods is changed. Default: this package's own objects are used from the start.
   */
  readonly publishedManifest?: (version: string) => string;
  /** This package's own objects. Default: there are none. */
  readonly objects?: (
    scope: AddOnScope,
    addOn: KnownSettings<Args>,
    parts: ObjectParts,
  ) => readonly KubernetesObject[];
  /**
   * Where its manifest is, this package's or the user's, whatever the cluster's `addOnDelivery` says. An
   * add-on without which nodes don't become Ready needs `machineConfiguration`. Default: as the cluster
   * says.
   */
  readonly delivery?: AddOnDelivery;
  /**
   * Its objects are in a list of their own, which also has what the cluster's pools add to them. They leave the
   * cluster in an order: first what its controller has to end. Default: false, all add-ons share a list.
   */
  readonly hasOwnList?: boolean;
  /**
   * More objects of this package's own, which don't fit into a machine's configuration: large ones, such as
   * CustomResourceDefinitions, and Secrets. They are applied after the bootstrap. An add-on without
   * `objects` has them also with a manifest of the user's. Default: none.
   */
  readonly objectsAfterBootstrap?: NonNullable<AddOn<Args>["objects"]>;
  /**
   * URLs of manifests that control planes fetch besides its own objects, such as definitions of another
   * project. Default: none.
   */
  readonly fetchedManifests?: (addOn: Args) => readonly string[];
  /** Settings of its own objects, besides those of pods. A manifest of the user's excludes them. */
  readonly ownSettings?: readonly (string & keyof Args)[];
  /** It can have several pods, each on a control plane machine of its own. Default: false. */
  readonly isReplicated?: boolean;
  /** The machines that fetch its images. Default: all. */
  readonly machines?: "controlPlane" | "worker";
  /** Images that machines fetch for it, besides those of `objects`. */
  readonly moreImages?: (addOn: Args, cluster: AddOnNames) => readonly string[];
  /** A manifest that is no list of such objects, for one region. */
  readonly manifest?: (addOn: Args, cluster: AddOnNames, region: string) => string;
  /** Its server that others in the cluster call over TLS. */
  readonly server?: AddOnServer;
  /** What it needs in AWS. Default: nothing. */
  readonly aws?: AwsNeeds<Args>;
  /** Other add-ons that come with it, unless the user says otherwise, as arguments. */
  readonly brings?: (addOn: Args) => object;
  /**
   * Problems of its arguments, alone and with its cluster. Properties are below the add-on; the empty one
   * is the add-on itself. Manifests and settings of pods are checked for every add-on.
   */
  readonly check?: (addOn: Args, cluster: AddOnCluster) => PropertyProblem[];
  /** Options that it sets on every machine; `given` are the user's. */
  readonly nodeOptions?: (addOn: Args, given: MachineOptions) => MachineOptions;
  /** Options that it sets on control plane machines; `given` are the user's. */
  readonly controlPlaneOptions?: (addOn: Args, given: MachineOptions) => MachineOptions;
  /** Labels of a pool's nodes by which its pods find them. Labels of the pool come first. Default: none. */
  readonly nodeLabels?: (pool: Pick<AddOnPool, "gpu">) => Readonly<Record<string, string>>;
  /** The pod network that it is, in place of the arguments of these names. */
  readonly podNetwork?: (addOn: Args) => {
    readonly cni: ClusterCni;
    readonly cniManifests: readonly string[] | undefined;
  };
  /** Its URLs have a field of their own in the machines' configuration. Default: false. */
  readonly hasOwnManifestField?: boolean;
  /** Ports between machines that it needs. Default: none. */
  readonly firewall?: (addOn: Args) => AddOnFirewall;
  /** How long auto scaling groups keep machines that they are about to end, in seconds. */
  readonly drainSeconds?: number;
  /** Creates what it needs in AWS besides roles. */
  readonly make?: (addOn: Args, made: MadeWith) => void;
}

/** The settings of an add-on with all outputs known; none where nothing depends on them. */
export type KnownSettings<Args> = Partial<pulumi.Unwrap<Args>>;

/** What own objects contain besides settings. */
export interface ObjectParts {
  readonly version: string;
  /** The IAM role of its pods. Default: that of their machine. */
  readonly identity?: PodIdentity | undefined;
  /** The certificates of `server`, base64 of PEM, also those of the next generation. */
  readonly certificates: string;
}

/** What an add-on adds to a cluster's firewall. */
export type AddOnFirewall = Pick<FirewallArgs, "monitoring" | "ciliumWireGuard">;

/** A server in the cluster that others call over TLS. */
export interface AddOnServer {
  readonly host: string;
  /** Name of the Secret that contains its certificate. */
  readonly secretName: string;
}

/** An AWS service that a cluster calls from within its network. */
export type CalledService = GatewayService | InterfaceService;

/** What an add-on needs in AWS. */
export interface AwsNeeds<Args> {
  /** What the role may do that its pods use. */
  readonly permissions: (addOn: Args, cluster: AddOnNames) => NodePermissions;
  /**
   * With `irsa`, this package's own objects have a role of their own, for a service account in
   * `kube-system`. Default: its pods use the role of their machine in any case.
   */
  readonly identity?: {
    readonly account: string;
    /** The last part of the names of the role's resources. */
    readonly roleName: string;
  };
  /**
   * Services that it calls, besides the metadata service, which needs no endpoint. Source: the
   * add-on's IAM policy in `permissions/`.
   */
  readonly services: readonly CalledService[];
  /** Why its own objects can't work without internet access: no endpoint leads to what they call. */
  readonly noEndpoint?: string;
  /**
   * Whether its pods can be on any machine with workloads. Default: they are on control planes.
   */
  readonly isAnywhere?: (addOn: Args) => boolean;
}

/** Options of a machine's configuration, of which an add-on sets some. */
export type MachineOptions = Partial<MachineConfigurationArgs>;

/** What resources of an add-on are created with. */
export interface MadeWith {
  /** The cluster's name in the stack, a prefix of its children's names. */
  readonly name: string;
  readonly cluster: AddOnNames;
  readonly protect: boolean | undefined;
  readonly tags: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  readonly parent: pulumi.Resource;
}
