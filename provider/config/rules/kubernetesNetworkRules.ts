import { isCidr } from "../schema/formats";
import { networksOverlap, parseNetwork } from "../schema/ipNetwork";
import {
  MAX_NODE_BITS,
  MAX_SERVICE_HOST_BITS,
  MIN_HOST_BITS,
  NODE_LENGTHS,
  rangeListProblem,
} from "./clusterRanges";
import type { DocumentView } from "./documentView";

/**
 * Checks the document `KubeNetworkConfig`. Since v1.14. Source: types/k8s/network.go, Talos v1.14.1.
 * Stricter: networks that overlap are refused too, because packets get lost.
 */
export function checkPodNetworks(view: DocumentView): void {
  const lengths = { 4: nodeLength(view, 4), 6: nodeLength(view, 6) };
  const networks = ["podSubnets", "serviceSubnets"].map((key) => {
    view.report([key], rangeListProblem(view.texts(key).map(([, text]) => text)));
    return view.texts(key).filter(([, text]) => isCidr(text));
  });
  if (view.list("podSubnets").length !== view.list("serviceSubnets").length) {
    view.report(["serviceSubnets"], "has to have as many networks as podSubnets");
  }
  for (const [path, text] of networks.flat()) {
    const version = text.includes(":") ? 6 : 4;
    const all = version === 6 ? 128 : 32;
    const length = parseNetwork(text).subnetMask;
    const ofNode = lengths[version];
    if (parseNetwork(text).startAddress().correctForm() !== parseNetwork(text).correctForm()) {
      view.report(path, `${view.quote(...path)} is an address in a network, not the network`);
    } else if (all - length < MIN_HOST_BITS) {
      view.report(path, `${view.quote(...path)} is too small: /${all - MIN_HOST_BITS} at least`);
    } else if (path[0] === "serviceSubnets" && all - length > MAX_SERVICE_HOST_BITS) {
      const most = all - MAX_SERVICE_HOST_BITS;
      view.report(path, `${view.quote(...path)} is too big for services: /${most} at most`);
    } else if (path[0] === "podSubnets" && ofNode !== undefined && length > ofNode) {
      view.report(path, `${view.quote(...path)} is smaller than that of one node, /${ofNode}`);
    } else if (
      path[0] === "podSubnets" &&
      ofNode !== undefined &&
      ofNode - length > MAX_NODE_BITS
    ) {
      const most = ofNode - MAX_NODE_BITS;
      view.report(
        path,
        `${view.quote(...path)} is too big for nodes of /${ofNode}: /${most} at most`,
      );
    }
  }
  const [pods = [], services = []] = networks;
  for (const [path, text] of services) {
    const other = pods.find(([, pod]) => networksOverlap(pod, text));
    if (other !== undefined) {
      view.report(
        path,
        `"${text}" overlaps with "${other[1]}" of the pods: give them networks of their own`,
      );
    }
  }
}

/** The prefix length of a node's pods; undefined for one that is wrong. */
function nodeLength(view: DocumentView, version: 4 | 6): number | undefined {
  const key = `nodeCIDRMaskSizeIPv${version}`;
  const length = view.get(key) ?? 0;
  const most = version === 4 ? 32 : 128;
  if (typeof length !== "number" || length < 0 || length > most) {
    view.report([key], `${view.quote(key)} is not a prefix length: 1 to ${most}`);
    return undefined;
  }
  return length === 0 ? NODE_LENGTHS[version] : length;
}
