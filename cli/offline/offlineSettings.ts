import { parse, stringify } from "yaml";
import { OfflineStateError } from "./readState";

/**
 * Settings of the AWS provider that affect resources. The others only configure access to the
 * account.
 */
const KEPT_OF_AWS: ReadonlySet<string> = new Set(["aws:region", "aws:defaultTags"]);

/**
 * A stack's settings for an emulated account: without roles, profiles, account numbers and the
 * stack's secrets provider.
 *
 * @throws OfflineStateError if the secrets in them can't be decrypted here
 */
export function offlineSettings(
  text: string,
  { hasPassphrase, isStateClear }: { hasPassphrase: boolean; isStateClear: boolean },
): string {
  const { encryptionsalt, encryptedkey, secretsprovider, config, ...rest } = (parse(text) ??
    {}) as Record<string, unknown>;
  const kept = Object.entries((config ?? {}) as Record<string, unknown>).filter(
    ([key]) => !key.startsWith("aws:") || KEPT_OF_AWS.has(key),
  );
  const hasSecrets = JSON.stringify(kept).includes('{"secure":');
  if (hasSecrets && encryptedkey !== undefined) {
    throw new OfflineStateError(
      `the settings have secrets, encrypted by "${String(secretsprovider)}", which isn't available here: preview without --state, which uses it`,
    );
  }
  if (hasSecrets && !hasPassphrase) {
    throw new OfflineStateError(
      "the settings have secrets, encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE to it",
    );
  }
  const needsSalt = encryptionsalt !== undefined && (hasSecrets || !isStateClear);
  return stringify({
    ...rest,
    ...(needsSalt && { encryptionsalt }),
    config: Object.fromEntries(kept),
  });
}
