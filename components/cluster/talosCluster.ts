import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { ClientConfiguration, UserKubeconfig, type UserKubeconfigArgs } from "../../provider";
import { omitTraces } from "../../provider/engine";
import { eachAddOn } from "../addOns/addOnChoices";
import type { AddOnDelivery } from "../addOns/common/addOnDelivery";
import type { ControlPlaneMachine } from "../controlPlane/controlPlane";
import { defined } from "../defined";
import { KUBERNETES_API_PORT } from "../firewall/planFirewallRules";
import type { ServiceAccountRoleRequest } from "../identity/irsaArgs";
import { ServiceAccountRole } from "../identity/serviceAccountRole";
import { StoppedMachines } from "../machines/stoppedMachines";
import { refuse, withUnknownArguments } from "../problems";
import { chooseAddOns } from "./addOns/chooseAddOns";
import { makeOwnManifests } from "./addOns/makeOwnManifests";
import type { ClusterKubeconfigRequest } from "./arguments/clusterKubeconfigRequest";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { checkConfiguration } from "./checks/checkConfiguration";
import { checkTalosCluster } from "./checks/checkTalosCluster";
import {
  type ClusterIngress,
  type ClusterNode,
  type ClusterRole,
  type ClusterSecurityGroupIds,
  ingressOf,
  rolesOf,
  toNode,
} from "./clusterOutputs";
import type { ClusterJoin } from "./join/clusterJoin";
import { makeJoin } from "./join/makeJoin";
import { knownAccess, makeLoginKubeconfig } from "./makers/makeAccess";
import { makeClusterHealth } from "./makers/makeClusterHealth";
import { configurationOf, makeControlPlaneConfiguration } from "./makers/makeConfiguration";
import { makeControlPlane } from "./makers/makeControlPlane";
import { makeDnsRecords } from "./makers/makeDnsRecords";
import { type ClusterIdentity, makeIdentity } from "./makers/makeIdentity";
import { makeKarpenter } from "./makers/makeKarpenter";
import { makeRotation } from "./makers/makeRotation";
import { makeSecrets } from "./makers/makeSecrets";
import { makeSurroundings } from "./makers/makeSurroundings";
import { makeWorkerPools } from "./makers/makeWorkerPools";
import type { PoolDependencies } from "./makers/poolDependencies";
import { startControlPlane } from "./makers/startControlPlane";
import { planCluster } from "./plan/planCluster";

/** Lifetime of Talos' own CA: ten years, as talosctl creates it. */
const AUTHORITY_LIFETIME_HOURS = 87_600;

const TYPE = "talos-aws:index:TalosCluster";

/**
 * A Kubernetes cluster of Talos machines on AWS, from network to kubeconfig. It is done when etcd
 * and the API servers are healthy, the kubeconfig is accepted, and every node is Ready. The default
 * cluster (three machines, three zones) costs about $261 a month in us-east-1 (list prices,
 * November 2026): machines $210, volumes $12, load balancer $16 and traffic, six public addresses
 * $22.
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments
 */
