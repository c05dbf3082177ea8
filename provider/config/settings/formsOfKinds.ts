import {
  type ConfigDocument,
  isMapping,
  mapMembers,
  textAt,
  type YamlValue,
} from "../machineConfig";
import { base64OfPem, joinedPem } from "./pemForms";

/** What documents say, as fields of the machine configuration proper. Undefined: the field is not set. */
export type Said = readonly (readonly [field: string, value: YamlValue | undefined])[];

/** A kind of document whose settings have another form than the fields that it replaces. */
export interface KindForm {
  readonly kind: string;
  /** The fields that aren't read while there is such a document. */
  readonly fields: readonly string[];
  readonly read: (document: ConfigDocument, outline: ConfigDocument) => Said;
  /** The member that a field comes from; for messages. */
  readonly members: Readonly<Record<string, string>>;
}

/** The label and the taint that every control plane gets, unless pods may run there. */
const CONTROL_PLANE_ROLE = "node-role.kubernetes.io/control-plane";

/**
 * Kinds whose settings have another form. Sources: as of `settingPlaces`, and
 * pkg/machinery/config/types/k8s/{apiserver_ca,aggregator_ca,etcd_encryption,flannel}.go.
 */
export const formsOfKinds: readonly KindForm[] = [
  {
    kind: "KubeAPIServerCAConfig",
    fields: ["cluster.ca", "cluster.acceptedCAs"],
    // Workers have no key, and the first accepted CA is the one that issues.
    read: (document) => {
      const [issuing, ...others] = certificatesOf(document);
      return [
        ["cluster.ca", issuing === undefined ? undefined : { crt: issuing, key: keyOf(document) }],
        ["cluster.acceptedCAs", others.length === 0 ? undefined : others.map((crt) => ({ crt }))],
      ];
    },
    members: {
      "cluster.ca.crt": "issuingCA.cert",
      "cluster.ca.key": "issuingCA.key",
      "cluster.ca": "issuingCA",
      "cluster.acceptedCAs": "acceptedCAs",
    },
  },
  {
    kind: "KubeAggregatorCAConfig",
    fields: ["cluster.aggregatorCA"],
    // One field has all of them, the one that issues first.
    read: (document) => {
      const all = certificatesOf(document);
      return [
        [
          "cluster.aggregatorCA",
          all.length === 0 ? undefined : { crt: joinedPem(all), key: keyOf(document) },
        ],
      ];
    },
    members: {
      "cluster.aggregatorCA.crt": "issuingCA.cert",
      "cluster.aggregatorCA.key": "issuingCA.key",
      "cluster.aggregatorCA": "issuingCA",
    },
  },
  {
    kind: "KubeEtcdEncryptionConfig",
    fields: ["cluster.secretboxEncryptionSecret", "cluster.aescbcEncryptionSecret"],
    read: ({ config }) => [
      ["cluster.secretboxEncryptionSecret", encryptionKeys(config, "secretbox")[0]],
      ["cluster.aescbcEncryptionSecret", encryptionKeys(config, "aescbc")[0]],
    ],
    members: {
      "cluster.secretboxEncryptionSecret": "config",
      "cluster.aescbcEncryptionSecret": "config",
    },
  },
  {
    kind: "KubeFlannelCNIConfig",
    fields: ["cluster.network.cni"],
    read: (document) => [
      ["cluster.network.cni", { name: "flannel", flannel: membersOf(document) }],
    ],
    members: { "cluster.network.cni.flannel": "", "cluster.network.cni": "" },
  },
  {
    // A configuration in documents has a pod network only by documents of its own.
    kind: "KubeNetworkConfig",
    fields: [],
    read: (_document, outline) => {
      const urls = documentsNamed(outline, "KubeExternalManifestConfig").flatMap(
        ([name, { url = "" }]) => (isPodNetwork(name, outline) ? [url] : []),
      );
      return isNetworkElsewhere(outline)
        ? []
        : [
            [
              "cluster.network.cni",
              urls.length === 0 ? { name: "none" } : { name: "custom", urls },
            ],
          ];
    },
    members: {},
  },
  {
    // It lists the label and the taint that the fields imply.
    kind: "KubeNodeConfig",
    fields: ["cluster.allowSchedulingOnControlPlanes", "cluster.allowSchedulingOnMasters"],
    read: ({ labels, taints }, { machine }) =>
      isWorker(machine)
        ? []
        : [
            ["cluster.allowSchedulingOnControlPlanes", !hasMember(taints, CONTROL_PLANE_ROLE)],
            ["machine.nodeLabels", without(labels, CONTROL_PLANE_ROLE)],
            ["machine.nodeTaints", without(taints, CONTROL_PLANE_ROLE)],
          ],
    members: { "cluster.allowSchedulingOnControlPlanes": "taints" },
  },
];

