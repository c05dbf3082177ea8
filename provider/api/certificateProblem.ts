import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";

/** The subject of the certificate a node in maintenance mode makes for itself (Talos v1.12.1, constants.MaintenanceServiceCommonName). */
export const maintenanceCommonName = "maintenance-service.talos.dev";

/** Whom a client expects to answer: a node of the cluster whose CA it holds, or one without configuration. */
export type ExpectedServer = "clusterNode" | "maintenanceNode";

/** Why a server's certificate is not the one that was expected. */
export type CertificateProblemKind =
  | "notConfigured"
  | "alreadyConfigured"
  | "otherMaintenanceNode"
  | "wrongCluster"
  | "nameNotInCertificate"
  | "serverCertificateInvalid";

/** This side ended a connection because of the server's certificate, before anything was sent. */
export class CertificateProblem extends Error {
  override readonly name = "CertificateProblem";

  constructor(
    readonly kind: CertificateProblemKind,
    message: string,
  ) {
    super(message);
  }
}

/** What a finished TLS handshake tells of the server. */
export interface Handshake {
  /** The name or address that was dialled. */
  readonly host: string;
  /** Empty if the chain and the name hold, else OpenSSL's or Node's code, such as `CERT_HAS_EXPIRED`. */
  readonly verifyCode: string;
  /** Read only where it is in question, as that takes long. */
  readonly certificate: Pick<
    PeerCertificate,
    "subject" | "subjectaltname" | "valid_from" | "valid_to"
  >;
}

/**
 * Judges the server of a finished handshake.
 *
 * A maintenance node is known by its subject alone: nobody vouches for that certificate, so this
 * keeps a configuration from a node of some cluster, but not from an impostor.
 */
export function findCertificateProblem(
  expected: ExpectedServer,
  handshake: Handshake,
): CertificateProblem | undefined {
  const { host, verifyCode } = handshake;
  if (expected === "clusterNode" && verifyCode === "") return undefined;
  const { certificate } = handshake;
  const inMaintenance = certificate.subject.CN === maintenanceCommonName;
  if (expected === "maintenanceNode") {
    if (inMaintenance) return undefined;
    return new CertificateProblem(
      "alreadyConfigured",
      `its certificate is not that of a node in maintenance mode, so it already runs a configuration or is another server; use the client credentials of its cluster, or reset the machine`,
    );
  }
  if (verifyCode === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const names = certificate.subjectaltname ?? "nothing";
    const kind = isIP(host) === 0 ? "name" : "address";
    return new CertificateProblem(
      "nameNotInCertificate",
      `its certificate, which is of this cluster, does not name the ${kind} "${host}"; dial what it names (${names}), or add "${host}" to machine.certSANs of the node`,
    );
  }
  if (verifyCode === "CERT_HAS_EXPIRED" || verifyCode === "CERT_NOT_YET_VALID") {
    return new CertificateProblem(
      "serverCertificateInvalid",
      `its certificate is only valid from ${certificate.valid_from} to ${certificate.valid_to}; nodes renew theirs every day, so set the clock right on this machine or on the node`,
    );
  }
  if (inMaintenance) {
    return new CertificateProblem(
      "notConfigured",
      `it is in maintenance mode: it has no configuration yet, or lost it with its disk; apply a machine configuration first`,
    );
  }
  return new CertificateProblem(
    "wrongCluster",
    `its certificate was not issued by the CA of this cluster (${verifyCode}); the address now belongs to another machine, or the credentials are of another cluster`,
  );
}

/** The server is in maintenance mode, and not the one that was expected. */
export function otherMaintenanceNode(
  found: string,
  expected: readonly string[],
): CertificateProblem {
  const which =
    expected.length === 0
      ? "and none is expected to be"
      : `not with the one that was expected ("${expected.join('", "')}")`;
  return new CertificateProblem(
    "otherMaintenanceNode",
    `it is in maintenance mode with the certificate fingerprint "${found}", ${which}`,
  );
}
