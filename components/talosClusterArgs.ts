import type * as pulumi from "@pulumi/pulumi";
import type { HealthGate, MachineConfigurationArgs, Patch, Role } from "../provider";
import { checkApiLoadBalancer } from "./apiLoadBalancer";
import { checkAddOns } from "./checkAddOns";
import type { ClusterAddOnsArgs } from "./clusterAddOnsArgs";
import { clusterNames } from "./clusterNames";
import type { ApiExposure } from "./firewallArgs";
import type { ApiHealthCheck } from "./planApiHealthCheck";
import { checkFirewall } from "./checkFirewall";
import { checkNetwork, publicZoneKeys } from "./checkNetwork";
import { checkDnsRecord, dnsLabelProblem, dnsNameProblem } from "./checkDns";
import { DEFAULT_MACHINE_COUNT } from "./controlPlane";
import { checkRootVolume } from "./makeMachine";
import { controlPlaneTypeProblem } from "./instanceType";
import { defined } from "./defined";
import { checkMachineImage, talosVersionProblem } from "./machineImage";
import type { NodePermissions } from "./nodePermissions";
import { checkNodePermissions } from "./planNodePolicy";
import type { FirewallArgs } from "./firewallArgs";
import { DEFAULT_POD_CIDRS, DEFAULT_SERVICE_CIDRS, type NetworkArgs } from "./networkArgs";
import type { FirewallChoices } from "./planFirewallRules";
import { checkPodNetwork } from "./planPodNetwork";
import type { ClusterCni } from "./podNetworkPorts";
import { checkMachines } from "./planMachines";
import { judge, type PropertyProblem, within } from "./problems";

