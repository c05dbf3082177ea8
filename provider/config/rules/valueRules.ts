import { isFetchable } from "../schema/formats";
import { quoteUrl } from "../secrets/quote";

/**
 * What is wrong with single values, as messages; undefined without a problem. They judge options and
 * what a configuration has in the end, wherever it comes from.
 */

/** Kubernetes names the node after it, and allows fewer names than Talos. Source: RFC 1123. */
export function hostnameProblem(name: string): string | undefined {
  return name.length <= 253 &&
    name.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
    ? undefined
    : `${JSON.stringify(name)} is not a name for a machine: lower-case letters, digits and "-", up to 63 between dots, 253 in all`;
}

/** The name of a cluster in kubeconfigs and talosconfigs. */
export function clusterNameProblem(name: string): string | undefined {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not a name for a cluster: 1 to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit`;
}

/** The device to install Talos on. */
export function installDiskProblem(disk: string): string | undefined {
  return /^\/dev\/[\w./:-]+$/.test(disk)
    ? undefined
    : `${JSON.stringify(disk)} is not a disk: write the path of its device, like "/dev/xvda"`;
}

/** The name of a kernel setting. */
export function sysctlNameProblem(key: string): string | undefined {
  return /^\w[\w-]*(?:[./][\w:*-]+)+$/.test(key)
    ? undefined
    : `${JSON.stringify(key)} is not the name of a kernel setting, like "vm.max_map_count"`;
}

/** The value of a kernel setting. */
export function sysctlValueProblem(value: string): string | undefined {
  return /^\s*$/.test(value) ? "is empty: write the value as text, or leave it out" : undefined;
}

/** The name of a kernel module. */
export function moduleNameProblem(name: string): string | undefined {
  return /^[\w-]+$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not the name of a kernel module, like "nvme_tcp": write it without path, ending and parameters`;
}

/** A registry, as images name it. */
export function registryProblem(registry: string): string | undefined {
  return registry === "*" || /^[A-Za-z0-9][\w.-]*(?::\d{1,5})?$/.test(registry)
    ? undefined
    : `${quoteUrl(registry)} is not a registry: write its host as images name it, like "docker.io", or "*" for all others`;
}

/** The URL of a registry's mirror. */
export function mirrorProblem(endpoint: string): string | undefined {
  if (/^[^/?#]*\/\/[^/?#]*@/.test(endpoint)) {
    return "has a user name or password in it: leave them out, and patch in credentials for the registry";
  }
  return isFetchable(endpoint)
    ? undefined
    : `${JSON.stringify(endpoint)} is not the URL of a registry: write it with its scheme, like "https://mirror.example.com"`;
}

/** The endpoint of a server that seals keys. */
export function kmsProblem(endpoint: string): string | undefined {
  return /^(?:https|grpc):\/\/[^/?#@]+\/?$/.test(endpoint)
    ? undefined
    : `${quoteUrl(endpoint)} is not the endpoint of a KMS: write it like "https://kms.example.com:4050"`;
}

/** The name of a namespace in Kubernetes. */
export function namespaceProblem(namespace: string): string | undefined {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)
    ? undefined
    : `${JSON.stringify(namespace)} is not a namespace: lower-case letters, digits and "-", up to 63`;
}

/** The size of a link's packets. */
export function mtuProblem(mtu: number): string | undefined {
  return Number.isInteger(mtu) && mtu >= 68 && mtu <= 65536
    ? undefined
    : `${mtu} is not a size of packets: 68 to 65536 bytes, 9001 at most on AWS`;
}

/** The addresses of one route. */
export function routeProblem(addresses: readonly string[]): string | undefined {
  const versions = addresses.filter((text) => text !== "").map((text) => text.includes(":"));
  return new Set(versions).size > 1
    ? "mixes IPv4 and IPv6: destination, gateway and source are of one version"
    : undefined;
}

/** The name of a program's flag, with `-` or `_` between words. */
export function flagNameProblem(flag: string): string | undefined {
  return /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/.test(flag)
    ? undefined
    : `${JSON.stringify(flag)} is not a flag: write it without dashes before it, like "max-pods"`;
}
