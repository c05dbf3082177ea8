import * as pulumi from "@pulumi/pulumi";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationApply,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
  type SecretsBundle,
  UserKubeconfig,
} from "../provider";
import type { ClusterKubeconfigRequest } from "./clusterKubeconfigRequest";
import { clusterNames } from "./clusterNames";
import { ControlPlane, type ControlPlaneMachine, DEFAULT_CONTROL_PLANE_TYPE } from "./controlPlane";
import { defined } from "./defined";
import { Firewall } from "./firewall";
import { architectureOf } from "./instanceType";
import { type ClusterEntrances, makeApiLoadBalancers } from "./makeApiLoadBalancers";
import { makeClusterNames } from "./makeClusterNames";
import { MachineImage } from "./machineImage";
import { Network } from "./network";
import { NodeRole } from "./nodeRole";
import { KUBERNETES_API_PORT } from "./planFirewallRules";
import { planPodNetwork } from "./planPodNetwork";
import { refuse } from "./problems";
import {
  checkTalosCluster,
  clusterFirewall,
  clusterRanges,
  type TalosClusterArgs,
} from "./talosClusterArgs";
import { withAddOns } from "./withAddOns";

/**
 * The root volume as Nitro machines name it, whatever name EC2 knows it by (`/dev/xvda` in Talos'
 * images). It only has to be well-formed: an image is installed already, and Talos upgrades the
 * disk it finds itself on.
 */
const INSTALL_DISK = "/dev/nvme0n1";

/** How long Talos' own certificate authority lives: ten years, as talosctl makes it. */
const AUTHORITY_LIFETIME_HOURS = 87_600;

/** A machine of a cluster. */
export interface ClusterNode {
  /** Name within the stack, for example `talos-control-plane-1`. */
  readonly name: string;
  readonly role: "controlplane" | "worker";
  /** The availability zone. */
  readonly zone: string;
  readonly instanceId: string;
  readonly publicAddress: string;
  readonly privateAddress: string;
}

/** The ids of a cluster's security groups. */
export interface ClusterSecurityGroupIds {
  readonly controlPlane: string;
  readonly worker: string;
  readonly loadBalancer: string;
}

/**
 * A Kubernetes cluster of Talos machines on AWS, from network to kubeconfig. Done when etcd and
 * the API servers are healthy, the kubeconfig is accepted, and every node is Ready.
 *
 * With its defaults (three machines, three zones) it costs about $260 a month in us-east-1 (list
 * prices, November 2026): machines $210, volumes $12, load balancer $16 and traffic, six public
 * addresses $22.
 *
 * @throws pulumi.InputPropertiesError that tells everything wrong with the arguments at once
 */
export class TalosCluster extends pulumi.ComponentResource {
  /** URL of the Kubernetes API, `https://k8s.<environment>.<domain>:6443`. */
  public readonly endpoint: pulumi.Output<string>;
  /** The administrator's kubeconfig. Secret. */
  public readonly kubeconfig: pulumi.Output<string>;
  /** The file that `talosctl` reads. Secret. */
  public readonly talosconfig: pulumi.Output<string>;
  /** The machines, in the order of their keys. */
  public readonly nodes: pulumi.Output<ClusterNode[]>;
  public readonly vpcId: pulumi.Output<string>;
  /** Ids of the public subnets by zone key. */
  public readonly subnetIds: pulumi.Output<Record<string, string>>;
  /** Ids of the private subnets by zone key; none unless `network` asks for them. */
  public readonly privateSubnetIds: pulumi.Output<Record<string, string>>;
  /** The addresses by which private subnets are seen from outside, by zone key; none without NAT. */
  public readonly natAddresses: pulumi.Output<Record<string, string>>;
  public readonly securityGroupIds: pulumi.Output<ClusterSecurityGroupIds>;
  /** Of the public load balancer, else of the internal one; undefined where there is none. */
  public readonly loadBalancerDnsName: pulumi.Output<string | undefined>;
  /** The DNS servers that the domain has to delegate to when `dns.createZone` is set. */
  public readonly nameServers: pulumi.Output<string[]>;
  private readonly resourceName: string;
  /** What kubeconfigs for other users are signed with. */
  private readonly signing: {
    readonly clusterName: pulumi.Output<string>;
    readonly secretsBundle: pulumi.Output<SecretsBundle>;
  };

