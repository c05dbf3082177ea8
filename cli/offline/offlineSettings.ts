import { parse, stringify } from "yaml";
import { OfflineStateError } from "./offlineStateError";

/** What the settings of the AWS provider change of resources; the rest is how to reach the account. */
const KEPT_OF_AWS: ReadonlySet<string> = new Set(["aws:region", "aws:defaultTags"]);

/**
 * A stack's settings as an emulated account takes them: without roles, profiles and account numbers,
 * and without what says how secrets are encrypted when that is done anew.
 *
 * @throws OfflineStateError when secrets in them can't be read here
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
      `the settings have secrets, encrypted by "${String(secretsprovider)}", which isn't asked here: preview without --state, which asks it`,
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
