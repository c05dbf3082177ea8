import { createCertificateAuthority } from "../certificateAuthority";
import type { CertificateAndKey } from "../secretsBundle";
import type { Authority } from "./rotation";

/** The lifetime of a CA, as in Talos v1.12.1: ten years of 365 days. */
const LIFETIME_MS = 87_600 * 3_600_000;

/** The properties of the CAs, as `talosctl gen secrets` makes them. */
const kinds = {
  talosCa: { keyType: "ed25519", organization: "talos" },
  kubernetesCa: { keyType: "p256", organization: "kubernetes" },
  etcdCa: { keyType: "p256", organization: "etcd" },
  aggregatorCa: { keyType: "p256" },
} as const satisfies Record<Authority, object>;

/**
 * Creates a generation of a cluster's CA, as `talosctl gen secrets` and `talosctl rotate-ca` do: with its
 * own key, for ten years.
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
    notAfter: new Date(notBefore.getTime() + LIFETIME_MS),
  });
}
