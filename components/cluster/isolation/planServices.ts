import type { GatewayService, InterfaceService } from "../../network/networkArgs";
import type { NodePermissions } from "../../permissions/nodePermissions";
import { AWS_ADD_ONS, addOnChoices, isOwn } from "../addOns/addOnChoices";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterIrsa } from "../clusterIrsa";

/** An AWS service that a cluster calls from within its network. */
export type CalledService = GatewayService | InterfaceService;

/** The callers of each service, as a reader knows them. */
export type ServiceCallers = ReadonlyMap<CalledService, readonly string[]>;

/** What add-ons call, besides the metadata service, which needs no endpoint. */
const CALLS = {
  cloudController: ["ec2", "elasticloadbalancing"],
  ebsCsi: ["ec2"],
  clusterAutoscaler: ["autoscaling", "ec2"],
  loadBalancerController: ["ec2", "elasticloadbalancing"],
  externalDns: [],
  auditLog: ["logs"],
} as const satisfies Record<(typeof AWS_ADD_ONS)[number], readonly CalledService[]>;

/** Images in ECR: its API, its registry, and the layers, which are in S3. */
const IMAGES_IN_ECR: readonly CalledService[] = ["ecr.api", "ecr.dkr", "s3"];

/**
 * The AWS services that a cluster's machines and add-ons call, with their callers. What EC2 does on
 * their behalf, such as the encryption of volumes with a KMS key, needs no endpoint. Source of what
 * each add-on calls: its IAM policy in `permissions/`. Images in ECR: Amazon ECR user guide,
 * "Amazon ECR interface VPC endpoints".
 */
export function planServices(args: TalosClusterArgs): ServiceCallers {
  const callers = new Map<CalledService, string[]>();
  const call = (services: readonly CalledService[], caller: string) => {
    for (const service of services) {
      callers.set(service, [...(callers.get(service) ?? []), caller]);
    }
  };
  const { addOns = {}, controlPlane, workers, workerPools = {} } = args;
  const choices = addOnChoices(addOns);
  const asked = AWS_ADD_ONS.filter((name) => choices[name] !== undefined);
  for (const name of asked) {
    call(CALLS[name], name);
  }
  if (clusterIrsa(args) !== undefined) {
    // Pods exchange their tokens there.
    call(["sts"], "irsa");
  }
  if (addOns.etcdBackup !== undefined) {
    call(["s3"], "etcdBackup");
  }
  const roles = { controlPlane, workers, ...workerPools };
  for (const [name, machines] of Object.entries(roles)) {
    const { ecrPull = false }: NodePermissions = machines?.role?.permissions ?? {};
    call(ecrPull ? IMAGES_IN_ECR : [], `images of ${name}`);
  }
  return callers;
}

/** Add-ons of a cluster that call an AWS service without a private way to it. */
export function callsRoute53({ addOns = {} }: TalosClusterArgs): boolean {
  const { externalDns } = addOnChoices(addOns);
  return externalDns !== undefined && isOwn(externalDns);
}
