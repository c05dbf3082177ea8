import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { messageOfError } from "../../../provider/base";
import { SECRETBOX } from "../../../provider/config";
import { recordedAnswers } from "../../account/recordedAnswers";
import { failRun } from "../../failRun";
import { logBeside } from "../../logBeside";

/** What KMS says of a key; what it leaves out is no problem. */
export type KeyAnswer = Partial<Pick<aws.kms.GetKeyResult, "keyState" | "keySpec" | "keyUsage">>;

/** Asks KMS for a key by its ARN. */
export type AskKey = (keyArn: string) => Promise<KeyAnswer>;

/** Why a key in a state can't be used, and what to do. Source: AWS KMS developer guide, "Key states". */
const STATES: Readonly<Record<string, string>> = {
  Disabled: "it is disabled: run aws kms enable-key",
  PendingDeletion: "it is being deleted: run aws kms cancel-key-deletion, then aws kms enable-key",
  PendingReplicaDeletion: "it is being deleted: run aws kms cancel-key-deletion on its replicas",
  PendingImport: "it has no key material yet: import that",
  Unavailable: "its key store isn't connected: connect that",
};

/**
 * Returns the providers of Secrets' encryption once KMS says that their keys can encrypt. It also asks in the
 * preview, unless that has no account. Without the permission to ask (`kms:DescribeKey`), the keys count as right.
 *
 * @param parent the resource beside which a problem is shown
 */
export function whenKeysUsable(
  providers: readonly pulumi.Input<string>[],
  parent: pulumi.Resource,
): pulumi.Output<string[]> {
  if (recordedAnswers() !== undefined) {
    return pulumi.all([...providers]);
  }
  const note = (line: string) => void logBeside(parent, line, { severity: "debug" });
  return pulumi.all([...providers]).apply(async (known) => {
    const ask: AskKey = (keyId) => {
      const [, , , region = ""] = keyId.split(":");
      return aws.kms.getKey({ keyId, region }, { parent });
    };
    const keyArns = known.filter((provider) => provider !== SECRETBOX);
    const problems = await findKeyProblems(keyArns, ask, note);
    if (problems.length > 0) {
      await failRun(problems.join("\n"), parent);
    }
    return known;
  });
}

/** Asks KMS and checks the answers: one line for each key that can't encrypt Secrets. */
export async function findKeyProblems(
  keyArns: readonly string[],
  ask: AskKey,
  note: (line: string) => void,
): Promise<readonly string[]> {
  const judge = async (keyArn: string): Promise<readonly string[]> => {
    const problem = await problemOf(keyArn, ask, note);
    return problem === undefined
      ? []
      : [
          `secretsEncryption.kmsKeyArns: API servers could not use the key "${keyArn}", because ${problem}`,
        ];
  };
  return (await Promise.all(keyArns.map(judge))).flat();
}

async function problemOf(
  keyArn: string,
  ask: AskKey,
  note: (line: string) => void,
): Promise<string | undefined> {
  try {
    const { keyState = "", keySpec, keyUsage } = await ask(keyArn);
    const isSymmetric = keySpec === undefined || keySpec === "SYMMETRIC_DEFAULT";
    const encrypts = keyUsage === undefined || keyUsage === "ENCRYPT_DECRYPT";
    return isSymmetric && encrypts
      ? STATES[keyState]
      : `it is for ${keyUsage ?? "another use"} with ${keySpec ?? "another kind of key"}: take a symmetric one that encrypts`;
  } catch (error) {
    const reason = messageOfError(error);
    if (reason.includes("NotFoundException")) {
      return "KMS knows no such key: correct the ARN, or take one of this account's";
    }
    note(`KMS can't be asked for the key "${keyArn}": ${reason}`);
    return undefined;
  }
}
