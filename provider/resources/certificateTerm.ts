import { isUnknown } from "../base/unknown";
import type { CheckFailure } from "../engine/handler";
import { isInRenewalWindow } from "../pki/certificateExpiry";

/** How long a client certificate is valid, and when it is renewed. */
export interface CertificateTerm {
  readonly lifetimeHours: number;
  /** Hours before its end. Default: a third of the lifetime. */
  readonly renewalWindowHours?: number;
}

/** The lifetime of the cluster's own CA: ten years. */
const MOST_LIFETIME_HOURS = 87_600;

/** All problems of a certificate's term. */
export function checkTerm(term: CertificateTerm): CheckFailure[] {
  const { lifetimeHours, renewalWindowHours: window } = term;
  const failures: CheckFailure[] = [];
  if (!isUnknown(lifetimeHours) && !(lifetimeHours > 0 && lifetimeHours <= MOST_LIFETIME_HOURS)) {
    const reason = `a certificate can't be valid for ${lifetimeHours} hours: give more than 0 and at most ${MOST_LIFETIME_HOURS}, the ten years of the cluster's certificate authority`;
    failures.push({ property: "lifetimeHours", reason });
  }
  if (
    window !== undefined &&
    !isUnknown([window, lifetimeHours]) &&
    !(window > 0 && window < lifetimeHours)
  ) {
    const reason = `a certificate of ${lifetimeHours} hours can't be renewed ${window} hours before its end: give more than 0, and less than lifetimeHours, or every update would renew it`;
    failures.push({ property: "renewalWindowHours", reason });
  }
  return failures;
}

/**
 * Whether a certificate, base64 of PEM, is to be renewed now.
 *
 * @param windowHours hours before its end. Default: a third of the lifetime
 */
export function isDue(certificate: string, windowHours: number | undefined): boolean {
  return isInRenewalWindow(certificate, new Date(), windowHours && windowHours * 3_600_000);
}