export interface TalosClusterArgs {
  /**
   * Part of the cluster's name in DNS, for example `sandbox`: the Kubernetes API is
   * `k8s.<environment>.<domain>`. It stands in every certificate, so it can't change.
   */
  readonly environment: string;
  /** A domain of your own, for example `example.com`. It can't change either. */
  readonly domain: string;
  /** Name of the cluster in kubeconfig, talosconfig and tags. Default: the component's name. */
  readonly clusterName?: pulumi.Input<string>;
  /** The Talos release the machines run, for example `v1.12.1`. */
  readonly talosVersion: pulumi.Input<string>;
  /**
   * The dialect of configuration, the Talos minor the cluster is created with, for example
   * `v1.12`. Frozen: an upgrade of Talos leaves it alone.
   */
  readonly versionContract: pulumi.Input<string>;
  /** For example `v1.35.0`; one that `talosVersion` supports. */
  readonly kubernetesVersion: pulumi.Input<string>;
  /**
   * IPv4 ranges from which `pulumi up` and `talosctl` reach the machines. A machine without its
   * first configuration obeys anyone in them: keep them narrow. Never the world.
   */
  readonly operatorCidrs: readonly string[];
  /** IPv4 ranges of the Kubernetes API's clients. Default: the operators'. */
  readonly kubernetesApiCidrs?: readonly string[];
  /** Opens the Kubernetes API, not Talos', to every address. Default: false. */
  readonly allowWorldToKubernetesApi?: boolean;
  /**
   * What clients of the Kubernetes API go through: a load balancer with `public` addresses; an
   * `internal` one, reached from the network and what is connected to it, where `pulumi up` has to
   * run then; `both`, between which clients are led by where they ask from; or none, `direct`ly to
   * the machines' public addresses, which costs no load balancer, but a client may wait for a dead
   * machine. To go from one load balancer to the other go by way of `both`. Default: `public`.
   */
  readonly exposure?: ApiExposure;
  /** When a machine gets calls; `ApiLoadBalancerArgs.healthCheck` says more. Default: by contract. */
  readonly apiHealthCheck?: ApiHealthCheck;
  /** Where the cluster lies. */
  readonly network: ClusterNetworkArgs;
  /** What the firewall opens besides what the other arguments need. Default: nothing. */
  readonly firewall?: ClusterFirewallArgs;
  /**
   * What gives pods their network: the firewall opens what it needs, the machines' configuration
   * says who brings it. `flannel` Talos brings itself; `cilium` and `calico` come by `cniManifests`,
   * or from you once the API answers; so does what `none` leaves open, whose ports
   * `firewall.extraRules` open. Going over to another one in a cluster that runs is up to you.
   * Default: `flannel`.
   */
  readonly cni?: ClusterCni;
  /**
   * URLs of manifests that install `cni`, which Talos fetches and applies; name a version in them.
   * Default: none, so the cluster is done before its nodes are Ready unless `healthGates` says else.
   */
  readonly cniManifests?: readonly string[];
  /**
   * Has the traffic between machines go through WireGuard, and opens its port between them. Needs
   * `machineConfiguration.discovery`, which is on by default. Default: false.
   */
  readonly kubeSpan?: boolean;
  /**
   * What the cluster runs besides Kubernetes: cloud controller, EBS CSI driver, metrics server and
   * more. Default: nothing.
   */
  readonly addOns?: ClusterAddOnsArgs;
  /** Default: three machines `m6i.large`. */
  readonly controlPlane?: ClusterControlPlaneArgs;
  /** Default: the name is written into the account's public hosted zone of `domain`. */
  readonly dns?: ClusterDnsArgs;
  /** AWS refuses to delete the API load balancer until this is false again. Default: false. */
  readonly loadBalancerDeletionProtection?: pulumi.Input<boolean>;
  /** Ranges of pods. Default: `["10.244.0.0/16"]`. They can't change. */
  readonly podCidrs?: readonly string[];
  /** Ranges of services. Default: `["10.96.0.0/12"]`. They can't change. */
  readonly serviceCidrs?: readonly string[];
  /**
   * What the configuration of every control plane machine says besides what the cluster makes of
   * it: labels, sysctls, certificate names, system extensions and more. Default: Talos' defaults.
   */
  readonly machineConfiguration?: ClusterMachineConfigurationArgs;
  /**
   * Patches for the machine configuration of every control plane machine, as
   * `MachineConfigurationArgs.patches` takes them; for what `machineConfiguration` has no word for.
   * Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * What the holder of the `talosconfig` output may do. Default: `["os:admin"]`, everything; with
   * `["os:reader"]` it only looks.
   */
  readonly talosconfigRoles?: pulumi.Input<pulumi.Input<Role>[]>;
  /**
   * What has to be well before the cluster is done: `etcd`, `apiServer`, `nodesReady`. Default: all of
   * it, on every machine; without `nodesReady` where the network plugin comes later.
   */
  readonly healthGates?: pulumi.Input<pulumi.Input<HealthGate>[]>;
  /** How long a machine may take to run its configuration. Seconds. Default: 600. */
  readonly applyTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Pulumi refuses to delete or replace what the cluster can't be made again from: its secrets,
   * machines, load balancer, network and hosted zone. Default: false.
   */
  readonly protect?: boolean;
  /** More tags for every AWS resource that takes tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * Options of a machine configuration that the cluster doesn't set itself; see
 * `MachineConfigurationArgs`. What opens ports between machines is the cluster's own: `cni` and
 * `kubeSpan`.
 */
export type ClusterMachineConfigurationArgs = Omit<
  MachineConfigurationArgs,
  | "clusterName"
  | "endpoint"
  | "machineType"
  | "secretsBundle"
  | "talosVersion"
  | "versionContract"
  | "kubernetesVersion"
  | "installDisk"
  | "podCidrs"
  | "serviceCidrs"
  | "hostname"
  | "cni"
  | "kubeSpan"
  | "patches"
>;

/** Where a cluster lies; `NetworkArgs` says what each means. */
export type ClusterNetworkArgs = Omit<
  NetworkArgs,
  "clusterName" | "podCidrs" | "serviceCidrs" | "protect" | "tags"
>;

/** What a cluster's firewall opens besides; `FirewallArgs` says what each means. */
export type ClusterFirewallArgs = Pick<
  FirewallArgs,
  "kubeSpanCidrs" | "allowWorldToKubeSpan" | "monitoring" | "extraRules" | "adopt"
>;

/** A cluster's control plane; `ControlPlaneArgs` says what each means. */
export interface ClusterControlPlaneArgs {
  readonly machineCount?: number;
  readonly instanceType?: pulumi.Input<string>;
  /** What is special about single machines, by their keys `1` to `5`. Default: nothing. */
  readonly machines?: Readonly<Record<string, ClusterMachineArgs>>;
  /** An image to boot other than the official one of `talosVersion`. */
  readonly imageId?: pulumi.Input<string>;
  /** Owner of the image to boot; see `MachineImageArgs.owner`. Default: Sidero Labs. */
  readonly imageOwner?: string;
  /** Name of the image to boot; see `MachineImageArgs.imageName`. Default: the official one's. */
  readonly imageName?: string;
  /** What the machines may do in AWS. Default: to see themselves and their like. */
  readonly role?: ClusterRoleArgs;
  readonly rootVolumeSizeGib?: number;
  readonly terminationProtection?: pulumi.Input<boolean>;
}

/** The IAM role of a cluster's machines; `NodeRoleArgs` says what each means. */
export interface ClusterRoleArgs {
  readonly permissions?: NodePermissions;
  readonly permissionsBoundaryArn?: string;
  /** Takes an instance profile that is there. Exclusive with all others. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /** Gives machines no role: nothing on them can call AWS. Exclusive with all others. Default: false. */
  readonly none?: boolean;
}

/** What is special about one machine. */
export interface ClusterMachineArgs {
  /** Key of the zone to be in; a change replaces the machine. Default: spread at creation. */
  readonly zone?: string;
  /** Patches for this machine alone, applied after those of all. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
}

/** Where a cluster's name is written; `DnsRecordArgs` says more. */
export interface ClusterDnsArgs {
  /** Id of the hosted zone to write into. Exclusive with `createZone`. */
  readonly zoneId?: pulumi.Input<string>;
  /** Makes a hosted zone, which the parent domain has to delegate to. Default: false. */
  readonly createZone?: boolean;
  /**
   * The zone is private to the cluster's network, so that nobody else learns the name. For an
   * `internal` exposure only. Default: false.
   */
  readonly privateZone?: boolean;
  /**
   * Default: `<environment>.<domain>` for a zone that is made (the whole name for a private one), else
   * `domain`.
   */
  readonly zoneName?: string;
  /** The provider of the account that the zone is in. Default: the cluster's own. */
  readonly provider?: pulumi.ProviderResource;
}

/** The ranges a cluster's pods and services have. */
export function clusterRanges(args: TalosClusterArgs) {
  return {
    podCidrs: args.podCidrs ?? DEFAULT_POD_CIDRS,
    serviceCidrs: args.serviceCidrs ?? DEFAULT_SERVICE_CIDRS,
  };
}

/** What a cluster's firewall is planned from. */
export function clusterFirewall(args: TalosClusterArgs): FirewallChoices {
  const { kubeSpanCidrs, allowWorldToKubeSpan, monitoring, extraRules } = args.firewall ?? {};
  return {
    kubeSpanCidrs,
    allowWorldToKubeSpan,
    monitoring,
    extraRules,
    operatorCidrs: args.operatorCidrs,
    kubernetesApiCidrs: args.kubernetesApiCidrs,
    allowWorldToKubernetesApi: args.allowWorldToKubernetesApi,
    exposure: args.exposure,
    cni: args.cni,
    kubeSpan: args.kubeSpan,
    ipv6: args.network.ipv6,
  };
}

/** All that is wrong with the choice of a role. */
function checkRole(role: ClusterRoleArgs): PropertyProblem[] {
  const { none = false, instanceProfileName, permissions = {}, permissionsBoundaryArn } = role;
  const makes = [
    ...(role.permissions === undefined ? [] : ["permissions"]),
    ...(permissionsBoundaryArn === undefined ? [] : ["permissionsBoundaryArn"]),
  ];
  const others = [...(instanceProfileName === undefined ? [] : ["instanceProfileName"]), ...makes];
  const clash = (property: string, which: readonly string[]) =>
    which.length === 0
      ? []
      : [{ property, reason: `it excludes ${which.join(" and ")}: leave out one or the other` }];
  return [
    ...(none ? clash("none", others) : []),
    ...(instanceProfileName === undefined ? [] : clash("instanceProfileName", makes)),
    ...within("permissions", checkNodePermissions(permissions)),
  ];
}

/** What an image is looked up by, in the words of `MachineImageArgs`. */
function checkImage(controlPlane: ClusterControlPlaneArgs): PropertyProblem[] {
  const { imageId, imageOwner: owner, imageName } = controlPlane;
  return checkMachineImage(defined({ imageId, owner, imageName })).map((problem) =>
    problem.property === "owner" ? { ...problem, property: "imageOwner" } : problem,
  );
}

/** All that can be known to be wrong with a cluster's arguments before anything is made. */
export function checkTalosCluster(args: TalosClusterArgs, apiName: string): PropertyProblem[] {
  const { environment, domain, network, controlPlane = {}, dns = {} } = args;
  const ranges = clusterRanges(args);
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string | undefined) => {
    if (reason !== undefined) {
      problems.push({ property, reason });
    }
  };
  const { versionContract, apiHealthCheck: healthCheck } = args;
  for (const { property, reason } of checkApiLoadBalancer(
    apiName,
    defined({ versionContract, healthCheck }),
  )) {
    say(property === "healthCheck" ? "apiHealthCheck" : property, reason);
  }
  say("environment", dnsLabelProblem(environment));
  say("domain", dnsNameProblem(domain));
  if (problems.every(({ property }) => property === "name" || property === "apiHealthCheck")) {
    const choices = {
      ...clusterNames(args),
      adoptsById: dns.zoneId !== undefined,
      createZone: dns.createZone ?? false,
    };
    problems.push(...within("dns", checkDnsRecord(choices)));
    if (dns.privateZone === true && args.exposure !== "internal") {
      const reason = `only the network could look the name up, and the exposure "${args.exposure ?? "public"}" is for others, too: set exposure "internal", or leave this out`;
      problems.push({ property: "dns.privateZone", reason });
    }
  }
  problems.push(...judge("talosVersion", args.talosVersion, talosVersionProblem).problems);
  for (const problem of checkFirewall(clusterFirewall(args))) {
    const isAsked = /^(kubeSpanCidrs|allowWorldToKubeSpan|monitoring|extraRules)/.test(
      problem.property,
    );
    problems.push(...(isAsked ? within("firewall", [problem]) : [problem]));
  }
  problems.push(...checkPodNetwork(args), ...checkAddOns(args));
  const networkProblems = checkNetwork({ ...network, ...ranges });
  for (const problem of networkProblems) {
    const isRange = /^(pod|service)Cidrs/.test(problem.property);
    problems.push(...(isRange ? [problem] : within("network", [problem])));
  }
  const zoneKeys = publicZoneKeys(network);
  if (networkProblems.length === 0 && zoneKeys.length === 0) {
    const reason = `no public subnet is given, and the cluster's machines and load balancer lie in those: name one for each zone`;
    problems.push({ property: "network.adopt.publicSubnetIds", reason });
  }
  const { instanceType } = controlPlane;
  problems.push(
    ...within("controlPlane", [
      ...checkMachines({
        machineCount: controlPlane.machineCount ?? DEFAULT_MACHINE_COUNT,
        zoneKeys,
        machines: controlPlane.machines,
      }),
      ...(instanceType === undefined
        ? []
        : judge("instanceType", instanceType, controlPlaneTypeProblem).problems),
      ...checkRootVolume(controlPlane.rootVolumeSizeGib),
      ...checkImage(controlPlane),
      ...within("role", checkRole(controlPlane.role ?? {})),
    ]),
  );
  return problems;
}
