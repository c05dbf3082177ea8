import { talosMinor, type YamlValue } from "../../../../provider/config";
import { bootstrapManifests } from "../../kubernetes/bootstrapManifests";
import { podStatus } from "../../kubernetes/containerStatus";
import type { RenderedManifest } from "../../kubernetes/kubernetesObject";
import { staticPodLabels } from "../../kubernetes/systemPods";
import type { NodeState } from "../../machine/nodeState";
import { apiServerPort } from "../../machine/ports";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec, ipOf, structOf } from "../specCodec";

const KUBE_PRISM_PORT = 7445;

/** The control plane's static pods and their state, KubePrism, and etcd's specification. */
export function controlPlaneSources(node: NodeState): readonly ResourceSource[] {
  const controlPlane = () =>
    node.config?.facts.machineType === "controlplane" ? node.config.facts : undefined;
  const ready = (type: string, id: string, version: string): SourceValue[] =>
    controlPlane() && isRunning(node)
      ? [{ id, spec: { ready: true, version }, proto: encodeSpec(type, { ready: true, version }) }]
      : [];
  const k8s = (type: string) => `${type}.kubernetes.talos.dev`;
  return [
    sourceOf(
      { namespace: "k8s", type: k8s("StaticPods"), owner: "k8s.ControlPlaneStaticPodController" },
      () =>
        node.staticPods.map(({ app, image, annotations }) => {
          const body: YamlValue = {
            apiVersion: "v1",
            kind: "Pod",
            metadata: {
              name: app,
              namespace: "kube-system",
              annotations: { ...annotations },
              labels: staticPodLabels(app),
            },
            spec: { containers: [{ name: app, image }], hostNetwork: true },
          };
          return {
            id: app,
            spec: body,
            proto: encodeSpec("StaticPod", { pod: structOf(body) }),
          };
        }),
    ),
    sourceOf(
      { namespace: "k8s", type: k8s("StaticPodStatuses"), owner: "k8s.KubeletStaticPodController" },
      () =>
        Object.entries(node.staticPodStatuses).map(([app, container]) => {
          const { privateAddress } = node.hardware;
          const spec: YamlValue = podStatus(app, container, {
            hostIP: privateAddress,
            podIP: privateAddress,
          });
          return {
            id: `kube-system/${app}-${node.nodename ?? ""}`,
            spec,
            proto: encodeSpec("StaticPodStatus", { podStatus: structOf(spec) }),
          };
        }),
    ),
    sourceOf(
      {
        namespace: "controlplane",
        type: k8s("SecretStatuses"),
        owner: "k8s.RenderSecretsStaticPodController",
      },
      () => ready("ReadyStatus", "static-pods", node.staticPodSources?.secretsVersion ?? ""),
    ),
    ...componentSources(node),
    sourceOf(
      {
        namespace: "controlplane",
        type: k8s("ConfigStatuses"),
        owner: "k8s.RenderConfigsStaticPodController",
      },
      () => ready("ReadyStatus", "static-pods", node.staticPodSources?.configFileVersion ?? ""),
    ),
    sourceOf(
      { namespace: "controlplane", type: k8s("Manifests"), owner: "k8s.ManifestController" },
      () =>
        manifestsOf(node).map(({ id, objects }) => ({
          id,
          spec: [...objects],
          proto: encodeSpec("Manifest", {
            items: objects.map((object) => ({ object: structOf(object) })),
          }),
        })),
    ),
    sourceOf(
      {
        namespace: "controlplane",
        type: k8s("ManifestStatuses"),
        owner: "k8s.ManifestApplyController",
      },
      () => {
        const manifestsApplied = manifestsOf(node).map(({ id }) => id);
        return node.staticPods.length > 0
          ? [
              {
                id: "manifests",
                spec: { manifestsApplied },
                proto: encodeSpec("ManifestStatus", { manifestsApplied }),
              },
            ]
          : [];
      },
    ),
    sourceOf(
      { namespace: "k8s", type: k8s("KubePrismConfigs"), owner: "k8s.KubePrismConfigController" },
      () => (node.config ? [kubePrism(node, node.config.facts.endpoint)] : []),
    ),
    sourceOf(
      { namespace: "etcd", type: "EtcdSpecs.etcd.talos.dev", owner: "etcd.SpecController" },
      () => {
        const facts = controlPlane();
        return facts ? [etcdSpec(node, facts.images.etcd)] : [];
      },
    ),
    sourceOf(
      { namespace: "etcd", type: "EtcdConfigs.etcd.talos.dev", owner: "etcd.ConfigController" },
      () => {
        const image = controlPlane()?.images.etcd;
        if (image === undefined) {
          return [];
        }
        const spec = {
          advertiseExcludeSubnets: [],
          listenExcludeSubnets: [],
          image,
          extraArgs: {},
        };
        return [{ id: "etcd", spec, proto: encodeSpec("EtcdConfig", { image }) }];
      },
    ),
    sourceOf(
      { namespace: "etcd", type: "PKIStatuses.etcd.talos.dev", owner: "etcd.PKIController" },
      () => ready("ReadyStatus", "etcd", "1"),
    ),
  ];
}

