import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { UserKubeconfig } from "../../provider";
import { omitTraces } from "../../provider/engine";
import { defined } from "../defined";
import type { ServiceAccountRoleRequest } from "../identity/irsaArgs";
import { ServiceAccountRole } from "../identity/serviceAccountRole";
import { refuse, withUnknownArguments } from "../problems";
import { chooseAddOns } from "./addOns/chooseAddOns";
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
import { type ClusterParts, makeCluster } from "./makers/makeCluster";
import { planCluster } from "./plan/planCluster";

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
  private readonly identity: ClusterParts["identity"];
  private readonly tags: TalosClusterArgs["tags"];
  /** The CA that signs kubeconfigs for other users. */
  private readonly signing: ClusterParts["signing"];

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
      const made = makeCluster(name, args, this);
      const { network, firewall, entrances, machines, role, workers } = made;
      this.signing = made.signing;
      this.identity = made.identity;
      this.endpoint = made.endpoint;
      this.join = made.join;
      this.kubeconfig = made.kubeconfig;
      this.kubeconfigWhenHealthy = made.kubeconfigWhenHealthy;
      this.accessKubeconfig = made.accessKubeconfig;
      this.talosconfig = pulumi.secret(made.talosconfig);
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
      this.nameServers = made.nameServers;
      this.issuerUrl = pulumi.output(made.identity?.issuer.url);
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