  constructor(name: string, given: TalosClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    refuse(`the cluster "${name}"`, checkTalosCluster(given, `${name}-api`));
    super("talos-aws:index:TalosCluster", name, {}, opts);
    this.resourceName = name;
    const args = withAddOns(given);
    const clusterName = pulumi.output(args.clusterName ?? name);
    const { recordName } = clusterNames(args);
    this.endpoint = pulumi.output(`https://${recordName}:${KUBERNETES_API_PORT}`);

    const { network, firewall, entrances } = this.makeSurroundings(name, clusterName, args);
    const controlPlane = this.makeControlPlane(name, clusterName, args, {
      network,
      firewall,
      entrances,
    });
    const machines = Object.entries(controlPlane.machines);
    const addresses = machines.map(([, { publicAddress }]) => publicAddress);

    const child = { parent: this };
    const dnsRecords = makeClusterNames(
      name,
      args,
      { vpcId: network.vpcId, entrances, addresses },
      child,
    );
    const secrets = new MachineSecrets(
      `${name}-secrets`,
      { versionContract: args.versionContract },
      { ...child, protect: args.protect ?? false },
    );
    const { secretsBundle } = secrets;
    this.signing = { clusterName, secretsBundle };
    // The program's own access. It is apart from the one it hands out, which changes with every
    // machine's address: while this one stays, a preview knows that the other machines stay too.
    const access = new ClientConfiguration(
      `${name}-access`,
      {
        clusterName,
        secretsBundle,
        endpoints: [recordName],
        // Whoever reads the state finds the authority itself there. One that ended would leave the
        // machines recorded with a certificate that neither a refresh nor a destroy could use.
        lifetimeHours: AUTHORITY_LIFETIME_HOURS,
      },
      child,
    );
    const handedOut = new ClientConfiguration(
      `${name}-client`,
      defined({
        clusterName,
        secretsBundle,
        endpoints: addresses,
        nodes: addresses,
        roles: args.talosconfigRoles,
      }),
      child,
    );
    const { podCidrs, serviceCidrs } = clusterRanges(args);
    const podNetwork = planPodNetwork(args);
    const configuration = new MachineConfiguration(
      `${name}-control-plane`,
      defined({
        ...args.machineConfiguration,
        clusterName,
        endpoint: this.endpoint,
        machineType: "controlplane" as const,
        secretsBundle,
        talosVersion: args.talosVersion,
        versionContract: secrets.versionContract,
        kubernetesVersion: args.kubernetesVersion,
        installDisk: INSTALL_DISK,
        cni: podNetwork.cni,
        kubeSpan: args.kubeSpan,
        podCidrs: [...podCidrs],
        serviceCidrs: [...serviceCidrs],
        patches: args.patches,
      }),
      child,
    );

    const applies = machines.map(([key, machine]) => {
      const apply = new ConfigurationApply(
        machine.name,
        defined({
          machineId: machine.instanceId,
          node: machine.publicAddress,
          credentials: access.credentials,
          machineConfiguration: configuration.machineConfiguration,
          redactedConfiguration: configuration.redactedConfiguration,
          patches: args.controlPlane?.machines?.[key]?.patches,
          timeoutSeconds: args.applyTimeoutSeconds,
        }),
        {
          ...child,
          // The machine must be reachable, and must find the endpoint's name from its first
          // question on: AWS' resolvers remember for 15 minutes that a name does not exist.
          dependsOn: [network, firewall, ...dnsRecords, ...machine.reachability],
        },
      );
      return { machine, apply };
    });
    const [first, ...others] = applies;
    if (first === undefined) {
      throw new Error("a control plane has at least one machine");
    }
    const bootstrap = new MachineBootstrap(
      `${name}-bootstrap`,
      {
        node: first.machine.publicAddress,
        peers: others.map(({ machine }) => machine.publicAddress),
        credentials: access.credentials,
      },
      { ...child, dependsOn: first.apply },
    );
    const kubeconfig = new ClusterKubeconfig(
      `${name}-kubeconfig`,
      { node: first.machine.publicAddress, credentials: access.credentials },
      { ...child, dependsOn: bootstrap },
    );
    new ClusterHealth(
      `${name}-health`,
      defined({
        controlPlaneNodes: addresses,
        credentials: access.credentials,
        kubeconfig: kubeconfig.kubeconfig,
        gates: args.healthGates ?? podNetwork.healthGates,
      }),
      { ...child, dependsOn: applies.map(({ apply }) => apply) },
    );

    this.kubeconfig = pulumi.secret(kubeconfig.kubeconfig);
    this.talosconfig = pulumi.secret(handedOut.talosconfig);
    this.nodes = pulumi.all(machines.map(([, machine]) => toNode(machine)));
    this.vpcId = network.vpcId;
    this.subnetIds = network.publicSubnetIds;
    this.privateSubnetIds = network.privateSubnetIds;
    this.natAddresses = network.natAddresses;
    this.securityGroupIds = pulumi.output({
      controlPlane: firewall.controlPlaneGroupId,
      worker: firewall.workerGroupId,
      loadBalancer: firewall.loadBalancerGroupId,
    });
    const entrance = entrances.public ?? entrances.internal;
    this.loadBalancerDnsName = pulumi.output(entrance?.dnsName);
    this.nameServers = dnsRecords[0].nameServers;
    this.registerOutputs({
      endpoint: this.endpoint,
      kubeconfig: this.kubeconfig,
      talosconfig: this.talosconfig,
      nodes: this.nodes,
      vpcId: this.vpcId,
      subnetIds: this.subnetIds,
      privateSubnetIds: this.privateSubnetIds,
      natAddresses: this.natAddresses,
      securityGroupIds: this.securityGroupIds,
      loadBalancerDnsName: this.loadBalancerDnsName,
      nameServers: this.nameServers,
    });
  }

