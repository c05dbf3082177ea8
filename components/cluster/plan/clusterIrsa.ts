import { PublicKeyError, readPublicKey } from "../../../provider/pki";
import { containersOf } from "../../addOns/addOnImages";
import type { ReplicatedAddOnPods } from "../../addOns/common/addOnPodsArgs";
import { checkAddOnPods } from "../../addOns/common/checkAddOnPods";
import { podIdentityWebhook } from "../../addOns/podIdentityWebhook";
import { problemAt } from "../../argumentChecks";
import { bucketNameProblem } from "../../nameRules";
import { type PropertyProblem, within } from "../../problems";
import type { ChosenClusterArgs, ClusterChoices } from "../arguments/chosenClusterArgs";

/** The settings of IAM roles for service accounts, with all defaults filled in. */
export interface ClusterIrsa {
  readonly bucketName: string;
  readonly publicKeys: readonly string[];
  /** The pod identity webhook; undefined if it is turned off. */
  readonly webhook: ReplicatedAddOnPods | undefined;
}

/** The settings of IAM roles for service accounts; undefined if they are turned off. */
export function clusterIrsa({
  irsa = false,
  environment,
  domain,
}: Pick<ClusterChoices, "irsa" | "environment" | "domain">): ClusterIrsa | undefined {
  if (irsa === false) {
    return undefined;
  }
  const { bucketName, publicKeys = [], webhook = true } = irsa === true ? {} : irsa;
  return {
    bucketName: bucketName ?? `${environment}-${domain.replaceAll(".", "-")}-oidc`,
    publicKeys,
    webhook: webhook === false ? undefined : webhook === true ? {} : webhook,
  };
}

/** All problems of the settings for IAM roles of service accounts. */
export function checkIrsa(args: ChosenClusterArgs): PropertyProblem[] {
  const { irsa } = args.facts;
  if (irsa === undefined) {
    return [];
  }
  const { bucketName, publicKeys, webhook } = irsa;
  const isMade = typeof args.irsa !== "object" || args.irsa.bucketName === undefined;
  const named = bucketNameProblem(bucketName);
  const most = args.facts.addOnCluster.controlPlanes;
  return within("irsa", [
    ...problemAt(
      "bucketName",
      named !== undefined &&
        (isMade ? `${named}; the name is made of environment and domain: give one` : named),
    ),
    ...publicKeys.flatMap((pem, index) => problemAt(`publicKeys[${index}]`, publicKeyProblem(pem))),
    ...(webhook === undefined
      ? []
      : within(
          "webhook",
          checkAddOnPods(webhook, { containers: containersOf(podIdentityWebhook), most }),
        )),
  ]);
}

/** The problem of a public key. The value isn't quoted, because it may be the private key. */
function publicKeyProblem(pem: string): string | undefined {
  try {
    readPublicKey(pem);
    return undefined;
  } catch (error) {
    if (error instanceof PublicKeyError) {
      return error.message;
    }
    throw error;
  }
}
