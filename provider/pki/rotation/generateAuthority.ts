import { createCertificateAuthority } from "../certificateAuthority";
import { AUTHORITY_LIFETIME_MS } from "../generateSecretsBundle";
import type { CertificateAndKey } from "../secretsBundle";
import type { Authority } from "./rotation";

/** The properties of the CAs, as in `generateSecretsBundle`. */
const kinds = {
  talosCa: { keyType: "ed25519", organization: "talos" },
  kubernetesCa: { keyType: "p256", organization: "kubernetes" },
  etcdCa: { keyType: "p256", organization: "etcd" },
  aggregatorCa: { keyType: "p256" },
} as const satisfies Record<Authority, object>;

/**
 * Creates another generation of a cluster's CA, as `talosctl rotate-ca` does: of the same kind,
 * with its own key, for ten years.
 *
 * @param options.now when it becomes valid. Default: now
 */
export function generateAuthority(
  authority: Authority,
  options: { readonly now?: Date } = {},
): Promise<CertificateAndKey> {
  const notBefore = options.now ?? new Date();
  return createCertificateAuthority({
    ...kinds[authority],
    notBefore,
    notAfter: new Date(notBefore.getTime() + AUTHORITY_LIFETIME_MS),
  });
}
