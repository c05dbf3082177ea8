import {
  type ConfigDocument,
  isMapping,
  textAt,
  type YamlValue,
} from "../../../provider/config/machineConfig";
import { fieldsOfDocuments } from "../../../provider/config/settings/fieldsOf";
import { pathOf, valueAt } from "../../../provider/config/settings/keyPaths";

/** Settings by their place in the machine configuration proper. */
export type Settings = Readonly<Record<string, unknown>>;

const API_SERVER = "cluster.apiServer";
const ROLE = "node-role.kubernetes.io/control-plane";

/** Settings that the settings oracle has as they are. */
const PLAIN: readonly string[] = [
  "machine.install.image",
  "machine.install.wipe",
  "machine.sysctls",
  "machine.sysfs",
  "machine.udev.rules",
  "machine.baseRuntimeSpecOverrides",
  "machine.network.hostname",
  "machine.network.kubespan.enabled",
  "machine.network.kubespan.advertiseKubernetesNetworks",
  "machine.time.disabled",
  "machine.time.servers",
  "machine.features.hostDNS.enabled",
  ...["forwardKubeDNSToHost", "resolveMemberNames"].map((key) => `machine.features.hostDNS.${key}`),
  "machine.features.imageCache.localEnabled",
  "cluster.id",
  "cluster.secret",
  ...["image", "clusterDNS", "extraConfig", "defaultRuntimeSeccompProfileEnabled"].map(
    (key) => `machine.kubelet.${key}`,
  ),
  ...["credentialProviderConfig", "skipNodeRegistration", "registerWithFQDN"].map(
    (key) => `machine.kubelet.${key}`,
  ),
  "machine.kubelet.nodeIP.validSubnets",
  "machine.nodeAnnotations",
  ...["dnsDomain", "podSubnets", "serviceSubnets"].map((key) => `cluster.network.${key}`),
  "cluster.controlPlane.endpoint",
  ...["image", "env", "certSANs", "auditPolicy"].map((key) => `cluster.apiServer.${key}`),
  "cluster.controlPlane.localAPIServerPort",
  "cluster.controllerManager.image",
  "cluster.controllerManager.env",
  "cluster.scheduler.image",
  "cluster.scheduler.env",
  "cluster.scheduler.config",
  ...["controllerManager", "scheduler"].map((key) => `machine.controlPlane.${key}.disabled`),
  ...["image", "mode", "config", "disabled"].map((key) => `cluster.proxy.${key}`),
  "cluster.coreDNS.disabled",
  "cluster.coreDNS.image",
  "machine.pods",
];

/** Flags have one value or several. */
const FLAGS: readonly string[] = [
  "machine.kubelet",
  ...["apiServer", "controllerManager", "scheduler", "proxy"].map((name) => `cluster.${name}`),
].map((program) => `${program}.extraArgs`);

/** What the package reads in documents, in the words of the settings oracle. */
export function readSettings(documents: readonly ConfigDocument[]): Settings {
  const fields = fieldsOfDocuments(documents);
  const at = (field: string) => valueAt(fields, pathOf(field));
  return saying({
    ...Object.fromEntries(PLAIN.map((field) => [field, at(field)])),
    ...Object.fromEntries(FLAGS.map((field) => [field, flagsOf(at(field))])),
    ...features(at),
    ...node(at),
    ...keys(at),
    ...lists(at),
    // Without an endpoint, nothing reads the name.
    ...(at("cluster.controlPlane.endpoint") !== undefined && {
      "cluster.clusterName": at("cluster.clusterName"),
    }),
  });
}

type At = (field: string) => YamlValue | undefined;

