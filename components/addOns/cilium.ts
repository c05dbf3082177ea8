import type { PropertyProblem } from "../problems";
import type { AddOn } from "./common/addOn";
import type { AddOnCluster } from "./common/addOnCluster";
import { type AddOnManifest, isOwn } from "./common/addOnManifest";

/** The argument of Cilium. */
export interface CiliumChoice {
  /** Cilium as the pod network, in place of `cni` and `cniManifests`. Default: none. */
  readonly cilium?: CiliumAddOn;
}

/** Cilium, by a manifest of yours: it is too large for this package to describe. */
export interface CiliumAddOn extends AddOnManifest {
  /**
   * Cilium replaces kube-proxy, so Talos doesn't install it. The manifest must be rendered with
   * `kubeProxyReplacement=true`, `k8sServiceHost=localhost` and `k8sServicePort=7445`: KubePrism,
   * which forwards to the API servers on every machine. Default: false.
   */
  readonly kubeProxyReplacement?: boolean;
}

/** What Cilium calls the API server by when it replaces kube-proxy. */
export const KUBE_PRISM_PORT = 7445;

/** Cilium as the pod network. */
export const cilium: AddOn<CiliumAddOn> = {
  manifestName: "cilium",
  delivery: "machineConfiguration",
  hasOwnManifestField: true,
  check: (addOn, cluster) => [...checkGiven(addOn), ...checkNetwork(cluster)],
  podNetwork: ({ manifestUrls }) => ({ cni: "cilium", cniManifests: manifestUrls }),
  controlPlaneOptions: ({ kubeProxyReplacement }) =>
    kubeProxyReplacement === true ? { kubeProxy: false } : {},
};

function checkGiven(addOn: CiliumAddOn): PropertyProblem[] {
  const reason = `its makers publish a Helm chart and no manifest that Talos could apply: give the text that this writes as manifest, or manifestUrls of where you publish it: ${helmCommand(addOn)}`;
  return isOwn(addOn) ? [{ property: "", reason }] : [];
}

function checkNetwork({ cni, cniManifests }: AddOnCluster): PropertyProblem[] {
  const other = `pods have one network: leave out cni, "${cni ?? ""}" here, or this`;
  const theirs = "it excludes cniManifests: leave out one or the other";
  return [
    ...(cni !== undefined && cni !== "cilium" ? [{ property: "", reason: other }] : []),
    ...(cniManifests === undefined ? [] : [{ property: "", reason: theirs }]),
  ];
}

/**
 * The command that renders Cilium's manifest for Talos and these settings (Talos' guide "Deploy
 * Cilium CNI").
 */
function helmCommand({ kubeProxyReplacement = false }: CiliumAddOn): string {
  const agent =
    "{CHOWN,KILL,NET_ADMIN,NET_RAW,IPC_LOCK,SYS_ADMIN,SYS_RESOURCE,DAC_OVERRIDE,FOWNER,SETGID,SETUID}";
  const values = [
    "ipam.mode=kubernetes",
    `kubeProxyReplacement=${kubeProxyReplacement}`,
    ...(kubeProxyReplacement
      ? ["k8sServiceHost=localhost", `k8sServicePort=${KUBE_PRISM_PORT}`]
      : []),
    `securityContext.capabilities.ciliumAgent="${agent}"`,
    'securityContext.capabilities.cleanCiliumState="{NET_ADMIN,SYS_ADMIN,SYS_RESOURCE}"',
    "cgroup.autoMount.enabled=false",
    "cgroup.hostRoot=/sys/fs/cgroup",
  ].map((value) => `--set ${value}`);
  return `helm template cilium cilium --repo https://helm.cilium.io --version <release> --namespace kube-system ${values.join(" ")} > cilium.yaml`;
}
