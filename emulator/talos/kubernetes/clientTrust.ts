import type { X509Certificate } from "node:crypto";
import { readCertificate } from "../../../provider/pki";
import type { ReadDocument } from "./issuerKeys";
import { PeoplesTokens } from "./peoplesTokens";
import { publicKeysIn, type TokenTrust } from "./serviceAccountToken";
import type { StaticPodDefinition } from "./staticPodDefinitions";

/** Which clients an API server accepts besides those with a certificate of the Kubernetes CA. */
export interface ClientTrust {
  /** The service account tokens that it accepts. */
  readonly tokens: TokenTrust;
  /** The tokens of other issuers that it accepts. */
  readonly people: PeoplesTokens;
  /** The CAs of API servers that pass requests of others on. */
  readonly aggregators: readonly X509Certificate[];
}

/** What each definition trusts: every request asks, and reading the keys takes longer than its answer. */
const known = new WeakMap<StaticPodDefinition, ClientTrust>();

/**
 * The clients of an API server; those of one that doesn't run are none.
 *
 * @param read how it reads documents of issuers
 */
export function clientTrust(
  apiServer: StaticPodDefinition | undefined,
  read: ReadDocument,
): ClientTrust {
  const trust = (apiServer && known.get(apiServer)) ?? readTrust(apiServer, read);
  if (apiServer !== undefined) {
    known.set(apiServer, trust);
  }
  return trust;
}

function readTrust(apiServer: StaticPodDefinition | undefined, read: ReadDocument): ClientTrust {
  const { keys = [], issuers = [], audiences = [] } = apiServer?.serviceAccounts ?? {};
  return {
    tokens: { keys: publicKeysIn(keys), issuers, audiences },
    people: new PeoplesTokens(apiServer?.authentication, read),
    aggregators: (apiServer?.aggregatorCas ?? []).map(readCertificate),
  };
}
