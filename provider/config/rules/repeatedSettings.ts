import {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_SERVICE_CIDRS,
} from "../birth/clusterDefaults";
import { isMapping } from "../machineConfig";
import type { Path } from "../path";
import { isCidr } from "../schema/formats";
import { isWithin } from "../schema/ipNetwork";
import type { DocumentView } from "./documentView";

/**
 * Reports flags and kubelet settings that say something else than the setting of the cluster from which
 * Talos, CoreDNS or flannel take the same. Talos passes them on, and the two halves of the cluster differ.
 *
 * Sources: talos v1.12.1 and v1.14.1, internal/app/machined/pkg/controllers/k8s/
 * control_plane_static_pod.go (`mergePolicies`), control_plane.go (flannel, DNS), kubelet_config.go,
 * secrets/kubernetes.go (the address in the API server's certificate); kubernetes v1.35.0,
 * cmd/kube-controller-manager/app/core.go ("serviceCIDR and secondaryServiceCIDR are not dualstack").
 */
export function checkRepeatedSettings(view: DocumentView): void {
  checkDnsDomain(view);
  if (view.get("machine", "type") === "controlplane") {
    checkServiceRange(view);
    checkPodRange(view);
  }
}

function checkDnsDomain(view: DocumentView): void {
  const domain = view.text("cluster", "network", "dnsDomain") ?? DEFAULT_DNS_DOMAIN;
  const places: readonly Path[] = [
    ["machine", "kubelet", "extraConfig", "clusterDomain"],
    ...flagPlaces(["machine", "kubelet"], "cluster-domain"),
  ];
  for (const path of places) {
    const value = view.text(...path);
    if (value !== undefined && withoutDot(value) !== withoutDot(domain)) {
      view.report(
        path,
        `${JSON.stringify(value)} isn't the domain of the cluster's DNS, ${JSON.stringify(domain)}, so pods find no service by its name: leave it out, and set cluster.network.dnsDomain on all machines`,
      );
    }
  }
}

function checkServiceRange(view: DocumentView): void {
  const ranges = rangesOf(view, "serviceSubnets", DEFAULT_SERVICE_CIDRS);
  const advice = "leave it out, and set cluster.network.serviceSubnets";
  for (const path of flagPlaces(["cluster", "apiServer"], "service-cluster-ip-range")) {
    const given = flagRanges(view, path);
    if (given !== undefined && given.join() !== ranges.join()) {
      view.report(
        path,
        `${JSON.stringify(given.join(","))} isn't what cluster.network.serviceSubnets says (${ranges.join(", ")}), from which Talos takes the address of DNS and the one in the API server's certificate: ${advice}`,
      );
    }
  }
  for (const path of flagPlaces(["cluster", "controllerManager"], "service-cluster-ip-range")) {
    if (flagRanges(view, path) !== undefined) {
      view.report(
        path,
        `Talos sets it from cluster.network.serviceSubnets and adds this value, and kube-controller-manager ends with two ranges of one IP version: ${advice}`,
      );
    }
  }
}

function checkPodRange(view: DocumentView): void {
  const ranges = rangesOf(view, "podSubnets", DEFAULT_POD_CIDRS);
  for (const path of flagPlaces(["cluster", "controllerManager"], "cluster-cidr")) {
    const outside = flagRanges(view, path)?.find(
      (cidr) => !ranges.some((range) => isWithin(cidr, range)),
    );
    if (outside !== undefined) {
      view.report(
        path,
        `${JSON.stringify(outside)} isn't within cluster.network.podSubnets (${ranges.join(", ")}), by which pod networks and kube-proxy know the addresses of pods: leave it out, and set cluster.network.podSubnets`,
      );
    }
  }
}

function rangesOf(view: DocumentView, key: string, usual: readonly string[]): readonly string[] {
  const ranges = view.texts("cluster", "network", key).map(([, cidr]) => cidr);
  return ranges.length === 0 ? usual : ranges;
}

/** The ranges of a flag; undefined without it, or if one isn't a range, which is reported as such. */
function flagRanges(view: DocumentView, path: Path): readonly string[] | undefined {
  const value = view.get(...path);
  const texts = Array.isArray(value)
    ? value
    : value === undefined || isMapping(value)
      ? []
      : [value];
  const ranges = texts
    .flatMap((each) => (typeof each === "string" ? each.split(",") : []))
    .map((each) => each.trim())
    .filter((each) => each !== "");
  return ranges.length > 0 && ranges.every(isCidr) ? ranges : undefined;
}

function flagPlaces(program: Path, flag: string): readonly Path[] {
  return [flag, flag.replaceAll("-", "_")].map((name) => [...program, "extraArgs", name]);
}

function withoutDot(domain: string): string {
  return domain.replace(/\.$/, "");
}
