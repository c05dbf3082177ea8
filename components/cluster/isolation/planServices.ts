import { eachAddOn } from "../../addOns/addOnChoices";
import type { CalledService } from "../../addOns/common/addOn";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import { isInEcr } from "../plan/planEcrLogin";

/** The callers of each service, as a reader knows them. */
export type ServiceCallers = ReadonlyMap<CalledService, readonly string[]>;

/** Images in ECR: its API, its registry, and the layers, which are in S3. */
const IMAGES_IN_ECR: readonly CalledService[] = ["ecr.api", "ecr.dkr", "s3"];

/**
 * The AWS services that a cluster's machines and add-ons call, with their callers. What EC2 does on
 * their behalf, such as the encryption of volumes with a KMS key, needs no endpoint. Source of
 * images in ECR: Amazon ECR user guide, "Amazon ECR interface VPC endpoints".
 */
export function planServices(args: ChosenClusterArgs): ServiceCallers {
  const callers = new Map<CalledService, string[]>();
  const call = (services: readonly CalledService[], caller: string) => {
    for (const service of services) {
      callers.set(service, [...(callers.get(service) ?? []), caller]);
    }
  };
  const { addOns = {}, controlPlane, workers, workerPools = {} } = args;
  for (const [name, services] of eachAddOn(addOns, (each, { aws }) => [
    [each, aws?.services ?? []] as const,
  ])) {
    call(services, name);
  }
  if (args.facts.irsa !== undefined) {
    // Pods exchange their tokens there.
    call(["sts"], "irsa");
  }
  if (args.secretsEncryption !== undefined) {
    call(["kms"], "secretsEncryption");
    call(isInEcr(args.secretsEncryption.pluginImage) ? IMAGES_IN_ECR : [], "secretsEncryption");
  }
  const roles = { controlPlane, workers, ...workerPools };
  for (const [name, machines] of Object.entries(roles)) {
    const { ecrPull = false }: NodePermissions = machines?.role?.permissions ?? {};
    call(ecrPull ? IMAGES_IN_ECR : [], `images of ${name}`);
  }
  return callers;
}
