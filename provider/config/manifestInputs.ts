import { createHash } from "node:crypto";
import { canonicalJson } from "./canonicalJson";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";

/**
 * The inputs of a control plane's manifests, by their paths: short values unchanged, long ones as a
 * hash.
 */
export type ManifestInputs = Readonly<Record<string, string>>;

/** Paths, besides `cluster.inlineManifests`, that determine the manifests. */
const PATHS = [
  "cluster.proxy.disabled",
  "cluster.proxy.image",
  "cluster.proxy.mode",
  "cluster.proxy.extraArgs",
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
const URLS = ["cluster.extraManifests", "cluster.externalCloudProvider.manifests"];

/** The maximum length of a value; longer ones become a hash. */
const LONGEST = 100;

/**
 * The inputs of the manifests in a control plane's outline. Talos' version is one of them, because
 * each has its own CoreDNS and pod network. Source: talos v1.12.1, `k8s/control_plane.go`.
 */
export function manifestInputs(outline: ConfigDocument): ManifestInputs {
  const installer = textAt(valueAt(outline, "machine.install"), "image") ?? "";
  const [, version = ""] = /:([^:/@]+)(?:@.*)?$/.exec(installer) ?? [];
  const inline = mappingAt(outline, INLINE);
  const entries = [
    ...PATHS.map((path) => [path, valueAt(outline, path)] as const),
    ...Object.entries(inline).flatMap(([name, manifest]) =>
      isMapping(manifest) ? [[`${INLINE}.${name}`, manifest] as const] : [],
    ),
  ].flatMap(([path, value]) => (value === undefined ? [] : [[path, shortened(value)] as const]));
  return Object.fromEntries([...entries, ...(version === "" ? [] : [["talos", version] as const])]);
}

/** The manifests of an outline: the names of inline ones, and URLs. */
export function namedManifests(outline: ConfigDocument): readonly string[] {
  const inline = Object.entries(mappingAt(outline, INLINE)).flatMap(([name, manifest]) =>
    isMapping(manifest) ? [name] : [],
  );
  return [...inline, ...urlsOf(outline, URLS), ...urlsOf(outline, ["cluster.network.cni.urls"])];
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

function urlsOf(outline: ConfigDocument, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const value = valueAt(outline, path);
    return Array.isArray(value) ? value.filter((url) => typeof url === "string") : [];
  });
}

function mappingAt(outline: ConfigDocument, path: string): ConfigDocument {
  const value = valueAt(outline, path);
  return isMapping(value) ? value : {};
}

function valueAt(outline: ConfigDocument, path: string): YamlValue | undefined {
  return path
    .split(".")
    .reduce<YamlValue | undefined>(
      (value, key) => (isMapping(value) ? value[key] : undefined),
      outline,
    );
}
