import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";

/**
 * The subject of the certificate that a node in maintenance mode creates for itself (Talos v1.12.1,
 * constants.MaintenanceServiceCommonName).
 */
const MAINTENANCE_COMMON_NAME = "maintenance-service.talos.dev";

/**
 * The server that a client expects: a node of the cluster whose CA it has, or a node without a
 * configuration.
 */
export type ExpectedServer = "clusterNode" | "maintenanceNode";

/** Why a server's certificate is not the expected one. */
export type CertificateProblemKind =
  | "notConfigured"
  | "alreadyConfigured"
  | "otherMaintenanceNode"
  | "wrongCluster"
  | "nameNotInCertificate"
  | "serverCertificateInvalid";

/** This side closed a connection because of the server's certificate, before anything was sent. */
export class CertificateProblem extends Error {
  override readonly name = "CertificateProblem";

  constructor(
    readonly kind: CertificateProblemKind,
    message: string,
  ) {
    super(message);
  }
}

/** What a finished TLS handshake reveals of the server. */
export interface Handshake {
  /** The name or address that was dialled. */
  readonly host: string;
  /**
   * Empty if the chain and the name are valid, else OpenSSL's or Node's code, for example
   * `CERT_HAS_EXPIRED`.
   */
  readonly verifyCode: string;
  /** Read only if it is needed, because that is slow. */
  readonly certificate: Pick<
    PeerCertificate,
    "subject" | "subjectaltname" | "valid_from" | "valid_to"
  >;
}

/**
 * Judges the server of a finished handshake.
 *
 * A maintenance node is identified only by its subject, because its certificate is self-signed. So
 * a configuration doesn't reach a node of another cluster, but it can reach an impostor.
 */
export function findCertificateProblem(
  expected: ExpectedServer,
  handshake: Handshake,
): CertificateProblem | undefined {
  const { host, verifyCode } = handshake;
  if (expected === "clusterNode" && verifyCode === "") {
    return undefined;
  }
  const { certificate } = handshake;
  const inMaintenance = certificate.subject.CN === MAINTENANCE_COMMON_NAME;
  if (expected === "maintenanceNode") {
    if (inMaintenance) {
      return undefined;
    }
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
      `it is in maintenance mode: it has no configuration, or lost it with its disk; apply a machine configuration first`,
    );
  }
  return new CertificateProblem(
    "wrongCluster",
    `its certificate was not issued by the CA of this cluster (${verifyCode}); the address now belongs to another machine, or the credentials are of another cluster`,
  );
}

/** The problem if the server is in maintenance mode and is not the expected one. */
export function otherMaintenanceNode(
  found: string,
  expected: readonly string[],
): CertificateProblem {
  const which =
    expected.length === 0
      ? "and no fingerprint is accepted"
      : `not with the expected one ("${expected.join('", "')}")`;
  return new CertificateProblem(
    "otherMaintenanceNode",
    `it is in maintenance mode with the certificate fingerprint "${found}", ${which}`,
  );
}
