import type * as pulumi from "@pulumi/pulumi";
import { checkWord, wholeNumber, problemAt } from "../argumentChecks";
import { GUARDED_PORTS } from "../firewall/planFirewallRules";
import type { PropertyProblem } from "../problems";

/** How a load balancer asks machines whether they serve. */
export type IngressProbe = (typeof INGRESS_PROBES)[number];

/** All ways. */
const INGRESS_PROBES = ["tcp", "http", "https"] as const;

/** A port of an ingress load balancer. */
export interface IngressListenerArgs {
  /** The port for clients, for example 443. */
  readonly port: number;
  /**
   * The port of the machines: the `nodePort` of the ingress controller's service, or a port that its
   * pods have in the network of their machines.
   */
  readonly targetPort: number;
  /**
   * ARN of a certificate in AWS Certificate Manager, of the same region. TLS then ends at the load
   * balancer, and machines get the plain connection. Without it, machines get what clients send,
   * so TLS ends in the cluster. Default: none.
   */
  readonly certificateArn?: pulumi.Input<string>;
  /**
   * AWS' policy for versions and ciphers of TLS. Only with `certificateArn`. Default:
   * `ELBSecurityPolicy-TLS13-1-2-2021-06`: TLS 1.2 and 1.3.
   */
  readonly sslPolicy?: string;
  /**
   * Machines get the address of the client in front of its data, by version 2 of the PROXY protocol. The
   * ingress controller must expect it. Default: false; it sees the load balancer's address.
   */
  readonly proxyProtocol?: boolean;
  /** How the load balancer finds machines that serve. Default: the target port is open. */
  readonly healthCheck?: IngressHealthCheck;
}

/** How a load balancer finds machines that serve. */
export interface IngressHealthCheck {
  /** `tcp` expects an open port; `http` and `https` an answer with a status of 200 to 399. Default: `tcp`. */
  readonly protocol?: IngressProbe;
  /** The port to ask. Default: the target port. */
  readonly port?: number;
  /** The path to ask for; only with `http` and `https`. Default: `/`. */
  readonly path?: string;
  /** Seconds between two questions, 5 to 300. Default: 10. */
  readonly intervalSeconds?: number;
}

/** TLS 1.2 and 1.3, with forward secrecy. Source: AWS' "Security policies for your Network Load Balancer". */
const DEFAULT_SSL_POLICY = "ELBSecurityPolicy-TLS13-1-2-2021-06";
const DEFAULT_INTERVAL_SECONDS = 10;
/** The number of answers after which a machine serves, or doesn't. */
const ANSWERS = 2;

/** The listener of a port in the terms of Elastic Load Balancing. */
export function planListener({ port, certificateArn, sslPolicy }: IngressListenerArgs) {
  return {
    port,
    ...(certificateArn === undefined
      ? // Left out, the policy of a former TLS listener would stay, which AWS refuses for TCP.
        { protocol: "TCP", sslPolicy: "" }
      : { protocol: "TLS", certificateArn, sslPolicy: sslPolicy ?? DEFAULT_SSL_POLICY }),
  };
}

/** The target group of a port in the terms of Elastic Load Balancing. */
export function planTargets({ targetPort, proxyProtocol, healthCheck = {} }: IngressListenerArgs) {
  const { protocol = "tcp", port = targetPort, path = "/" } = healthCheck;
  return {
    port: targetPort,
    protocol: "TCP",
    targetType: "instance",
    // A machine drops answers to its own connections that come back with their client's address
    // (kubernetes/cloud-provider-aws issue 1160).
    preserveClientIp: "false",
    proxyProtocolV2: proxyProtocol ?? false,
    healthCheck: {
      protocol: protocol.toUpperCase(),
      port: String(port),
      ...(protocol === "tcp" ? {} : { path, matcher: "200-399" }),
      interval: healthCheck.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS,
      healthyThreshold: ANSWERS,
      unhealthyThreshold: ANSWERS,
    },
  };
}

