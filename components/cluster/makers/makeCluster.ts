import * as pulumi from "@pulumi/pulumi";
import { ClientConfiguration, type UserKubeconfigArgs } from "../../../provider";
import { eachAddOn } from "../../addOns/addOnChoices";
import type { ControlPlaneMachine } from "../../controlPlane/controlPlane";
import { defined } from "../../defined";
import { makeHelm } from "../../helm";
import { StoppedMachines } from "../../machines/stoppedMachines";
import type { NodeRole } from "../../permissions/nodeRole";
import type { ClusterJoin } from "../join/clusterJoin";
import { makeJoin } from "../join/makeJoin";
import type { ClusterPlan } from "../plan/planCluster";
import { makeLoginKubeconfig } from "./makeAccess";
import { makeClusterConfiguration } from "./makeClusterConfiguration";
import { makeClusterHealth } from "./makeClusterHealth";
import { makeControlPlane } from "./makeControlPlane";
import { makeDnsRecords } from "./makeDnsRecords";
import type { ClusterIdentity } from "./makeIdentity";
import { makeKarpenter } from "./makeKarpenter";
import { type ClusterSurroundings, makeSurroundings } from "./makeSurroundings";
import { type ClusterWorkers, makeWorkerPools } from "./makeWorkerPools";
import type { PoolDependencies } from "./poolDependencies";
import { startControlPlane } from "./startControlPlane";

/** Lifetime of Talos' own CA: ten years, as talosctl creates it. */
const AUTHORITY_LIFETIME_HOURS = 87_600;

/** What a cluster's outputs are made of. */
export interface ClusterParts extends ClusterSurroundings {
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Output<string>;
  /** The CA that signs kubeconfigs for other users. */
  readonly signing: Pick<
    UserKubeconfigArgs,
    "clusterName" | "secretsBundle" | "acceptedAuthorities"
  >;
  /** How AWS knows the cluster's service accounts; undefined without `irsa`. */
  readonly identity: ClusterIdentity | undefined;
  /** The control plane's machines. */
  readonly machines: readonly ControlPlaneMachine[];
  /** The role that was made for them. */
  readonly role: NodeRole | undefined;
  readonly workers: ClusterWorkers;
  readonly join: ClusterJoin;
  /** The administrator's kubeconfig, once an API server accepts it. */
  readonly kubeconfig: pulumi.Output<string>;
  /** The same, once the cluster is healthy. */
  readonly kubeconfigWhenHealthy: pulumi.Output<string>;
  /** The kubeconfig of people who log in; undefined without an issuer. */
  readonly accessKubeconfig: pulumi.Output<string | undefined>;
  readonly talosconfig: pulumi.Output<string>;
  readonly nameServers: pulumi.Output<string[]>;
}

/**
 * Creates all resources of a cluster, each when what it needs is there.
 *
 * @param cluster their parent
 */
export function makeCluster(
  name: string,
  args: ClusterPlan,
  cluster: pulumi.ComponentResource,
): ClusterParts {
  const configuration = makeClusterConfiguration(name, args, cluster);
  const { clusterName, endpoint: endpointUrl, secrets, rotation, identity } = configuration;
  const { recordName } = args.facts.names;

  const child = { parent: cluster };
  const surroundings = makeSurroundings(name, clusterName, args, child);
  const { network, firewall, entrances } = surroundings;
  const { protect, tags } = args;
  eachAddOn(args.addOns ?? {}, (_name, addOn, choice) => {
    addOn.make?.(choice, {
      name,
      cluster: args.facts.addOnCluster,
      protect,
      tags,
      parent: cluster,
    });
    return [];
  });
  const { secretsBundle } = rotation.of("controlplane");
  const signing = defined({
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
  const early = entrances.any === undefined || delivery === "apply" ? undefined : nameMachines([]);
  const dependencies = { network, firewall, entrances };
  const dependsOn = [network, firewall, ...entrances.fromNat, ...(early ?? [])];
  const { machines: controlPlane, role } = makeControlPlane(
    name,
    args,
    {
      ...dependencies,
      clusterName,
      access,
      configuration: configuration.controlPlane,
      rotation,
      dependsOn,
    },
    child,
  );
  const machines = Object.values(controlPlane.machines);
  const dnsRecords = early ?? nameMachines(machines);
  const stopped = new StoppedMachines(`${name}-start`, cluster, {
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
      configuration: configuration.controlPlane,
      secrets,
      rotation,
      lateManifests: configuration.lateManifests,
      hasKarpenter: configuration.apartManifests.length > 0,
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
    configuration: configuration.ofWorkers,
    endpoint: endpointUrl,
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
  const karpenter = makeKarpenter(
    name,
    args,
    {
      manifests: configuration.apartManifests,
      pools: workers.karpenterPools,
      role: identity?.roles.karpenter,
      access: defined({ nodes: [...addresses], endpoint, credentials: access.credentials }),
      configured: started.configured,
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
  const secretKubeconfig = pulumi.secret(kubeconfig.kubeconfig);
  // Of the resource's outputs, a preview knows the URN also while it changes.
  const kubeconfigWhenHealthy = pulumi
    .all([secretKubeconfig, health.urn])
    .apply(([known]) => known);
  makeHelm(
    name,
    args.helm ?? {},
    {
      kubeconfig: kubeconfigWhenHealthy,
      clusterIdentifier: recordName,
      observer: started.configured,
    },
    child,
  );
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
  const accessKubeconfig = makeLoginKubeconfig(
    args,
    configuration.logins,
    { ...signing, endpoint: endpointUrl },
    child,
  );
  return {
    ...surroundings,
    endpoint: endpointUrl,
    signing,
    identity,
    machines,
    role,
    workers,
    join: makeJoin(args, ofPools),
    kubeconfig: secretKubeconfig,
    kubeconfigWhenHealthy,
    accessKubeconfig,
    talosconfig: handedOut.talosconfig,
    nameServers: dnsRecords[0].nameServers,
  };
}
