import { minorOfImage } from "../flags/componentTable";
import { formatPath } from "../path";
import { isCidr } from "../schema/formats";
import { parseNetwork } from "../schema/ipNetwork";
import type { DocumentView } from "./documentView";

/** The prefix length of one node's pods. Source: kube-controller-manager v1.34.3, `app/core.go`. */
export const NODE_LENGTHS = { 4: 24, 6: 64 } as const;

/**
 * The most bits between the range of all pods and that of one node. Kubernetes has this limit for
 * IPv6 only. Source: Kubernetes v1.34.3, `nodeipam/ipam/cidrset/cidr_set.go`.
 */
export const MAX_NODE_BITS = 16;

/**
 * The fewest bits that tell a range's addresses apart. kube-apiserver needs eight addresses, and
 * Talos gives the tenth to DNS. Source: Kubernetes v1.34.3, `ServiceIPRange`; siderolabs/net v0.4.0,
 * `NthIPInNetwork`.
 */
export const MIN_HOST_BITS = 4;

/** The most bits of a services' range where kube-apiserver keeps all addresses in one object. */
export const MAX_SERVICE_HOST_BITS = 20;

/** From this Kubernetes minor on, each address is an object, unless a feature gate says otherwise. */
const FIRST_MINOR_WITH_WIDE_SERVICES = 34;

/** The widest range of IPv6 that kube-apiserver then allocates from. Source: v1.34.3, `ipallocator.go`. */
const MAX_SERVICE_HOST_BITS_IPV6 = 64;

/** What kube-apiserver allocates the addresses of services with. */
export interface ServiceAllocator {
  /** Minor of the API server: 34 is Kubernetes v1.34. Undefined if nothing names it. */
  readonly kubernetesMinor: number | undefined;
  /** What the API server's flag says of the gate `DisableAllocatorDualWrite`. Default: nothing. */
  readonly disablesDualWrite?: boolean | undefined;
}

/**
 * What is wrong with a range of services; undefined without a problem. Source: Kubernetes v1.32 to
 * v1.37, `cmd/kube-apiserver/app/options/validation.go` (`validateClusterIPFlags`).
 */
export function serviceRangeProblem(
  cidr: string,
  { kubernetesMinor, disablesDualWrite }: ServiceAllocator,
): string | undefined {
  const [all, ipv6] = cidr.includes(":") ? [128, true] : [32, false];
  const hostBits = all - parseNetwork(cidr).subnetMask;
  if (hostBits < MIN_HOST_BITS) {
    return `${JSON.stringify(cidr)} is too small for services: /${all - MIN_HOST_BITS} at least, because the tenth address is the one of DNS`;
  }
  if (kubernetesMinor === undefined) {
    return undefined;
  }
  const isWide = disablesDualWrite ?? kubernetesMinor >= FIRST_MINOR_WITH_WIDE_SERVICES;
  if (isWide) {
    return ipv6 && hostBits > MAX_SERVICE_HOST_BITS_IPV6
      ? `${JSON.stringify(cidr)} is too big for services: kube-apiserver takes /${all - MAX_SERVICE_HOST_BITS_IPV6} at most`
      : undefined;
  }
  const until = `kube-apiserver ${kubernetesMinor < FIRST_MINOR_WITH_WIDE_SERVICES ? `before Kubernetes 1.${FIRST_MINOR_WITH_WIDE_SERVICES}` : "without the feature gate DisableAllocatorDualWrite"}`;
  return hostBits > MAX_SERVICE_HOST_BITS
    ? `${JSON.stringify(cidr)} is too big for services: ${until} takes /${all - MAX_SERVICE_HOST_BITS} at most`
    : undefined;
}

/** What is wrong with a network that is none: an address with a length; undefined without a problem. */
export function networkProblem(cidr: string): string | undefined {
  const network = parseNetwork(cidr);
  const first = network.startAddress().correctForm();
  return first === network.correctForm()
    ? undefined
    : `${JSON.stringify(cidr)} is an address in a network, not the network: did you mean "${first}${cidr.slice(cidr.indexOf("/"))}"?`;
}

/**
 * What is wrong with the IP versions of services beside those of pods; undefined without a problem.
 * The first network of each decides the version of the cluster's own addresses, and a service needs
 * pods of its version. Source: kubernetes.io, "IPv4/IPv6 dual-stack".
 */
export function rangeVersionProblem(
  pods: readonly string[],
  services: readonly string[],
): string | undefined {
  const versionOf = (cidr: string) => (cidr.includes(":") ? "IPv6" : "IPv4");
  const [[ofPods], [ofServices]] = [pods.map(versionOf), services.map(versionOf)];
  return ofPods === undefined || ofServices === undefined || ofPods === ofServices
    ? undefined
    : `the first network of services is of ${ofServices}, and that of pods of ${ofPods}: write both lists in the same order of IP versions`;
}

/** What is wrong with the ranges of pods or of services together; undefined without a problem. */
export function rangeListProblem(cidrs: readonly string[]): string | undefined {
  const versions = new Set(cidrs.map((cidr) => cidr.includes(":")));
  return cidrs.length > 0 && versions.size === cidrs.length
    ? undefined
    : "write one network, or two for both IP versions: one of IPv4 and one of IPv6";
}

