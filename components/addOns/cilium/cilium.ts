import type { KubernetesObject } from "../../../provider/kubernetes";
import type { PropertyProblem } from "../../problems";
import type { AddOn, KnownSettings, ObjectParts } from "../common/addOn";
import type { AddOnCluster } from "../common/addOnCluster";
import { isOwn } from "../common/addOnManifest";
import type { AddOnScope } from "../common/addOnScope";
import { ciliumAccess } from "./ciliumAccess";
import { type CiliumAddOn, OWN_SETTINGS, replacesKubeProxy } from "./ciliumAddOn";
import { ciliumAgents } from "./ciliumAgents";
import { ciliumConfig, ciliumSettings } from "./ciliumConfig";
import { ciliumOperator } from "./ciliumOperator";

/** The minor that the objects here are written for. */
const MINOR = "v1.20";

/** The release of the Gateway API whose definitions Cilium's minor asks for (its upgrade guide). */
const GATEWAY_API = "v1.6.1";

const LABELS = { "app.kubernetes.io/part-of": "cilium" };

/** Cilium as the pod network; see `objects`. */
export const cilium: AddOn<CiliumAddOn> = {
  manifestName: "cilium",
  removal: "pods lose their network, until Talos brings its own and they are made again",
  // cilium/cilium, `kubeVersion` in Chart.yaml of v1.20.2. Its makers test 1.33 to 1.36.
  releases: [{ oldestMinor: 21, version: `${MINOR}.2` }],
  delivery: "machineConfiguration",
  objects,
  ownSettings: OWN_SETTINGS,
  isReplicated: true,
  hasOwnManifestField: true,
  check: (addOn, cluster) => [...checkNetwork(cluster), ...checkOwn(addOn, cluster)],
  podNetwork: ({ manifestUrls }) => ({ cni: "cilium", cniManifests: manifestUrls }),
  controlPlaneOptions: (addOn) => (replacesKubeProxy(addOn) ? { kubeProxy: false } : {}),
  fetchedManifests: ({ gatewayApi }) =>
    gatewayApi === true
      ? [
          `https://github.com/kubernetes-sigs/gateway-api/releases/download/${GATEWAY_API}/standard-install.yaml`,
        ]
      : [],
  firewall: ({ metrics, wireGuard }) => ({
    ...(metrics === true && { monitoring: ["cilium"] }),
    ...(wireGuard === true && { ciliumWireGuard: true }),
  }),
};

/**
 * Cilium's agents and operator. The agents contain Envoy, so there are no pods of it. The operator creates the
 * definitions of Cilium's API.
 *
 * Cilium is licensed under Apache-2.0. What its chart says in names, rights and settings is stated here in
 * this package's own objects, and `test/components/addOns/cilium` compares both.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<CiliumAddOn>,
  { version }: ObjectParts,
): KubernetesObject[] {
  const settings = ciliumSettings(addOn);
  const workload = { scope, addOn, version, settings, labels: LABELS };
  return [
    ...ciliumAccess(LABELS, addOn.gatewayApi === true),
    ciliumConfig(settings, LABELS),
    ciliumAgents(workload),
    ciliumOperator(workload),
    ...(addOn.gatewayApi === true ? [gatewayClass()] : []),
  ];
}

/** The chart has it, and no program of Cilium creates it (v1.20.2, `cilium-gateway-api-class.yaml`). */
function gatewayClass(): KubernetesObject {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GatewayClass",
    metadata: { name: "cilium", labels: LABELS },
    spec: { controllerName: "io.cilium/gateway-controller" },
  };
}

function checkNetwork({ cni, cniManifests }: AddOnCluster): PropertyProblem[] {
  const other = `pods have one network: leave out cni, "${cni ?? ""}" here, or this`;
  const theirs = "it excludes cniManifests: leave out one or the other";
  return [
    ...(cni !== undefined && cni !== "cilium" ? [{ property: "", reason: other }] : []),
    ...(cniManifests === undefined ? [] : [{ property: "", reason: theirs }]),
  ];
}

function checkOwn(addOn: CiliumAddOn, { kubeSpan, podCidrs }: AddOnCluster): PropertyProblem[] {
  const { version, wireGuard, gatewayApi, extraArgs = {} } = addOn;
  if (!isOwn(addOn)) {
    return [];
  }
  const rows: readonly (readonly [boolean, string, string])[] = [
    [
      version !== undefined && /^v\d+\.\d+\.\d+$/.test(version) && !version.startsWith(`${MINOR}.`),
      "version",
      `"${version ?? ""}" is of another minor than this package's objects: take a release of ${MINOR}, leave this out, or give a manifest`,
    ],
    [
      wireGuard === true && kubeSpan,
      "wireGuard",
      "kubeSpan encrypts all traffic between machines, so this would encrypt that of pods twice: leave out one or the other",
    ],
    [
      gatewayApi === true && !replacesKubeProxy(addOn),
      "gatewayApi",
      "Cilium serves no Gateway beside kube-proxy: leave kubeProxyReplacement out, or this",
    ],
    [
      podCidrs.some((range) => range.includes(":")) && extraArgs["enable-ipv6"] === undefined,
      "",
      `podCidrs have an IPv6 range, and its pods get IPv4 alone: set extraArgs {"enable-ipv6": "true"}, or leave that range out`,
    ],
  ];
  return rows.flatMap(([isWrong, property, reason]) => (isWrong ? [{ property, reason }] : []));
}
