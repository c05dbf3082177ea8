import { createHash } from "node:crypto";
import { canonicalJson } from "./canonicalJson";
import { type ConfigDocument, isMapping, type YamlValue } from "./machineConfig";
import { documentsNamed } from "./settings/formsOfKinds";
import { installerOf } from "./settings/installer";
import { mappingIn, textsIn, valueIn } from "./settings/settingIn";

/**
 * The inputs of a control plane's manifests, by their paths: short values unchanged, long ones as a
 * hash.
 */
export type ManifestInputs = Readonly<Record<string, string>>;

/**
 * Settings, besides `cluster.inlineManifests`, that determine the manifests. States record them by these
 * names. `config` and `resources` are only in the document KubeProxyConfig.
 */
const PATHS = [
  "cluster.proxy.disabled",
  "cluster.proxy.image",
  "cluster.proxy.mode",
  "cluster.proxy.extraArgs",
  "cluster.proxy.config",
  "cluster.proxy.resources",
  "cluster.coreDNS",
  "cluster.network.cni",
  "cluster.network.dnsDomain",
  "cluster.network.podSubnets",
  "cluster.network.serviceSubnets",
  "cluster.controlPlane.endpoint",
  "cluster.extraManifests",
  "cluster.extraManifestHeaders",
  "cluster.externalCloudProvider.manifests",
  "machine.features.kubePrism",
  "machine.features.kubernetesTalosAPIAccess",
];

const INLINE = "cluster.inlineManifests";
/** A kind that has the URL of a manifest. */
const EXTERNAL = "KubeExternalManifestConfig";
const URLS = ["cluster.extraManifests", "cluster.externalCloudProvider.manifests"];

/** The maximum length of a value; longer ones become a hash. */
const LONGEST = 100;

/**
 * The inputs of the manifests in a control plane's outline. Talos' version is one of them, because
 * each has its own CoreDNS and pod network. Source: talos v1.12.1, `k8s/control_plane.go`.
 */
export function manifestInputs(outline: ConfigDocument): ManifestInputs {
  const installer = installerOf(outline) ?? "";
  const [, version = ""] = /:([^:/@]+)(?:@.*)?$/.exec(installer) ?? [];
  const inline = mappingIn(outline, INLINE);
  const entries = [
    ...PATHS.map((path) => [path, valueIn(outline, path)] as const),
    ...documentsNamed(outline, EXTERNAL).map(
      ([name, { headers }]) => [`${EXTERNAL}/${name}.headers`, headers] as const,
    ),
    ...Object.entries(inline).flatMap(([name, manifest]) =>
      isMapping(manifest) ? [[`${INLINE}.${name}`, manifest] as const] : [],
    ),
  ].flatMap(([path, value]) => (value === undefined ? [] : [[path, shortened(value)] as const]));
  return Object.fromEntries([...entries, ...(version === "" ? [] : [["talos", version] as const])]);
}

/**
 * The manifests of an outline, as Talos names them: inline ones and documents by their names, others by
 * their URLs. Source: talos v1.14.1, `k8s/control_plane.go`.
 */
export function namedManifests(outline: ConfigDocument): readonly string[] {
  const inline = Object.entries(mappingIn(outline, INLINE)).flatMap(([name, manifest]) =>
    isMapping(manifest) ? [name] : [],
  );
  const external = documentsNamed(outline, EXTERNAL);
  const ofDocuments = external.map(([, { url }]) => url);
  const urls = [...URLS, "cluster.network.cni.urls"].flatMap((path) => textsIn(outline, path));
  return [
    ...inline,
    ...urls.filter((url) => !ofDocuments.includes(url)),
    ...external.map(([name]) => name),
  ];
}

/** Descriptions of the manifests that are deleted from a cluster after a change of the inputs. */
export function removedManifests(before: ManifestInputs, after: ManifestInputs): readonly string[] {
  const isGone = (path: string, value: string) => before[path] !== value && after[path] === value;
  const inline = Object.keys(before).filter(
    (path) => path.startsWith(`${INLINE}.`) && !(path in after),
  );
  const urls = URLS.filter((path) => before[path] !== undefined && before[path] !== after[path]);
  return [
    ...(isGone("cluster.proxy.disabled", "true") ? ["kube-proxy"] : []),
    ...(isDisabled(after["cluster.coreDNS"]) && !isDisabled(before["cluster.coreDNS"])
      ? ["CoreDNS"]
      : []),
    ...(isFlannel(before) && !isFlannel(after) ? ["the pod network flannel"] : []),
    ...inline.map((path) => `the inline manifest "${path.slice(INLINE.length + 1)}"`),
    ...urls.map((path) => `manifests that are no longer in ${path}`),
  ];
}

function isDisabled(coreDns: string | undefined): boolean {
  return coreDns?.includes('"disabled":true') === true;
}

function isFlannel({ "cluster.network.cni": cni }: ManifestInputs): boolean {
  return cni === undefined || cni.includes('"name":"flannel"');
}

function shortened(value: YamlValue): string {
  const text = typeof value === "string" ? value : canonicalJson(value);
  return text.length <= LONGEST
    ? text
    : `sha256:${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