/**
 * Checks the ranges of pods and services of a control plane, wherever they come from. Talos takes
 * them all, and hands them to kube-apiserver and kube-controller-manager, which end at once.
 */
export function checkClusterRanges(view: DocumentView): void {
  const network = ["cluster", "network"];
  for (const key of ["podSubnets", "serviceSubnets"]) {
    const cidrs = view.texts(...network, key).map(([, cidr]) => cidr);
    // Talos has ranges of its own for an empty list.
    view.report([...network, key], cidrs.length === 0 ? undefined : rangeListProblem(cidrs));
  }
  const allocator = allocatorOf(view);
  for (const [path, cidr] of view.texts(...network, "serviceSubnets")) {
    view.report(path, isCidr(cidr) ? serviceRangeProblem(cidr, allocator) : undefined);
  }
  if (flagOf(view, "controllerManager", "allocate-node-cidrs") === "false") {
    return;
  }
  for (const [path, cidr] of view.texts(...network, "podSubnets")) {
    view.report(path, isCidr(cidr) ? podRangeProblem(cidr, nodeLength(view, cidr)) : undefined);
  }
}

/** Reports addresses that are no networks, and services of another IP version than pods. */
export function checkRangeForms(view: DocumentView): void {
  const network = ["cluster", "network"];
  const [pods = [], services = []] = ["podSubnets", "serviceSubnets"].map((key) =>
    view.texts(...network, key).filter(([, cidr]) => isCidr(cidr)),
  );
  for (const [path, cidr] of [...pods, ...services]) {
    view.report(path, networkProblem(cidr));
  }
  const mixed = rangeVersionProblem(
    pods.map(([, cidr]) => cidr),
    services.map(([, cidr]) => cidr),
  );
  view.report([...network, "serviceSubnets"], mixed);
}

/**
 * What is wrong with a range of pods; undefined without a problem. Source: Kubernetes v1.34.3,
 * `nodeipam/node_ipam_controller.go`, `cidr_set.go`.
 */
function podRangeProblem(cidr: string, ofNode: number | undefined): string | undefined {
  if (ofNode === undefined) {
    return undefined;
  }
  const length = parseNetwork(cidr).subnetMask;
  if (length > ofNode) {
    return `${JSON.stringify(cidr)} is too small for pods: each node gets a /${ofNode} of it, so /${ofNode} at least`;
  }
  return cidr.includes(":") && ofNode - length > MAX_NODE_BITS
    ? `${JSON.stringify(cidr)} is too big for pods: each node gets a /${ofNode} of it, so /${ofNode - MAX_NODE_BITS} at most`
    : undefined;
}

/**
 * What is wrong with the ranges of pods for so many nodes; undefined without a problem. A node without
 * a share of them never becomes Ready with the pod networks that use it.
 *
 * @param nodeCount the most nodes of the cluster
 */
export function nodeCountProblem(view: DocumentView, nodeCount: number): string | undefined {
  if (flagOf(view, "controllerManager", "allocate-node-cidrs") === "false") {
    return undefined;
  }
  const [found] = view.texts("cluster", "network", "podSubnets").flatMap(([path, cidr]) => {
    const ofNode = isCidr(cidr) ? nodeLength(view, cidr) : undefined;
    const most =
      ofNode === undefined ? nodeCount : 2 ** Math.max(0, ofNode - parseNetwork(cidr).subnetMask);
    return most >= nodeCount || ofNode === undefined
      ? []
      : [
          `${formatPath(path)}: ${JSON.stringify(cidr)} is too small for ${nodeCount} nodes: each gets a /${ofNode} of it, which is enough for ${most}; name a wider network, or let fewer machines be made`,
        ];
  });
  return found;
}

/** The prefix length of a node's share; undefined if a flag's value can't be read. */
function nodeLength(view: DocumentView, cidr: string): number | undefined {
  const version = cidr.includes(":") ? 6 : 4;
  const given =
    flagOf(view, "controllerManager", "node-cidr-mask-size") ??
    flagOf(view, "controllerManager", `node-cidr-mask-size-ipv${version}`);
  if (given === undefined) {
    // Since v1.14, a document has it too.
    const length = view.get("cluster", "network", `nodeCIDRMaskSizeIPv${version}`);
    return typeof length === "number" && length > 0 ? length : NODE_LENGTHS[version];
  }
  return /^\d+$/.test(given) && Number(given) > 0 ? Number(given) : undefined;
}

function allocatorOf(view: DocumentView): ServiceAllocator {
  const minor = minorOfImage(view.text("cluster", "apiServer", "image"));
  const gates = flagOf(view, "apiServer", "feature-gates") ?? "";
  const [, disables] = /\bDisableAllocatorDualWrite=(true|false)\b/.exec(gates) ?? [];
  return {
    kubernetesMinor: Number.isNaN(minor) ? undefined : minor,
    disablesDualWrite: disables === undefined ? undefined : disables === "true",
  };
}

/** A flag's value, in either spelling. Of one that is repeated, the last counts. */
function flagOf(view: DocumentView, component: string, flag: string): string | undefined {
  const spellings = [flag, flag.replaceAll("-", "_")];
  return spellings
    .flatMap((name) => {
      const value = view.get("cluster", component, "extraArgs", name);
      return [Array.isArray(value) ? value.at(-1) : value].filter((each) => each !== undefined);
    })
    .map(String)
    .at(-1);
}
