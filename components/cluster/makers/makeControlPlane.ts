import * as pulumi from "@pulumi/pulumi";
import type { ClientConfiguration, MachineConfiguration } from "../../../provider";
import { ControlPlane } from "../../controlPlane/controlPlane";
import type { PlannedMachine } from "../../controlPlane/controlPlaneArgs";
import { defined } from "../../defined";
import type { Firewall } from "../../firewall/firewall";
import { architectureOf } from "../../machines/instanceType";
import { imageSchematic, MachineImage } from "../../machines/machineImage";
import { makeUserData } from "../../machines/makeUserData";
import { whenOffered } from "../../machines/whenOffered";
import type { Network } from "../../network/network";
import type { NodeRole } from "../../permissions/nodeRole";
import { machinePatches } from "../plan/machinePatches";
import type { ClusterPlan } from "../plan/planCluster";
import { zonesInUse } from "../plan/planClusterMachines";
import type { ClusterEntrances } from "./makeApiLoadBalancers";
import { makeMachineRole } from "./makeMachineRole";
import type { ClusterRotation } from "./makeRotation";
import { whenWithinQuotas } from "./whenWithinQuotas";

/** The resources that a cluster's control plane needs. */
export interface ControlPlaneDependencies {
  readonly clusterName: pulumi.Output<string>;
  readonly network: Network;
  readonly firewall: Firewall;
  readonly entrances: ClusterEntrances;
  readonly access: ClientConfiguration;
  readonly configuration: MachineConfiguration;
  readonly rotation: ClusterRotation;
  /** Resources that connect the machines: routes, rules, records. */
  readonly dependsOn: readonly pulumi.Resource[];
}

/** The machines of a control plane, with the role that was made for them. */
export interface MadeControlPlane {
  readonly machines: ControlPlane;
  readonly role?: NodeRole;
}

/**
 * Creates the machines of a cluster's control plane, with their image and role.
 *
 * @param child options of a child of the cluster
 */
export function makeControlPlane(
  name: string,
  args: ClusterPlan,
  dependencies: ControlPlaneDependencies,
  child: pulumi.ComponentResourceOptions,
): MadeControlPlane {
  const { tags, protect, controlPlane } = args;
  const { clusterName, network, entrances, access, configuration, rotation } = dependencies;
  const { subnets, delivery, endpoint } = args.facts.access;
  const planned = args.machines.controlPlane;
  const instanceType = pulumi.output(planned.instanceType);
  const { profile, role } = makeMachineRole(
    `${name}-control-plane`,
    args.permissions.controlPlane,
    { machines: "control plane", clusterName, tags },
    child,
  );
  const image = new MachineImage(
    `${name}-image`,
    defined({
      talosVersion: args.talosVersion,
      architecture: instanceType.apply(architectureOf),
      schematicId: imageSchematic(args.machineConfiguration),
      imageId: controlPlane.imageId,
      owner: controlPlane.imageOwner,
      imageName: controlPlane.imageName,
    }),
    child,
  );
  const machines = new ControlPlane(
    `${name}-control-plane`,
    defined({
      ...controlPlane,
      clusterName,
      subnets: subnets === "private" ? network.privateSubnets : network.publicSubnets,
      networkZones: network.zones,
      publicAddresses: subnets === "public",
      imageId: whenOffered(
        whenWithinQuotas(image.imageId, args, image),
        instanceType.apply((type) => ({
          types: [{ property: "controlPlane.instanceType", instanceType: type }],
          zones: zonesInUse(planned),
        })),
        { parent: image },
      ),
      securityGroupId: dependencies.firewall.controlPlaneGroupId,
      instanceProfileName: profile,
      targets: entrances.targets,
      publicApiGroupId: entrances.publicApiGroupId,
      turns: defined({
        credentials: access.credentials,
        endpoint,
        drain: controlPlane.drain ?? {},
      }),
      ...(delivery === "userData" && {
        userData: (machine: PlannedMachine) =>
          makeUserData(
            {
              machineConfiguration: configuration.machineConfiguration,
              patches: machinePatches(
                controlPlane,
                { key: machine.key, laterAddress: machine.fixedAddress },
                machine.key === planned.named[0]?.key ? rotation.firstMachinePatch : undefined,
              ),
            },
            image,
            `controlPlane.machines["${machine.key}"].`,
          ),
      }),
      protect,
      tags,
    }),
    // A machine gets its public address while a gateway exists, and blocks the gateway's deletion.
    // A machine that boots with user data contacts others at once.
    { ...child, dependsOn: delivery === "userData" ? [...dependencies.dependsOn] : [network] },
  );
  return role === undefined ? { machines } : { machines, role };
}
