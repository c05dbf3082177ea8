import { isIP } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import {
  type CertificateAndKey,
  fromBase64,
  issueCertificate,
  nodeKey,
  selfSignedCertificate,
} from "../../../provider/pki";
import type { MachineFacts } from "../config/machineFacts";
import type { RequestedNames } from "../trustd/certificateRequest";
import type { IssuedCertificate } from "../trustd/trustdClient";
import type { Hostname } from "./hostname";

/** The names and addresses in a node's certificates. */
export interface NodeNames {
  readonly hostname: Hostname;
  readonly privateAddress: string;
  /** The public address. */
  readonly address: string;
}

/** The subject of a node's certificate in maintenance (Talos v1.12.1, constants.MaintenanceServiceCommonName). */
export const maintenanceCommonName = "maintenance-service.talos.dev";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Clients' clocks may be slightly behind. */
const BACKDATE_MS = 60 * 1000;

/** Talos renews its own certificates after half of their lifetime. */
export const renewalMs = DAY_MS / 2;

/** The facts that certificates depend on. Other changes of a configuration don't affect them. */
const certificateFacts = [
  "osCa",
  "acceptedCas",
  "token",
  "certSans",
  "kubernetesCa",
  "kubernetesAcceptedCas",
  "aggregatorCas",
  "apiServerCertSans",
  "serviceCidrs",
  "dnsDomain",
  "endpoint",
  "hostname",
] as const satisfies readonly (keyof MachineFacts)[];

/** Whether a changed configuration needs new certificates. */
export function needsCertificates(before: MachineFacts, after: MachineFacts): boolean {
  return certificateFacts.some((fact) => !isDeepStrictEqual(before[fact], after[fact]));
}

/** The names in a certificate. */
export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** The names in a node's certificate in maintenance mode. */
export function maintenanceNames(names: NodeNames): CertificateNames {
  return alternativeNames([...namesOf(names), "127.0.0.1", "::1"]);
}

/** The names in the certificate of a configured node's API. */
export function talosApiNames(names: NodeNames, facts: MachineFacts): CertificateNames {
  return alternativeNames([...namesOf(names), ...facts.certSans]);
}

/** The names in the certificate of a control plane's Kubernetes API. */
export function kubernetesApiNames(names: NodeNames, facts: MachineFacts): CertificateNames {
  return alternativeNames([
    ...namesOf(names),
    ...facts.apiServerCertSans,
    ...facts.serviceCidrs.map(firstAddress).filter((address) => address !== undefined),
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "localhost",
    "127.0.0.1",
    `kubernetes.default.svc.${facts.dnsDomain}`,
    ...endpointHost(facts.endpoint),
  ]);
}

/** The certificate of a node in maintenance mode: self-signed, valid for a day. */
export async function maintenanceIdentity(names: NodeNames): Promise<SecureContextOptions> {
  return contextOf(
    await selfSignedCertificate({
      commonName: maintenanceCommonName,
      ...maintenanceNames(names),
      ...lifetime(DAY_MS),
      usages: ["serverAuth"],
      keyType: "ed25519",
    }),
  );
}

/**
 * The certificate of a configured node's apid and trustd, valid for a day, and the accepted CAs of
 * apid's clients.
 */
export async function apidIdentity(
  issuingCa: CertificateAndKey,
  facts: MachineFacts,
  names: NodeNames,
  now = Date.now(),
): Promise<SecureContextOptions> {
  const certificate = await issueCertificate(issuingCa, {
    ...apidNames(facts, names),
    ...lifetime(DAY_MS, now),
    usages: ["serverAuth"],
    keyType: "ed25519",
  });
  return { ...contextOf(certificate), ca: facts.acceptedCas.map(fromBase64) };
}

/** The names in a worker's certificate request: those of its apid. */
export function apidNames(facts: MachineFacts, names: NodeNames): RequestedNames {
  return {
    commonName: names.hostname.hostname,
    ...talosApiNames(names, facts),
  };
}

/** The certificate of a worker's apid, signed by trustd, and the accepted CAs of its clients. */
export function issuedIdentity(
  { ca, certificate }: IssuedCertificate,
  key: string,
): SecureContextOptions {
  return { cert: certificate + certificate, key, ca: [ca] };
}

/**
 * The certificate of the Kubernetes API server, valid for a year. With it come the accepted CAs of
 * its clients, and of the API servers that pass requests on to it.
 */
export async function apiServerIdentity(
  ca: CertificateAndKey,
  facts: MachineFacts,
  names: NodeNames,
  now = Date.now(),
): Promise<SecureContextOptions> {
  const certificate = await issueCertificate(ca, {
    commonName: "kube-apiserver",
    organizations: ["kube-master"],
    ...kubernetesApiNames(names, facts),
    ...lifetime(365 * DAY_MS, now),
    usages: ["serverAuth"],
    keyType: "p256",
  });
  return {
    ...contextOf(certificate),
    ca: [...facts.kubernetesAcceptedCas, ...facts.aggregatorCas].map(fromBase64),
  };
}

function namesOf({ hostname, privateAddress, address }: NodeNames): string[] {
  return [hostname.hostname, hostname.fqdn, privateAddress, address];
}

function alternativeNames(names: readonly string[]): CertificateNames {
  const unique = [...new Set(names)].filter((name) => name !== "");
  return {
    dnsNames: unique.filter((name) => isIP(name) === 0),
    ipAddresses: unique.filter((name) => isIP(name) !== 0),
  };
}

function lifetime(durationMs: number, now = Date.now()): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + durationMs) };
}

/**
 * Talos sends its certificate without a chain. Without a given chain, OpenSSL would add the CA from
 * the clients' CAs. So the chain is the certificate itself again, which clients ignore.
 */
function contextOf({ crt, key }: CertificateAndKey): SecureContextOptions {
  const certificate = fromBase64(crt);
  return { cert: certificate + certificate, key: nodeKey(key) };
}

/** The address of the service `kubernetes`: the first address of an IPv4 service network. */
function firstAddress(cidr: string): string | undefined {
  const [network = ""] = cidr.split("/");
  return isIP(network) === 4 ? network.replace(/\d+$/, (last) => `${Number(last) + 1}`) : undefined;
}

function endpointHost(endpoint: string): string[] {
  return URL.canParse(endpoint) ? [new URL(endpoint).hostname.replace(/^\[|\]$/g, "")] : [];
}
