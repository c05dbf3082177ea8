import type { X509Certificate } from "node:crypto";
import { readCertificate } from "../../../provider/pki";
import { publicKeysIn, type TokenTrust } from "./serviceAccountToken";
import type { StaticPodDefinition } from "./staticPodDefinitions";

/** Which clients an API server accepts besides those with a certificate of the Kubernetes CA. */
export interface ClientTrust {
  /** The service account tokens that it accepts. */
  readonly tokens: TokenTrust;
  /** The CAs of API servers that pass requests of others on. */
  readonly aggregators: readonly X509Certificate[];
}

/** What each definition trusts: every request asks, and reading the keys takes longer than its answer. */
const known = new WeakMap<StaticPodDefinition, ClientTrust>();

/** The clients of an API server; those of one that doesn't run are none. */
export function clientTrust(apiServer: StaticPodDefinition | undefined): ClientTrust {
  const trust = (apiServer && known.get(apiServer)) ?? readTrust(apiServer);
  if (apiServer !== undefined) {
    known.set(apiServer, trust);
  }
  return trust;
}

function readTrust(apiServer: StaticPodDefinition | undefined): ClientTrust {
  const { keys = [], issuers = [], audiences = [] } = apiServer?.serviceAccounts ?? {};
  return {
    tokens: { keys: publicKeysIn(keys), issuers, audiences },
    aggregators: (apiServer?.aggregatorCas ?? []).map(readCertificate),
  };
}
