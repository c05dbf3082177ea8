import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCredentials } from "../pki/clientCredentials";
import { fromBase64, nodeKey } from "../pki/pem";
import type { ExpectedServer } from "./certificateProblem";

/** As whom a client connects, and whom it expects to answer. */
export interface ClientIdentity {
  readonly expected: ExpectedServer;
  readonly secureContext: SecureContext;
  /** The same for two identities that can share a connection, and for no others. Not secret. */
  readonly fingerprint: string;
}

/**
 * The identity of a client of a cluster: mutual TLS with the cluster's CA. Raises an `Error` if the
 * credentials cannot be read.
 */
export function clusterIdentity({ ca, crt, key }: ClientCredentials): ClientIdentity {
  const secureContext = createSecureContext({
    ca: fromBase64(ca),
    cert: fromBase64(crt),
    key: nodeKey(key),
  });
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([ca, crt, key]))
    .digest("hex");
  return { expected: "clusterNode", secureContext, fingerprint };
}

/** The identity of nobody, for nodes in maintenance mode. */
export function maintenanceIdentity(): ClientIdentity {
  return {
    expected: "maintenanceNode",
    secureContext: createSecureContext(),
    fingerprint: "maintenance",
  };
}