export class TalosCluster extends pulumi.ComponentResource {
  /** URL of the Kubernetes API, `https://k8s.<environment>.<domain>:6443`. */
  readonly endpoint: pulumi.Output<string>;
  /**
   * The administrator's kubeconfig. Secret. It is known as soon as an API server accepts it, so that
   * you can look into a cluster that doesn't become healthy.
   */
  readonly kubeconfig: pulumi.Output<string>;
  /**
   * The same kubeconfig, known when the cluster is healthy: etcd, the API servers and, unless
   * `healthGates` leaves them out, all nodes. Secret. It is for a Kubernetes provider in the same
   * program. What the provider makes is then created after the machines, changed after they are
   * healthy with a change, and deleted before any of them.
   */
  readonly kubeconfigWhenHealthy: pulumi.Output<string>;
  /**
   * The kubeconfig of people who log in by the argument `access`: `kubectl` runs `talos-aws token` with the
   * caller's AWS credentials, or without `access.aws` `kubectl oidc-login` for the first issuer. It has no key,
   * so you can hand it to everybody. Undefined without an issuer.
   */
  readonly accessKubeconfig: pulumi.Output<string | undefined>;
  /** The file that `talosctl` reads. Secret. */
  readonly talosconfig: pulumi.Output<string>;
  /**
   * The machines with fixed names, in the order of their keys: the control plane's, then those of
   * fixed pools.
   */
  readonly nodes: pulumi.Output<ClusterNode[]>;
  /**
   * Names of auto scaling groups by pool and by the key of their zone, or by `all`. A pool of Karpenter is there without
   * any.
   */
  readonly autoScalingGroupNames: pulumi.Output<Record<string, Record<string, string>>>;
  /** Id of the VPC. */
  readonly vpcId: pulumi.Output<string>;
  /** Ids of the public subnets by zone key. */
  readonly subnetIds: pulumi.Output<Record<string, string>>;
  /** Ids of the private subnets by zone key; none unless `network` asks for them. */
  readonly privateSubnetIds: pulumi.Output<Record<string, string>>;
  /** Ids of the subnets in `network.workerCidrBlock` by zone key; none by default. */
  readonly workerSubnetIds: pulumi.Output<Record<string, string>>;
  /**
   * The public addresses of private subnets, as seen from outside, by zone key; none without NAT.
   */
  readonly natAddresses: pulumi.Output<Record<string, string>>;
  /** Ids of the security groups. */
  readonly securityGroupIds: pulumi.Output<ClusterSecurityGroupIds>;
  /**
   * The IAM roles made for machines, by kind: `control-plane`, the name of a pool that has its own,
   * and `workers` for all other pools.
   */
  readonly roles: pulumi.Output<Record<string, ClusterRole>>;
  /**
   * The DNS name of the public load balancer, or else of the internal one; undefined without one.
   */
  readonly loadBalancerDnsName: pulumi.Output<string | undefined>;
  /** The load balancers in front of pools, by pool, for DNS records. */
  readonly ingress: pulumi.Output<Record<string, ClusterIngress>>;
  /** The name servers to which the domain must delegate if `dns.createZone` is set. */
  readonly nameServers: pulumi.Output<string[]>;
  /** URL of the issuer of service accounts' tokens, as AWS knows it; undefined without `irsa`. */
  readonly issuerUrl: pulumi.Output<string | undefined>;
  /**
   * What a pool of workers needs that another component, team or stack makes: `JoinedWorkerPool`. Secret.
   * Without its `administration`, it adds workers and gives no access. With it, its holder has the whole cluster.
   */
  readonly join: ClusterJoin;
  private readonly resourceName: string;
  private readonly identity: ClusterIdentity | undefined;
  /** The tags of the cluster's resources. */
  private readonly tags: TalosClusterArgs["tags"];
  /** The CA that signs kubeconfigs for other users. */
  private readonly signing: Pick<
    UserKubeconfigArgs,
    "clusterName" | "secretsBundle" | "acceptedAuthorities"
  >;

