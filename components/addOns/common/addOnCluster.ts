import type { ClusterCni } from "../../firewall/podNetworkPorts";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { PropertyProblem } from "../../problems";
import type { GpuMaker } from "../../workers/nvidiaGpu";

/** Hops from the metadata service to a pod with its own network. */
export const POD_HOPS = 2;

/** A cluster's names, from which add-ons make those of what they create in AWS. */
export interface AddOnNames {
  readonly environment: string;
  readonly domain: string;
  /** The cluster's own in DNS. */
  readonly recordName: string;
}

/** What the checks and permissions of add-ons ask of their cluster's other arguments. */
export interface AddOnCluster extends AddOnNames {
  readonly cni: ClusterCni | undefined;
  readonly cniManifests: readonly string[] | undefined;
  /** Whether KubeSpan encrypts the traffic between machines. */
  readonly kubeSpan: boolean;
  readonly podCidrs: readonly string[];
  /** The machines' Talos, 12 for v1.12; undefined where it is known later. */
  readonly talosMinor: number | undefined;
  readonly controlPlanes: number;
  /** Whether control planes run workloads. */
  readonly runsWorkloads: boolean;
  /** Whether this package's own objects have IAM roles of their own: `irsa`. */
  readonly hasOwnRoles: boolean;
  /** The control planes' role has no permission at all. */
  readonly isPowerless: boolean;
  /** Permissions of the control planes' role that the user asks for. */
  readonly permissions: NodePermissions;
  readonly pools: readonly AddOnPool[];
  /** The user's own cloud controller is announced in the control planes' configuration. */
  readonly announcesCloudController: boolean;
  /** Machines wait for a cloud controller, the add-on's or another, which sets `spec.providerID`. */
  readonly hasCloudController: boolean;
}

/** A pool of workers, as add-ons see it. */
export interface AddOnPool {
  /** Its machines' role has no permission at all. */
  readonly isPowerless: boolean;
  /** Hops that answers of the metadata service go. */
  readonly metadataHopLimit: number;
  readonly gpu: GpuMaker | undefined;
}

/** The problem of an add-on that finds machines by `spec.providerID` of their nodes, without any. */
export function checkNodeIds(cluster: AddOnCluster, why: string): PropertyProblem[] {
  const reason = `it knows nodes by their spec.providerID, and ${why}; the AWS cloud controller sets it: add addOns.cloudController, or workers.machineConfiguration.externalCloudProvider where it comes by other means, or leave this out`;
  return cluster.hasCloudController ? [] : [{ property: "", reason }];
}