function features(at: At): Settings {
  const [prism, access] = ["kubePrism", "kubernetesTalosAPIAccess"].map(
    (name) => `machine.features.${name}`,
  );
  const isOn = (feature = "") => at(`${feature}.enabled`) === true;
  const flannel = "cluster.network.cni";
  const hasFlannel =
    at("cluster.network") !== undefined && (at(`${flannel}.name`) ?? "flannel") === "flannel";
  const service = "cluster.discovery.registries.service";
  const discovers = at("cluster.discovery.enabled") === true && at(`${service}.disabled`) !== true;
  const endpoint = at(`${service}.endpoint`) ?? "https://discovery.talos.dev/";
  return {
    ...(isOn(prism) && {
      [`${prism ?? ""}.enabled`]: true,
      [`${prism ?? ""}.port`]: at(`${prism ?? ""}.port`),
    }),
    ...(isOn(access) &&
      Object.fromEntries(
        ["enabled", "allowedRoles", "allowedKubernetesNamespaces"].map((key) => [
          `${access ?? ""}.${key}`,
          at(`${access ?? ""}.${key}`),
        ]),
      )),
    ...(hasFlannel && {
      [`${flannel}.name`]: true,
      [`${flannel}.flannel.extraArgs`]: at(`${flannel}.flannel.extraArgs`),
      [`${flannel}.flannel.kubeNetworkPoliciesEnabled`]: at(
        `${flannel}.flannel.kubeNetworkPoliciesEnabled`,
      ),
    }),
    ...(discovers && { [`${service}.endpoint`]: [endpoint].flat() }),
  };
}

/** Fields don't name the role of a control plane, which Talos adds. */
function node(at: At): Settings {
  const isControlPlane = at("machine.type") === "controlplane";
  const schedules = at("cluster.allowSchedulingOnControlPlanes") === true;
  return {
    "machine.nodeLabels": mapping(at("machine.nodeLabels"), isControlPlane && { [ROLE]: "" }),
    "machine.nodeTaints": mapping(
      at("machine.nodeTaints"),
      isControlPlane && !schedules && { [ROLE]: "NoSchedule" },
    ),
  };
}

function keys(at: At): Settings {
  const { ca, acceptedCAs } = { ca: at("cluster.ca"), acceptedCAs: at("cluster.acceptedCAs") };
  const accepted = (Array.isArray(acceptedCAs) ? acceptedCAs : []).map((each) =>
    textAt(each, "crt"),
  );
  return {
    "cluster.ca": textAt(ca, "key") === "" ? undefined : ca,
    "cluster.acceptedCAs": [textAt(ca, "crt") ?? [], accepted].flat(),
    "cluster.serviceAccount.key": at("cluster.serviceAccount.key"),
    "cluster.aggregatorCA.key": at("cluster.aggregatorCA.key"),
    "cluster.aggregatorCA.crt": at("cluster.aggregatorCA.crt"),
  };
}

function lists(at: At): Settings {
  const items = (field: string) => {
    const value = at(field);
    return Array.isArray(value) ? value : [];
  };
  const member = (item: YamlValue, key: string) => (isMapping(item) ? (item[key] ?? null) : null);
  const named = (all: readonly YamlValue[], key: string): ConfigDocument =>
    Object.fromEntries(all.map((item) => [textAt(item, "name") ?? "", member(item, key)]));
  const urls = items("cluster.extraManifests").filter((url) => typeof url === "string");
  const modules = items("machine.kernel.modules").toReversed();
  return {
    // The first of two counts.
    "machine.kernel.modules": named(modules, "parameters"),
    [`${API_SERVER}.admissionControl`]: named(
      items(`${API_SERVER}.admissionControl`),
      "configuration",
    ),
    [`${API_SERVER}.authorizationConfig`]: named(
      items(`${API_SERVER}.authorizationConfig`),
      "type",
    ),
    "cluster.inlineManifests": named(items("cluster.inlineManifests"), "contents"),
    "cluster.extraManifests": urls.toSorted(),
  };
}

function mapping(value: YamlValue | undefined, more: ConfigDocument | false): ConfigDocument {
  return { ...(isMapping(value) ? value : {}), ...(more === false ? {} : more) };
}

function flagsOf(args: YamlValue | undefined): unknown {
  return isMapping(args)
    ? Object.fromEntries(Object.entries(args).map(([flag, value]) => [flag, [value].flat()]))
    : undefined;
}

/** Settings that say something: neither nothing nor what nothing means. */
export function saying(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([, value]) =>
        value !== undefined &&
        value !== null &&
        value !== "" &&
        value !== false &&
        !(typeof value === "object" && Object.keys(value).length === 0),
    ),
  );
}
