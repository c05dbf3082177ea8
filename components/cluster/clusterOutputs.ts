import * as pulumi from "@pulumi/pulumi";
import type { ControlPlaneMachine } from "../controlPlane/controlPlane";
import type { IngressLoadBalancer } from "../endpoint/ingressLoadBalancer";
import type { NodeRole } from "../permissions/nodeRole";
import type { WorkerMachine } from "../workers/workerPool";

/** A machine of a cluster. */
export interface ClusterNode {
  /** Name within the stack, for example `talos-control-plane-1`. */
  readonly name: string;
  /** Its role in the cluster. */
  readonly role: "controlplane" | "worker";
  /** The worker pool it belongs to; undefined for the control plane. */
  readonly pool?: string;
  /** The availability zone. */
  readonly zone: string;
  /** Id of the EC2 instance. */
  readonly instanceId: string;
  /** Empty for a machine in a private subnet. */
  readonly publicAddress: string;
  /** Its address within the network. */
  readonly privateAddress: string;
}

/** An IAM role. */
export interface ClusterRole {
  /** Its name. */
  readonly name: string;
  /** Its ARN. */
  readonly arn: string;
}

/** The ids of a cluster's security groups. */
export interface ClusterSecurityGroupIds {
  /** The group of the control plane machines. */
  readonly controlPlane: string;
  /** The group of the workers. */
  readonly worker: string;
  /** The group of the load balancer. */
  readonly loadBalancer: string;
}

/** A load balancer in front of a pool. */
export interface ClusterIngress {
  /** The name that AWS gives it. */
  readonly dnsName: string;
  /** The hosted zone of `dnsName`, which an alias record needs. */
  readonly zoneId: string;
  /** The ARN of the load balancer. */
  readonly arn: string;
}

/** The load balancers in front of pools, as outputs of the cluster. */
export function ingressOf(
  made: Readonly<Record<string, IngressLoadBalancer>>,
): pulumi.Output<Record<string, ClusterIngress>> {
  const balancers = Object.entries(made).map(
    ([pool, { dnsName, zoneId, arn }]) => [pool, pulumi.output({ dnsName, zoneId, arn })] as const,
  );
  return pulumi.output(Object.fromEntries(balancers));
}

/** The roles that this package created, as outputs of the cluster. */
export function rolesOf(
  made: Readonly<Record<string, NodeRole>>,
): pulumi.Output<Record<string, ClusterRole>> {
  const roles = Object.entries(made).map(
    ([key, { roleName, roleArn }]) =>
      [key, pulumi.output({ name: roleName, arn: roleArn })] as const,
  );
  return pulumi.output(Object.fromEntries(roles));
}

/** A machine, as an output of the cluster. */
export function toNode(
  machine: ControlPlaneMachine | WorkerMachine,
  pool?: string,
): pulumi.Output<ClusterNode> {
  return pulumi
    .all([machine.zone, machine.instanceId, machine.publicAddress, machine.privateAddress])
    .apply(([zone, instanceId, publicAddress, privateAddress]) => ({
      name: machine.name,
      ...(pool === undefined
        ? { role: "controlplane" as const }
        : { role: "worker" as const, pool }),
      zone,
      instanceId,
      publicAddress,
      privateAddress,
    }));
}