  constructor(name: string, given: TalosClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const chosen = chooseAddOns(given);
    const problems = [
      ...checkConfiguration(pulumi.getProject(), Object.keys(pulumi.runtime.allConfig())),
      ...checkTalosCluster(name, chosen),
    ];
    refuse(`the cluster "${name}"`, withUnknownArguments(TYPE, given, problems));
    super(TYPE, name, {}, opts);
    const restoreTraces = omitTraces();
    try {
      this.resourceName = name;
      this.tags = given.tags;
      const args = planCluster(chosen, () => aws.getRegionOutput({}, { parent: this }).region);
      const clusterName = pulumi.output(args.clusterName ?? name);
      const { recordName } = args.facts.names;
      this.endpoint = pulumi.output(`https://${recordName}:${KUBERNETES_API_PORT}`);

      const child = { parent: this };
      const { network, firewall, entrances } = makeSurroundings(name, clusterName, args, child);
      const { protect, tags } = args;
      eachAddOn(args.addOns ?? {}, (_name, addOn, choice) => {
        addOn.make?.(choice, {
          name,
          cluster: args.facts.addOnCluster,
          protect,
          tags,
          parent: this,
        });
        return [];
      });
      const secrets = makeSecrets(name, args, child);
      const rotation = makeRotation(name, args.rotation ?? {}, secrets, child);
      const { secretsBundle } = rotation.of("controlplane");
      this.signing = defined({
        clusterName,
        secretsBundle,
        acceptedAuthorities: rotation.trusted("kubernetesCa"),
      });
      // The program's own access, separate from the output, which changes with every machine's
      // address. While this one stays, a preview knows that the other machines stay.
      const access = new ClientConfiguration(
        `${name}-access`,
        defined({
          clusterName,
          secretsBundle,
          acceptedAuthorities: rotation.trusted("talosCa"),
          endpoints: [recordName],
          // A reader of the state has the CA itself. An expired certificate would leave machines that
          // neither a refresh nor a destroy could reach.
          lifetimeHours: AUTHORITY_LIFETIME_HOURS,
        }),
        child,
      );
      this.identity = makeIdentity(
        name,
        args,
        { clusterName, secretsBundle, serviceAccountKeys: rotation.serviceAccountKeys },
        child,
      );
      const sources = { clusterName, endpoint: this.endpoint, secrets, rotation };
      const servingAuthorities = rotation.authorities("kubernetesCa");
      const { roles = {} } = this.identity ?? {};
      const manifests = makeOwnManifests(args, { clusterName, servingAuthorities, roles }, child);
      const at = (where: AddOnDelivery) =>
        manifests.filter(({ delivery: to, isApart }) => to === where && isApart !== true);
      const logins = knownAccess(args, this);
      const configuration = makeControlPlaneConfiguration(
        name,
        args,
        sources,
        { identity: this.identity, logins, manifests: at("machineConfiguration") },
        child,
      );
      const nameMachines = (machines: readonly ControlPlaneMachine[]) =>
        makeDnsRecords(
          name,
          args,
          {
            vpcId: network.vpcId,
            entrances,
            machines,
            // One serving machine is enough: all of them would delay the first.
            targets: machines[0]?.reachability ?? [],
          },
          child,
        );
      // Machines that boot with user data ask for the name at once. Others wait for the program, so
      // the name can wait for the first of them. It then resolves to a serving target, also when a
      // load balancer is replaced.
      const { delivery } = args.facts.access;
      const early =
        entrances.any === undefined || delivery === "apply" ? undefined : nameMachines([]);
      const dependencies = { network, firewall, entrances };
      const dependsOn = [network, firewall, ...entrances.fromNat, ...(early ?? [])];
      const { machines: controlPlane, role } = makeControlPlane(
        name,
        args,
        { ...dependencies, clusterName, access, configuration, rotation, dependsOn },
        child,
      );
      const machines = Object.values(controlPlane.machines);
      const dnsRecords = early ?? nameMachines(machines);
      const stopped = new StoppedMachines(`${name}-start`, this, {
        clusterName,
        securityGroupId: firewall.controlPlaneGroupId,
      });
      const started = startControlPlane(
        name,
        args,
        // A machine must be reachable, and must resolve the endpoint's name at its first query: AWS'
        // resolvers remember for 15 minutes that a name does not exist.
        {
          controlPlane,
          access,
          configuration,
          secrets,
          rotation,
          lateManifests: at("afterBootstrap"),
          vpcId: network.vpcId,
          stopped,
          dependsOn: [...dependsOn, ...dnsRecords],
        },
        child,
      );
      const { kubeconfig, addresses, talosEndpoint } = started;
      const { endpoint } = args.facts.access;
      const ofPools: PoolDependencies = {
        ...dependencies,
        clusterName,
        publicApiGroupId: entrances.publicApiGroupId,
        configuration: configurationOf("worker", args, sources),
        endpoint: this.endpoint,
        credentials: access.credentials,
        talosEndpoint,
        bootDependsOn: [...dependsOn, ...dnsRecords],
        controlPlanes: addresses,
        identity: rotation.identity,
        secrets,
        kubernetes: started.kubernetes,
        configurationDependsOn: started.applies,
      };
      const workers = makeWorkerPools(name, args, ofPools, child);
      this.join = makeJoin(args, ofPools);
      const karpenter = makeKarpenter(
        name,
        args,
        {
          manifests: manifests.filter(({ isApart }) => isApart),
          pools: workers.karpenterPools,
          role: roles.karpenter,
          access: defined({ nodes: [...addresses], endpoint, credentials: access.credentials }),
          dependsOn: [
            kubeconfig,
            ...started.applies,
            ...(started.objects === undefined ? [] : [started.objects]),
          ],
        },
        child,
      );
      const ofHealth = { access, controlPlanes: machines, started, workers, karpenter };
      const health = makeClusterHealth(name, args, ofHealth, child);
      const handedOut = new ClientConfiguration(
        `${name}-client`,
        defined({
          clusterName,
          secretsBundle,
          acceptedAuthorities: rotation.trusted("talosCa"),
          endpoints: endpoint === undefined ? [...addresses] : [endpoint],
          nodes: [...addresses],
          roles: args.talosconfigRoles,
          lifetimeHours: args.talosconfigLifetimeHours,
        }),
        child,
      );

      this.kubeconfig = pulumi.secret(kubeconfig.kubeconfig);
      // Of the resource's outputs, a preview knows the URN also while it changes.
      this.kubeconfigWhenHealthy = pulumi
        .all([this.kubeconfig, health.urn])
        .apply(([known]) => known);
      this.accessKubeconfig = makeLoginKubeconfig(
        args,
        logins,
        { ...this.signing, endpoint: this.endpoint },
        child,
      );
      this.talosconfig = pulumi.secret(handedOut.talosconfig);
      this.nodes = pulumi.all([
        ...machines.map((machine) => toNode(machine)),
        ...workers.machines.map((machine) => toNode(machine, machine.pool)),
      ]);
      this.autoScalingGroupNames = workers.groupNames;
      this.vpcId = network.vpcId;
      this.subnetIds = network.publicSubnetIds;
      this.privateSubnetIds = network.privateSubnetIds;
      this.workerSubnetIds = network.workerSubnetIds;
      this.natAddresses = network.natAddresses;
      this.securityGroupIds = pulumi.output({
        controlPlane: firewall.controlPlaneGroupId,
        worker: firewall.workerGroupId,
        loadBalancer: firewall.loadBalancerGroupId,
      });
      this.loadBalancerDnsName = pulumi.output(entrances.any?.dnsName);
      this.ingress = ingressOf(workers.ingress);
      this.nameServers = dnsRecords[0].nameServers;
      this.issuerUrl = pulumi.output(this.identity?.issuer.url);
      this.roles = rolesOf({ ...(role && { "control-plane": role }), ...workers.roles });
      // Without `join`: a state has its secrets once already.
      this.registerOutputs({
        endpoint: this.endpoint,
        kubeconfig: this.kubeconfig,
        accessKubeconfig: this.accessKubeconfig,
        talosconfig: this.talosconfig,
        nodes: this.nodes,
        autoScalingGroupNames: this.autoScalingGroupNames,
        vpcId: this.vpcId,
        subnetIds: this.subnetIds,
        privateSubnetIds: this.privateSubnetIds,
        workerSubnetIds: this.workerSubnetIds,
        natAddresses: this.natAddresses,
        securityGroupIds: this.securityGroupIds,
        loadBalancerDnsName: this.loadBalancerDnsName,
        ingress: this.ingress,
        nameServers: this.nameServers,
        roles: this.roles,
        issuerUrl: this.issuerUrl,
      });
    } finally {
      restoreTraces();
    }
  }

