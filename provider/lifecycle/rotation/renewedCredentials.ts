import { isUnknown } from "../../base/unknown";
import { certificateExpiry, isInRenewalWindow } from "../../pki/certificateExpiry";
import type { ClientCredentials } from "../../pki/clientCredentials";
import { expandCredentials } from "../../pki/compactCredentials";
import { readCertificate } from "../../pki/pem";

/**
 * Whether recorded credentials must be recorded again: their certificate is in the last third of its
 * lifetime, and the given one ends later. So a program that issues a certificate for each run
 * changes nothing, and no delete has to use an expired one.
 *
 * A preview doesn't know credentials that are renewed or passed on by a change. A certificate in its
 * last third counts as renewed then.
 *
 * @param given undefined in a refresh
 */
export function mustRecordAgain(
  recorded: ClientCredentials | undefined,
  given: ClientCredentials | undefined,
): boolean {
  if (recorded === undefined || given === undefined) {
    return false;
  }
  const { crt } = expandCredentials(recorded);
  const before = expiryOf(recorded);
  if (before === undefined || !isInRenewalWindow(crt, new Date())) {
    return false;
  }
  const after = isUnknown(given) ? undefined : expiryOf(given);
  return isUnknown(given) || (after !== undefined && after > before);
}

/** Undefined for what is no certificate, as a program may pass on. */
function expiryOf(credentials: ClientCredentials): Date | undefined {
  try {
    return certificateExpiry(expandCredentials(credentials).crt);
  } catch {
    return undefined;
  }
}

/** Credentials of this run, by what they are for. */
const known = new Map<string, ClientCredentials>();

/** Their CAs and the roles of their certificate. */
function purposeOf(credentials: ClientCredentials): string {
  const { ca, crt } = expandCredentials(credentials);
  return `${ca} ${readCertificate(crt).subject}`;
}

/**
 * Remembers credentials while this process runs. The engine gives a delete only the state, and the
 * run that deletes a resource may have just renewed its credentials.
 */
export function rememberCredentials(credentials: ClientCredentials): void {
  known.set(purposeOf(credentials), credentials);
}

/**
 * Recorded credentials, or those for the same purpose that this run knows, if they are renewed.
 * Undefined for a state without any, as the first releases wrote it.
 */
export function latestCredentials<Recorded extends ClientCredentials | undefined>(
  recorded: Recorded,
): Recorded | ClientCredentials {
  if (recorded === undefined) {
    return recorded;
  }
  const renewed = known.get(purposeOf(recorded));
  return renewed !== undefined && mustRecordAgain(recorded, renewed) ? renewed : recorded;
}
