import { CreateKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import type { Emulator } from "../../../emulator";

/**
 * Makes a key for a stack's secrets in an emulated account, as teams have it. A passphrase takes each of
 * the engine's processes 0.17 s, for a million rounds of PBKDF2.
 *
 * @returns the URL of the secrets provider
 */
export async function makeSecretsKey({
  url,
  region,
}: Pick<Emulator, "url" | "region">): Promise<string> {
  const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
  const kms = new KMSClient({ endpoint: url, region, credentials });
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  kms.destroy();
  return `awskms://${KeyMetadata?.KeyId ?? ""}?region=${region}&awssdk=v2`;
}
