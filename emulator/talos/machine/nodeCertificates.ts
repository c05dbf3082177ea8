import { isIP } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { issueCertificate, selfSignedCertificate } from "../../../provider/pki/issueCertificate";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import type { MachineFacts } from "../config/machineFacts";
import type { RequestedNames } from "../trustd/certificateRequest";
import type { IssuedCertificate } from "../trustd/trustdClient";
import type { Hostname } from "./hostname";

/** Names and addresses a node's certificates are for. */
export interface NodeNames {
  readonly hostname: Hostname;
  readonly privateAddress: string;
  /** The public one. */
  readonly address: string;
}

/** The subject of a node's certificate in maintenance (Talos v1.12.1, constants.MaintenanceServiceCommonName). */
export const maintenanceCommonName = "maintenance-service.talos.dev";

const dayMs = 24 * 60 * 60 * 1000;
/** Clocks of clients may be a little behind. */
const backdateMs = 60 * 1000;

/** Talos renews its own certificates after half of their life. */
export const renewalMs = dayMs / 2;

/** What certificates are made of, or asked for with; other changes of a configuration leave them. */
const certificateFacts = [
  "osCa",
  "acceptedCas",
  "token",
  "certSans",
  "kubernetesCa",
  "kubernetesAcceptedCas",
  "apiServerCertSans",
  "serviceCidrs",
  "dnsDomain",
  "endpoint",
  "hostname",
] as const satisfies readonly (keyof MachineFacts)[];

/** Whether a node needs other certificates after a change of its configuration. */
export function needsCertificates(before: MachineFacts, after: MachineFacts): boolean {
  return certificateFacts.some((fact) => !isDeepStrictEqual(before[fact], after[fact]));
}

/** What a certificate is for. */
export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** What a node's certificate in maintenance is for. */
export function maintenanceNames(names: NodeNames): CertificateNames {
  return alternativeNames([...namesOf(names), "127.0.0.1", "::1"]);
}

/** What the certificate of a configured node's API is for. */
export function talosApiNames(names: NodeNames, facts: MachineFacts): CertificateNames {
  return alternativeNames([...namesOf(names), ...facts.certSans]);
}

/** What the certificate of a control plane's Kubernetes API is for. */
export function kubernetesApiNames(names: NodeNames, facts: MachineFacts): CertificateNames {
  return alternativeNames([
    ...namesOf(names),
    ...facts.apiServerCertSans,
    ...facts.serviceCidrs.map(firstAddress).filter((address) => address !== undefined),
    ...["kubernetes", "kubernetes.default", "kubernetes.default.svc", "localhost", "127.0.0.1"],
    `kubernetes.default.svc.${facts.dnsDomain}`,
    ...endpointHost(facts.endpoint),
  ]);
}

/** The certificate of a node in maintenance mode: self-signed and valid for a day. */
export async function maintenanceIdentity(names: NodeNames): Promise<SecureContextOptions> {
  return contextOf(
    await selfSignedCertificate({
      commonName: maintenanceCommonName,
      ...maintenanceNames(names),
      ...lifetime(dayMs),
      usages: ["serverAuth"],
      keyType: "ed25519",
    }),
  );
}

/** What apid and trustd of a configured node show, for a day, and the CAs whose clients apid takes. */
export async function apidIdentity(
  issuingCa: CertificateAndKey,
  facts: MachineFacts,
  names: NodeNames,
  now = Date.now(),
): Promise<SecureContextOptions> {
  const certificate = await issueCertificate(issuingCa, {
    ...apidNames(facts, names),
    ...lifetime(dayMs, now),
    usages: ["serverAuth"],
    keyType: "ed25519",
  });
  return { ...contextOf(certificate), ca: facts.acceptedCas.map(fromBase64) };
}

/** What a worker asks trustd to sign: the names of its apid. */
export function apidNames(facts: MachineFacts, names: NodeNames): RequestedNames {
  return {
    commonName: names.hostname.hostname,
    ...talosApiNames(names, facts),
  };
}

/** What apid of a worker shows, as trustd signed it, and the CAs whose clients it takes. */
export function issuedIdentity(
  { ca, certificate }: IssuedCertificate,
  key: string,
): SecureContextOptions {
  return { cert: certificate + certificate, key, ca: [ca] };
}

/** What the Kubernetes API server shows, for a year, and the CAs whose clients it takes. */
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
    ...lifetime(365 * dayMs, now),
    usages: ["serverAuth"],
    keyType: "p256",
  });
  return { ...contextOf(certificate), ca: facts.kubernetesAcceptedCas.map(fromBase64) };
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
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(now + durationMs) };
}

/**
 * Talos sends its certificate and no chain. OpenSSL adds the CA it knows from the list of clients'
 * CAs unless it is given a chain, and the certificate a second time is one that means nothing.
 */
function contextOf({ crt, key }: CertificateAndKey): SecureContextOptions {
  const certificate = fromBase64(crt);
  return { cert: certificate + certificate, key: nodeKey(key) };
}

/** The address of the service `kubernetes`: the first of an IPv4 service network. */
function firstAddress(cidr: string): string | undefined {
  const [network = ""] = cidr.split("/");
  return isIP(network) === 4 ? network.replace(/\d+$/, (last) => `${Number(last) + 1}`) : undefined;
}

function endpointHost(endpoint: string): string[] {
  return URL.canParse(endpoint) ? [new URL(endpoint).hostname.replace(/^\[|\]$/g, "")] : [];
}
