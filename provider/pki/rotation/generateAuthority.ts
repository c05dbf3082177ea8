import { createCertificateAuthority } from "../certificateAuthority";
import { AUTHORITY_LIFETIME_MS } from "../generateSecretsBundle";
import type { RandomBytes } from "../randomBytes";
import type { CertificateAndKey } from "../secretsBundle";
import type { Authority } from "./rotation";

/** What the authorities are, as `generateSecretsBundle` makes them. */
const kinds = {
  talosCa: { keyType: "ed25519", organization: "talos" },
  kubernetesCa: { keyType: "p256", organization: "kubernetes" },
} as const satisfies Record<Authority, object>;

/**
 * A new certificate authority in place of a cluster's own, as `talosctl rotate-ca` makes it: of the same kind,
 * with a key of its own, for ten years.
 *
 * @param options.now when it begins to be valid. Default: the clock
 * @param options.randomBytes determines it. Default: the system's random source
 */
export function generateAuthority(
  authority: Authority,
  options: { readonly now?: Date; readonly randomBytes?: RandomBytes } = {},
): Promise<CertificateAndKey> {
  const notBefore = options.now ?? new Date();
  const { randomBytes } = options;
  return createCertificateAuthority({
    ...kinds[authority],
    notBefore,
    notAfter: new Date(notBefore.getTime() + AUTHORITY_LIFETIME_MS),
    ...(randomBytes === undefined ? {} : { randomBytes }),
  });
}