  /**
   * A kubeconfig for another user, signed with the cluster's secrets and renewed like the
   * administrator's. Secret. It grants the roles that you bind to the user and the groups. It works
   * until its certificate expires, because Kubernetes cannot revoke it.
   *
   * @param opts for its resource `<cluster>-kubeconfig-<user>`
   */
  createKubeconfig(
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

  /**
   * The same as `createKubeconfig`.
   *
   * @deprecated Use `createKubeconfig`, which says that it creates a resource.
   */
  getKubeconfig(
    request: ClusterKubeconfigRequest,
    opts?: pulumi.CustomResourceOptions,
  ): pulumi.Output<string> {
    return this.createKubeconfig(request, opts);
  }

  /**
   * Creates an IAM role for the pods of one service account, and for no others. Annotate the service
   * account with the role's `annotations`. Resource names start with `<cluster>-<namespace>-<name>`.
   *
   * @param opts options of the component `ServiceAccountRole`
   * @throws pulumi.InputPropertiesError if the request is invalid, or the cluster has no `irsa`
   */
  createServiceAccountRole(
    request: ServiceAccountRoleRequest,
    opts?: pulumi.ComponentResourceOptions,
  ): ServiceAccountRole {
    const name = `${this.resourceName}-${request.namespace}-${request.name}`;
    const { identity } = this;
    if (identity === undefined) {
      const reason = "AWS doesn't know the cluster's service accounts: set irsa of the cluster";
      refuse(`the role "${name}"`, [{ property: "irsa", reason }]);
      throw new Error(reason);
    }
    const { url: issuerUrl, providerArn } = identity.issuer;
    return new ServiceAccountRole(
      name,
      defined({ tags: this.tags, ...request, issuerUrl, providerArn }),
      { parent: this, ...opts },
    );
  }

  /**
   * The same as `createServiceAccountRole`.
   *
   * @deprecated Use `createServiceAccountRole`, which says that it creates resources.
   */
  serviceAccountRole(
    request: ServiceAccountRoleRequest,
    opts?: pulumi.ComponentResourceOptions,
  ): ServiceAccountRole {
    return this.createServiceAccountRole(request, opts);
  }
}