/**
 * Whether a document with the URL of a manifest is the pod network. Source: Talos v1.14.1,
 * config/generate/kubernetes.go; its generator writes one, this package's one for each URL.
 */
export function isPodNetwork(name: string, outline: ConfigDocument): boolean {
  return /^custom-cni(?:-\d+)?$/.test(name) && !isNetworkElsewhere(outline);
}

/** Whether the pod network isn't in documents with URLs. A worker's configuration doesn't name it. */
function isNetworkElsewhere(outline: ConfigDocument): boolean {
  const { KubeNetworkConfig: network, KubeFlannelCNIConfig: flannel, cluster, machine } = outline;
  return (
    !isMapping(network) ||
    flannel !== undefined ||
    hasMember(cluster, "network") ||
    isWorker(machine)
  );
}

/** The documents of a kind in an outline, with their names. */
export function documentsNamed(
  outline: ConfigDocument,
  kind: string,
): readonly (readonly [name: string, document: ConfigDocument])[] {
  return Object.entries(outline).flatMap(([id, document]) =>
    id.startsWith(`${kind}/`) && isMapping(document)
      ? [[id.slice(kind.length + 1), document] as const]
      : [],
  );
}

/** The keys of a provider in an encryption configuration of API servers, in order. */
export function encryptionKeys(config: YamlValue | undefined, provider: string): readonly string[] {
  return mappingsAt(config, "resources")
    .flatMap((resource) => mappingsAt(resource, "providers"))
    .flatMap((each) => mappingsAt(each[provider], "keys"))
    .flatMap((key) => textAt(key, "secret") ?? []);
}

/** What an encryption configuration of API servers reads Secrets with: secretbox keys, and names of keys in KMS. The first one encrypts. */
export function encryptionReaders(config: YamlValue | undefined): readonly string[] {
  return mappingsAt(config, "resources")
    .flatMap((resource) => mappingsAt(resource, "providers"))
    .flatMap(({ secretbox, kms }) => [
      mappingsAt(secretbox, "keys").flatMap((key) => textAt(key, "secret") ?? []),
      textAt(kms, "name") ?? [],
    ])
    .flat();
}

/** The certificates of a document with CAs, in the form of fields; the one that issues first. */
function certificatesOf({ issuingCA, acceptedCAs }: ConfigDocument): readonly string[] {
  const list = Array.isArray(acceptedCAs) ? acceptedCAs : [];
  return [textAt(issuingCA, "cert") ?? [], list.filter((each) => typeof each === "string")]
    .flat()
    .map(base64OfPem);
}

function keyOf({ issuingCA }: ConfigDocument): string {
  return base64OfPem(textAt(issuingCA, "key") ?? "");
}

function mappingsAt(value: YamlValue | undefined, key: string): readonly ConfigDocument[] {
  const list = isMapping(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isMapping) : [];
}

function isWorker(machine: YamlValue | undefined): boolean {
  return textAt(machine, "type") === "worker";
}

function hasMember(value: YamlValue | undefined, key: string): boolean {
  return isMapping(value) && Object.hasOwn(value, key);
}

function without(value: YamlValue | undefined, key: string): YamlValue | undefined {
  const rest = isMapping(value)
    ? mapMembers(value, (member, name) => (name === key ? undefined : member))
    : {};
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** A document's own members. */
export function membersOf(document: ConfigDocument): ConfigDocument {
  return mapMembers(document, (member, key) => (HEAD.includes(key) ? undefined : member));
}

const HEAD = ["apiVersion", "kind", "name"];
