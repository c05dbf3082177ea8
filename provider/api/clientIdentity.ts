import { createHash, randomUUID } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCredentials } from "../pki/clientCredentials";
import { expandCredentials } from "../pki/compactCredentials";
import { fromBase64, nodeKey } from "../pki/pem";
import type { ExpectedServer } from "./certificateProblem";
import type { MaintenanceServers } from "./maintenanceServers";

/** A client's credentials, and the server that it expects. */
export interface ClientIdentity {
  readonly expected: ExpectedServer;
  readonly secureContext: SecureContext;
  /** The accepted nodes in maintenance mode. Default: any. */
  readonly servers?: MaintenanceServers;
  /** Equal for two identities that may share a connection, and only for those. Not secret. */
  readonly fingerprint: string;
}

/** The number of cached identities. A program has one or two. */
const KEPT_IDENTITIES = 8;

/** The latest identities, by fingerprint. Reading their keys takes longer than a call. */
const identities = new Map<string, ClientIdentity>();

/**
 * Identities of credentials that are still referenced: one delivery connects several times with the
 * same ones.
 */
const identitiesOf = new WeakMap<ClientCredentials, ClientIdentity>();

/**
 * The identity of a client of a cluster: mutual TLS with the cluster's CA. The credentials may be
 * compact. Raises an `Error` if they cannot be read.
 */
export function clusterIdentity(credentials: ClientCredentials): ClientIdentity {
  const known = identitiesOf.get(credentials) ?? readIdentity(credentials);
  identitiesOf.set(credentials, known);
  return known;
}

function readIdentity(credentials: ClientCredentials): ClientIdentity {
  const { ca, crt, key } = expandCredentials(credentials);
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([ca, crt, key]))
    .digest("hex");
  const known = identities.get(fingerprint);
  if (known) {
    return known;
  }
  const secureContext = createSecureContext({
    ca: fromBase64(ca),
    cert: fromBase64(crt),
    key: nodeKey(key),
  });
  const identity: ClientIdentity = { expected: "clusterNode", secureContext, fingerprint };
  identities.set(fingerprint, identity);
  const [oldest] = identities.keys();
  if (identities.size > KEPT_IDENTITIES && oldest !== undefined) {
    identities.delete(oldest);
  }
  return identity;
}

/**
 * An identity without credentials, for nodes in maintenance mode.
 *
 * @param servers the accepted nodes; connections are then not shared with other clients
 */
export function maintenanceIdentity(servers?: MaintenanceServers): ClientIdentity {
  return {
    expected: "maintenanceNode",
    secureContext: createSecureContext(),
    ...(servers && { servers }),
    fingerprint: servers === undefined ? "maintenance" : `maintenance ${randomUUID()}`,
  };
}