  /**
   * A kubeconfig for another user, signed with the cluster's secrets and renewed like the
   * administrator's. Secret. It gives what roles are bound to the user and the groups, and that until
   * its certificate ends, as Kubernetes takes none back.
   *
   * @param opts for the resource `<cluster>-kubeconfig-<user>` that keeps it
   */
  public getKubeconfig(
    { user, serverUrl = this.endpoint, ...rest }: ClusterKubeconfigRequest,
    opts?: pulumi.CustomResourceOptions,
  ): pulumi.Output<string> {
    const { kubeconfig } = new UserKubeconfig(
      `${this.resourceName}-kubeconfig-${user}`,
      { ...rest, ...this.signing, user, serverUrl },
      { parent: this, ...opts },
    );
    return pulumi.secret(kubeconfig);
  }

  /** What there is before the machines. */
  private makeSurroundings(
    name: string,
    clusterName: pulumi.Output<string>,
    args: TalosClusterArgs,
  ) {
    const child = { parent: this };
    const { tags, protect } = args;
    const network = new Network(
      `${name}-network`,
      defined({ clusterName, ...args.network, ...clusterRanges(args), protect, tags }),
      child,
    );
    const firewall = new Firewall(
      `${name}-firewall`,
      defined({
        ...clusterFirewall(args),
        clusterName,
        vpcId: network.vpcId,
        adopt: args.firewall?.adopt,
        tags,
      }),
      child,
    );
    const entrances = makeApiLoadBalancers(name, args, { network, firewall }, child);
    return { network, firewall, entrances };
  }

  private makeControlPlane(
    name: string,
    clusterName: pulumi.Output<string>,
    args: TalosClusterArgs,
    around: { network: Network; firewall: Firewall; entrances: ClusterEntrances },
  ): ControlPlane {
    const child = { parent: this };
    const { tags, protect, controlPlane = {} } = args;
    const instanceType = pulumi.output(controlPlane.instanceType ?? DEFAULT_CONTROL_PLANE_TYPE);
    const { none = false, instanceProfileName, ...choices } = controlPlane.role ?? {};
    const role =
      none || instanceProfileName !== undefined
        ? undefined
        : new NodeRole(
            `${name}-control-plane`,
            defined({ machines: "control plane", clusterName, ...choices, tags }),
            child,
          );
    const image = new MachineImage(
      `${name}-image`,
      defined({
        talosVersion: args.talosVersion,
        architecture: instanceType.apply(architectureOf),
        imageId: controlPlane.imageId,
        owner: controlPlane.imageOwner,
        imageName: controlPlane.imageName,
      }),
      child,
    );
    return new ControlPlane(
      `${name}-control-plane`,
      defined({
        clusterName,
        subnets: around.network.publicSubnets,
        machineCount: controlPlane.machineCount,
        machines: controlPlane.machines,
        instanceType: controlPlane.instanceType,
        imageId: image.imageId,
        securityGroupId: around.firewall.controlPlaneGroupId,
        instanceProfileName: role?.instanceProfileName ?? instanceProfileName,
        targets: around.entrances.targets,
        publicApiGroupId: around.entrances.publicApiGroupId,
        rootVolumeSizeGib: controlPlane.rootVolumeSizeGib,
        terminationProtection: controlPlane.terminationProtection,
        protect,
        tags,
      }),
      // A machine is given its public address while there is a gateway, and keeps the gateway.
      { ...child, dependsOn: around.network },
    );
  }
}

function toNode(machine: ControlPlaneMachine): pulumi.Output<ClusterNode> {
  return pulumi
    .all([machine.zone, machine.instanceId, machine.publicAddress, machine.privateAddress])
    .apply(([zone, instanceId, publicAddress, privateAddress]) => ({
      name: machine.name,
      role: "controlplane" as const,
      zone,
      instanceId,
      publicAddress,
      privateAddress,
    }));
}
