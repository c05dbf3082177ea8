import type * as pulumi from "@pulumi/pulumi";
import type { Rotation, SecretsEncryption } from "../../../provider";
import { imageProblem, keyArnProblem, SECRETBOX, talosWithoutKms } from "../../../provider/config";
import { checkRotation, generationsOf, planGenerations } from "../../../provider/pki";
import { problemAt } from "../../argumentChecks";
import { defined } from "../../defined";
import { type PropertyProblem, within } from "../../problems";
import { permit } from "../addOns/workersWithAddOns";
import type {
  ChosenClusterArgs,
  ClusterChoices,
  ClusterPlanInput,
} from "../arguments/chosenClusterArgs";
import { isInEcr } from "./planEcrLogin";

/** The arguments that say which keys encrypt Secrets. */
type SecretsKeysArgs = Pick<ClusterChoices, "secretsEncryption" | "rotation">;

/** The machine configuration's `secretsEncryption`, with keys that may be known later. */
export type PlannedSecretsEncryption = Omit<SecretsEncryption, "providers"> & {
  readonly providers: pulumi.Input<string>[];
};

/** The generations of the cluster's own secretbox keys that machines have in a stage. */
export interface SecretboxKeys {
  /** The one in the secrets bundle. The first, which no API server reads, if KMS has all that are used. */
  readonly bundled: number;
  /** All of them, the older one first. */
  readonly all: readonly number[];
}

/** What API servers use of KMS in the stage of `rotation.secretboxKey`; undefined for nothing. */
export function planSecretsEncryption({
  secretsEncryption,
  rotation,
}: SecretsKeysArgs): PlannedSecretsEncryption | undefined {
  // Facts are made of arguments that may have problems.
  if (secretsEncryption === undefined || checkRotation(rotation ?? {}).length > 0) {
    return undefined;
  }
  const { kmsKeyArns, pluginImage } = secretsEncryption;
  const used = generationsInOrder(rotation);
  const providers = used.map((generation) => kmsKeyArns[generation] ?? SECRETBOX);
  return providers.every((provider) => provider === SECRETBOX)
    ? undefined
    : { pluginImage, providers };
}

/** The secretbox keys in the stage of `rotation.secretboxKey`. */
export function planSecretboxKeys({ secretsEncryption, rotation }: SecretsKeysArgs): SecretboxKeys {
  const isOwn = (generation: number) => secretsEncryption?.kmsKeyArns[generation] === undefined;
  const [bundled = 1] = generationsInOrder(rotation).filter(isOwn);
  return { bundled, all: generationsOf("secretboxKey", rotation?.secretboxKey).filter(isOwn) };
}

/** A generation whose key machines have in a stage. */
export interface KeptKey {
  /** Where its argument stands: `secretsEncryption.kmsKeyArns.2`. */
  readonly path: string;
  /** Its key in KMS; undefined for a secretbox key. */
  readonly keyArn: pulumi.Input<string> | undefined;
  /** Whether the key has encrypted Secrets, so that it can neither come nor go. */
  readonly hasEncrypted: boolean;
}

/** The generations that keep their key. */
export function keptKeys({ secretsEncryption, rotation }: SecretsKeysArgs): readonly KeptKey[] {
  const accepting =
    rotation?.secretboxKey?.stage === "accept" ? rotation.secretboxKey.to : undefined;
  return generationsOf("secretboxKey", rotation?.secretboxKey).map((generation) => ({
    path: `secretsEncryption.kmsKeyArns.${generation}`,
    keyArn: secretsEncryption?.kmsKeyArns[generation],
    hasEncrypted: generation !== accepting,
  }));
}

/** The one that encrypts first. */
function generationsInOrder(rotation: Rotation = {}): readonly number[] {
  const { issuing, accepted } = planGenerations(
    "secretboxKey",
    rotation.secretboxKey,
    "controlplane",
  );
  return [issuing, ...accepted];
}

/**
 * Lets the control plane's role fetch the plugin, and use all keys that are named, also one that is being dropped:
 * until every machine has dropped it, Secrets are read with it.
 */
export function withSecretsKeys(args: ClusterPlanInput): ClusterPlanInput {
  const { controlPlane, secretsEncryption } = args;
  if (secretsEncryption === undefined) {
    return args;
  }
  const { kmsKeyArns, pluginImage } = secretsEncryption;
  const role = permit(controlPlane.role, {
    secretsKmsKeyArns: Object.values(kmsKeyArns),
    ...(isInEcr(pluginImage) && { ecrPull: true }),
  });
  return { ...args, controlPlane: defined({ ...controlPlane, role }) };
}

/** All problems of the keys in KMS that encrypt Secrets. */
export function checkSecretsEncryption(args: ChosenClusterArgs): PropertyProblem[] {
  const { secretsEncryption, rotation, controlPlane, talosVersion } = args;
  if (secretsEncryption === undefined) {
    return [];
  }
  const { kmsKeyArns, pluginImage } = secretsEncryption;
  const newest = rotation?.secretboxKey?.to ?? 1;
  const arns = Object.entries(kmsKeyArns);
  const ofKey = ([generation, arn]: readonly [string, unknown], index: number) => {
    const isNumber = /^[1-9]\d*$/.test(generation);
    const twin = arns.slice(0, index).find(([, other]) => other === arn);
    const reason = !isNumber
      ? `${JSON.stringify(generation)} is no generation: write 1 for the key that encrypts from the cluster's birth, or that of rotation.secretboxKey.to`
      : typeof arn === "string" && keyArnProblem(arn) !== undefined
        ? keyArnProblem(arn)
        : twin !== undefined
          ? `generation ${twin[0]} has the same key: a rotation goes to another one`
          : Number(generation) > newest &&
            `no machine uses generation ${generation}: set rotation.secretboxKey to {to: ${newest + 1}, stage: "accept"}`;
    return problemAt(`kmsKeyArns.${generation}`, reason);
  };
  return [
    ...within("secretsEncryption", [
      ...problemAt("", typeof talosVersion === "string" && talosWithoutKms(talosVersion)),
      ...problemAt("pluginImage", imageProblem(pluginImage)),
      ...problemAt(
        "kmsKeyArns",
        arns.length === 0 && "has no key: add the ARN of one by its generation, or leave it out",
      ),
      ...arns.flatMap(ofKey),
    ]),
    ...problemAt(
      "controlPlane.role.none",
      controlPlane?.role?.none === true &&
        "machines without a role can't use the keys of secretsEncryption: leave this out, or name a role's instanceProfileName that may encrypt and decrypt with them",
    ),
  ];
}
