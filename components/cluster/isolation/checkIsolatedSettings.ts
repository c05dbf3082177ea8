import { problemAt } from "../../argumentChecks";
import type { PropertyProblem } from "../../problems";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import type { RegistryUsers } from "./planRegistries";
import { isPublicHost, isPublicTimeServer } from "./publicHosts";

/**
 * AWS' time server, at a link-local address. Sources: EC2 user guide, "Amazon Time Sync Service";
 * Talos asks it by itself since v1.12 (v1.12.1, platform/aws/aws.go).
 */
const TIME_SERVER = "169.254.169.123";

const ECR = /\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com/;

/** The options that decide what a machine needs from outside. */
export type IsolatedSettings = Pick<
  ClusterMachineConfigurationArgs,
  "registryMirrors" | "timeServers" | "discovery" | "discoveryEndpoint" | "extraManifests"
>;

/** What the machines of a role need, and what they bring. */
export interface MachineNeeds {
  readonly registries: RegistryUsers;
  readonly kubeSpan: boolean;
  /** Whether their Talos asks AWS' time server by itself. */
  readonly knowsTimeServer: boolean;
}

/**
 * What the machines of a role lack in a network without internet. Options that are known only later
 * are not checked.
 */
export function checkIsolatedSettings(
  settings: IsolatedSettings,
  { registries, kubeSpan, knowsTimeServer }: MachineNeeds,
): PropertyProblem[] {
  return [
    ...checkMirrors(settings.registryMirrors, registries),
    ...checkTime(settings.timeServers, knowsTimeServer),
    ...checkDiscovery(settings, kubeSpan),
  ];
}

function checkMirrors(
  given: IsolatedSettings["registryMirrors"],
  registries: RegistryUsers,
): PropertyProblem[] {
  const mirrors = plainRecord(given);
  if (mirrors === undefined) {
    return [];
  }
  const property = "registryMirrors";
  const missing = [...registries].filter(
    ([registry]) => !(registry in mirrors) && !("*" in mirrors),
  );
  const list = missing.map(([registry, users]) => `"${registry}" (${users.join(", ")})`).join(", ");
  const reason = `the machines fetch images from ${list}, which they can't reach: name a mirror in the network for each, or for "*", as in {"*": ["https://mirror.example.com"]}`;
  return [
    ...problemAt(property, missing.length !== 0 && reason),
    ...Object.entries(mirrors).flatMap(([registry, urls]) =>
      urls.flatMap((url, index) =>
        problemAt(`${property}["${registry}"][${index}]`, mirrorProblem(url)),
      ),
    ),
  ];
}

function mirrorProblem(url: string): string | undefined {
  if (isPublicHost(url)) {
    return `"${url}" is on the internet, which the machines can't reach: name a mirror in the network or in a connected one`;
  }
  return ECR.test(url)
    ? `"${url}" asks for a password that expires after 12 hours, and the machines have none for a mirror: put a registry that logs in to ECR before it, such as zot or Harbor`
    : undefined;
}

function checkTime(
  given: IsolatedSettings["timeServers"],
  knowsTimeServer: boolean,
): PropertyProblem[] {
  const servers = plainList(given);
  if (servers === undefined) {
    return [];
  }
  const property = "timeServers";
  if (servers.length === 0 && !knowsTimeServer) {
    const reason = `the machines wait for the time before they start Kubernetes, and Talos before v1.12 asks time.cloudflare.com, which they can't reach: set ["${TIME_SERVER}"], AWS' own`;
    return [{ property, reason }];
  }
  return servers.flatMap((server, index) =>
    problemAt(
      `${property}[${index}]`,
      isPublicTimeServer(server) &&
        `"${server}" is on the internet, which the machines can't reach: set "${TIME_SERVER}", AWS' own`,
    ),
  );
}

function checkDiscovery(
  { discovery, discoveryEndpoint: endpoint }: IsolatedSettings,
  kubeSpan: boolean,
): PropertyProblem[] {
  if (typeof discovery === "object" || discovery === false || typeof endpoint === "object") {
    return [];
  }
  if (endpoint !== undefined && !isPublicHost(endpoint)) {
    return [];
  }
  const off = kubeSpan ? "leave kubeSpan out and set discovery false" : "set discovery false";
  const reason = `the machines find each other through discovery.talos.dev, which they can't reach: ${off}, or set discoveryEndpoint to a service in the network`;
  return [{ property: endpoint === undefined ? "discovery" : "discoveryEndpoint", reason }];
}

/** The mirrors, none if the option is left out; undefined for an output. */
function plainRecord(
  given: IsolatedSettings["registryMirrors"],
): Readonly<Record<string, readonly string[]>> | undefined {
  if (given === undefined) {
    return {};
  }
  const known = Object.entries(given).map(
    ([registry, urls]: [string, unknown]) => [registry, plainList(urls)] as const,
  );
  return isOutput(given) || known.some(([, urls]) => urls === undefined)
    ? undefined
    : Object.fromEntries(known.map(([registry, urls]) => [registry, urls ?? []]));
}

/** A list of texts, empty if the option is left out; undefined if any of them is an output. */
function plainList(given: unknown): readonly string[] | undefined {
  if (given === undefined) {
    return [];
  }
  return Array.isArray(given) && given.every((each) => typeof each === "string")
    ? given
    : undefined;
}

function isOutput(value: object): boolean {
  return "apply" in value || value instanceof Promise;
}
