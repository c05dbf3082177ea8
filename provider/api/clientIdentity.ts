import { createHash, randomUUID } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCredentials } from "../pki/clientCredentials";
import { expandCredentials } from "../pki/compactCredentials";
import { fromBase64, nodeKey } from "../pki/pem";
import type { ExpectedServer } from "./certificateProblem";
import type { MaintenanceServers } from "./maintenanceServers";

/** As whom a client connects, and whom it expects to answer. */
export interface ClientIdentity {
  readonly expected: ExpectedServer;
  readonly secureContext: SecureContext;
  /** Which nodes in maintenance mode are taken. Default: any, also another each time. */
  readonly servers?: MaintenanceServers;
  /** The same for two identities that can share a connection, and for no others. Not secret. */
  readonly fingerprint: string;
}

/** How many identities are kept: a program has one or two of them. */
const keptIdentities = 8;

/** The identities made last, by fingerprint: reading their keys takes longer than a call does. */
const identities = new Map<string, ClientIdentity>();

/** Those of credentials that somebody still has: one delivery connects several times with its own. */
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
  if (known) return known;
  const secureContext = createSecureContext({
    ca: fromBase64(ca),
    cert: fromBase64(crt),
    key: nodeKey(key),
  });
  const identity: ClientIdentity = { expected: "clusterNode", secureContext, fingerprint };
  identities.set(fingerprint, identity);
  const [oldest] = identities.keys();
  if (identities.size > keptIdentities && oldest !== undefined) identities.delete(oldest);
  return identity;
}

/**
 * The identity of nobody, for nodes in maintenance mode.
 *
 * @param servers which of them; connections are then shared with nobody else
 */
export function maintenanceIdentity(servers?: MaintenanceServers): ClientIdentity {
  return {
    expected: "maintenanceNode",
    secureContext: createSecureContext(),
    ...(servers && { servers }),
    fingerprint: servers === undefined ? "maintenance" : `maintenance ${randomUUID()}`,
  };
}