/** The ports that a load balancer reaches machines at, each once, in order. */
export function portsOfMachines(
  listeners: Readonly<Record<string, IngressListenerArgs>>,
): number[] {
  const ports = Object.values(listeners).flatMap(({ targetPort, healthCheck }) => [
    targetPort,
    healthCheck?.port ?? targetPort,
  ]);
  return [...new Set(ports)].sort((one, other) => one - other);
}

/** All problems of the listeners of a load balancer. */
export function checkIngressListeners(
  listeners: Readonly<Record<string, IngressListenerArgs>>,
): PropertyProblem[] {
  if (Object.keys(listeners).length === 0) {
    return [{ property: "listeners", reason: "no port is given: name one, as in {https: {…}}" }];
  }
  return Object.entries(listeners).flatMap(([name, listener], index) => {
    const path = `listeners["${name}"]`;
    const twin = Object.entries(listeners)
      .slice(0, index)
      .find(([, { port }]) => port === listener.port);
    return [
      ...problemAt(
        path,
        !/^[a-z][a-z0-9-]{0,15}$/.test(name) &&
          `"${name}" is no name: 1 to 16 lower-case letters, digits and "-", starting with a letter`,
      ),
      ...wholeNumber(`${path}.port`, listener.port, 1, 65_535),
      ...problemAt(
        `${path}.port`,
        twin !== undefined &&
          `"${twin[0]}" has port ${listener.port} already: give each listener a port of its own`,
      ),
      ...wholeNumber(`${path}.targetPort`, listener.targetPort, 1, 65_535),
      ...checkGuarded(`${path}.targetPort`, listener.targetPort),
      ...checkCertificate(path, listener),
      ...checkHealthCheck(`${path}.healthCheck`, listener.healthCheck ?? {}),
    ];
  });
}

/** Ports of the machines themselves are not for clients. */
function checkGuarded(property: string, port: number): PropertyProblem[] {
  const isGuarded = GUARDED_PORTS.some(
    ({ ports }) => ports !== undefined && ports.from <= port && port <= ports.to,
  );
  return problemAt(
    property,
    isGuarded &&
      `the port ${port} leads to the machines and keys of the cluster, and is never opened to clients of workloads: give the port of the ingress controller`,
  );
}

function checkCertificate(
  path: string,
  { certificateArn, sslPolicy }: IngressListenerArgs,
): PropertyProblem[] {
  const isArn = /^arn:[a-z-]+:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;
  return [
    ...problemAt(
      `${path}.certificateArn`,
      typeof certificateArn === "string" &&
        !isArn.test(certificateArn) &&
        `"${certificateArn}" is no ARN of a certificate: write it as in "arn:aws:acm:us-east-1:123456789012:certificate/0123abcd-0123-abcd-0123-0123456789ab"`,
    ),
    ...problemAt(
      `${path}.sslPolicy`,
      sslPolicy !== undefined &&
        certificateArn === undefined &&
        "it has no effect where TLS ends in the cluster: set certificateArn, or leave it out",
    ),
  ];
}

function checkHealthCheck(
  path: string,
  { protocol = "tcp", port, path: asked, intervalSeconds }: IngressHealthCheck,
): PropertyProblem[] {
  return [
    ...checkWord(`${path}.protocol`, protocol, INGRESS_PROBES),
    ...wholeNumber(`${path}.port`, port, 1, 65_535),
    ...wholeNumber(`${path}.intervalSeconds`, intervalSeconds, 5, 300),
    ...problemAt(
      `${path}.path`,
      asked !== undefined &&
        protocol === "tcp" &&
        `an open port has no path: set protocol "http" or "https", or leave it out`,
    ),
    ...problemAt(
      `${path}.path`,
      asked !== undefined && !asked.startsWith("/") && `"${asked}" is no path: start it with "/"`,
    ),
  ];
}
