import { execFileSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "../../../../provider/kubernetes";
import { podNetworkFacts, type PodNetworkFacts } from "./podNetworkFacts";

/** The settings of Talos' guide "Deploy Cilium CNI", and what this package does otherwise. */
const USUAL = [
  "ipam.mode=kubernetes",
  "securityContext.capabilities.ciliumAgent={CHOWN,KILL,NET_ADMIN,NET_RAW,IPC_LOCK,SYS_ADMIN,SYS_RESOURCE,DAC_OVERRIDE,FOWNER,SETGID,SETUID}",
  "securityContext.capabilities.cleanCiliumState={NET_ADMIN,SYS_ADMIN,SYS_RESOURCE}",
  "cgroup.autoMount.enabled=false",
  "cgroup.hostRoot=/sys/fs/cgroup",
  "bpf.hostLegacyRouting=true",
  "envoy.enabled=false",
  "tls.secretSync.enabled=false",
];
const WITHOUT_KUBE_PROXY = [
  "kubeProxyReplacement=true",
  "k8sServiceHost=localhost",
  "k8sServicePort=7445",
];
const QUIET = ["hubble.enabled=false", "operator.prometheus.enabled=false"];

/** The values of the chart that mean what arguments of the add-on mean. */
const VARIANTS = {
  usual: [...WITHOUT_KUBE_PROXY, ...QUIET],
  kubeProxy: ["kubeProxyReplacement=false", ...QUIET],
  everything: [
    ...WITHOUT_KUBE_PROXY,
    "prometheus.enabled=true",
    "hubble.enabled=true",
    "hubble.tls.enabled=false",
    "hubble.relay.enabled=false",
    "hubble.metrics.enabled={dns,drop,tcp,flow,icmp}",
    "encryption.enabled=true",
    "encryption.type=wireguard",
    "gatewayAPI.enabled=true",
    "gatewayAPI.gatewayClass.create=true",
  ],
} as const;

/** What the chart says in each variant. */
export type ChartFacts = Readonly<Record<keyof typeof VARIANTS, PodNetworkFacts>>;

/**
 * Renders the chart of Cilium in each variant.
 *
 * @param helm the program of Helm
 * @param chart the folder `install/kubernetes/cilium` of github.com/cilium/cilium
 */
export function renderChart(helm: string, chart: string): ChartFacts {
  const rendered = Object.entries(VARIANTS).map(([name, values]) => {
    const settings = [...USUAL, ...values].flatMap((value) => ["--set", value]);
    const where = ["--namespace", "kube-system", "--kube-version", "1.35.0"];
    const text = execFileSync(helm, ["template", "cilium", chart, ...where, ...settings], {
      encoding: "utf8",
      maxBuffer: 2 ** 24,
    });
    const objects = parseAllDocuments(text).map((each) => each.toJS() as KubernetesObject | null);
    return [name, podNetworkFacts(objects.filter((each) => each !== null))] as const;
  });
  return Object.fromEntries(rendered) as ChartFacts;
}