/**
 * The configurations of the components. Pods have their versions. Since v1.14, pods are rendered from
 * others with `final-` before the name (v1.14.1, `k8s/control_plane_final.go`).
 */
function componentSources(node: NodeState): readonly ResourceSource[] {
  const kinds = [
    ["kube-apiserver", "APIServer"],
    ["kube-controller-manager", "ControllerManager"],
    ["kube-scheduler", "Scheduler"],
  ] as const;
  return kinds.map(([app, name]) =>
    sourceOf(
      {
        namespace: "controlplane",
        type: `${name}Configs.kubernetes.talos.dev`,
        owner: `k8s.ControlPlane${name}Controller`,
      },
      () => {
        const component = node.staticPodSources?.components[app];
        if (component === undefined) {
          return [];
        }
        const { version, image, enabled } = component;
        const spec = { ...(app === "kube-apiserver" ? {} : { enabled }), image };
        const shown = { spec, proto: encodeSpec(`${name}Config`, spec) };
        return (talosMinor(node.talosVersion) ?? 0) < 14
          ? [{ ...shown, id: app, version }]
          : [
              // It has versions of its own.
              { ...shown, id: app, version: version + 1 },
              { ...shown, id: `final-${app}`, version },
            ];
      },
    ),
  );
}

function isRunning({ services }: NodeState): boolean {
  return services.find("etcd") !== undefined;
}

function manifestsOf({ config, talosVersion }: NodeState): readonly RenderedManifest[] {
  return config?.facts.machineType === "controlplane"
    ? bootstrapManifests(config.facts, talosVersion)
    : [];
}

/**
 * KubePrism's endpoints: the cluster's endpoint, the node's own API server, and discovered ones.
 */
function kubePrism(node: NodeState, endpoint: string): SourceValue {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const peers = node.peers
    .filter(({ machineType }) => machineType === "controlplane")
    .map(({ privateAddress }) => ({ host: privateAddress, port: apiServerPort }));
  const endpoints = [
    ...(url ? [{ host: url.hostname, port: Number(url.port) || 443 }] : []),
    ...(node.etcd ? [{ host: "localhost", port: apiServerPort }] : []),
    ...peers,
  ];
  const spec = { host: "127.0.0.1", port: KUBE_PRISM_PORT, endpoints };
  return { id: "k8s-loadbalancer-config", spec, proto: encodeSpec("KubePrismConfig", spec) };
}

function etcdSpec({ hostname, hardware }: NodeState, image: string): SourceValue {
  const everywhere = ["0.0.0.0"];
  const name = hostname.hostname;
  return {
    id: "etcd",
    spec: {
      name,
      advertisedAddresses: [hardware.privateAddress],
      listenPeerAddresses: everywhere,
      listenClientAddresses: everywhere,
      image,
      extraArgs: {},
    },
    proto: encodeSpec("EtcdSpec", {
      name,
      advertisedAddresses: [ipOf(hardware.privateAddress)],
      image,
      listenPeerAddresses: everywhere.map(ipOf),
      listenClientAddresses: everywhere.map(ipOf),
    }),
  };
}
