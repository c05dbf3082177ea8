import { textAt } from "../config/yamlPath";
import { listAt, nameOf, type KubernetesObject } from "./kubernetesObject";

/** A kind of object the simulated Kubernetes API serves. */
export interface ResourceKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A path below an object, for example `eviction` of a pod. */
export interface Subresource {
  readonly plural: string;
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** What can be done with objects of every kind. */
export const verbs = ["create", "delete", "get", "list", "patch", "update", "watch"] as const;

/** Plural, kind and short names; a star marks kinds of the whole cluster. */
const table: Readonly<Record<string, readonly string[]>> = {
  v1: [
    "configmaps ConfigMap cm",
    "endpoints Endpoints ep",
    "events Event ev",
    "limitranges LimitRange limits",
    "namespaces* Namespace ns",
    "nodes* Node no",
    "persistentvolumeclaims PersistentVolumeClaim pvc",
    "persistentvolumes* PersistentVolume pv",
    "pods Pod po",
    "resourcequotas ResourceQuota quota",
    "secrets Secret",
    "serviceaccounts ServiceAccount sa",
    "services Service svc",
  ],
  "admissionregistration.k8s.io/v1": [
    "mutatingwebhookconfigurations* MutatingWebhookConfiguration",
    "validatingwebhookconfigurations* ValidatingWebhookConfiguration",
  ],
  "apiextensions.k8s.io/v1": ["customresourcedefinitions* CustomResourceDefinition crd,crds"],
  "apiregistration.k8s.io/v1": ["apiservices* APIService"],
  "apps/v1": [
    "daemonsets DaemonSet ds",
    "deployments Deployment deploy",
    "replicasets ReplicaSet rs",
    "statefulsets StatefulSet sts",
  ],
  "batch/v1": ["cronjobs CronJob cj", "jobs Job"],
  "coordination.k8s.io/v1": ["leases Lease"],
  "networking.k8s.io/v1": [
    "ingressclasses* IngressClass",
    "ingresses Ingress ing",
    "networkpolicies NetworkPolicy netpol",
  ],
  "policy/v1": ["poddisruptionbudgets PodDisruptionBudget pdb"],
  "rbac.authorization.k8s.io/v1": [
    "clusterrolebindings* ClusterRoleBinding",
    "clusterroles* ClusterRole",
    "rolebindings RoleBinding",
    "roles Role",
  ],
  "scheduling.k8s.io/v1": ["priorityclasses* PriorityClass pc"],
  "storage.k8s.io/v1": ["csidrivers* CSIDriver", "storageclasses* StorageClass sc"],
};

/** Kinds that `kubectl get all` shows. */
const inAll = ["pods", "services", "daemonsets", "deployments", "replicasets", "statefulsets"];

/** The kinds of every cluster: a part of what a real one has. */
export const builtInKinds: readonly ResourceKind[] = Object.entries(table).flatMap(
  ([groupVersion, lines]) => {
    const [group, version] = splitGroupVersion(groupVersion);
    return lines.map((line): ResourceKind => {
      const [name = "", kind = "", shortNames = ""] = line.split(" ");
      const plural = name.replace("*", "");
      return {
        ...{ group, version, plural, kind },
        singular: kind.toLowerCase(),
        namespaced: !name.endsWith("*"),
        shortNames: shortNames === "" ? [] : shortNames.split(","),
        categories: inAll.includes(plural) ? ["all"] : [],
      };
    });
  },
);

/** Paths below objects. */
export const subresources: readonly Subresource[] = [
  { ...core("nodes", "status", "Node"), verbs: ["get", "patch", "update"] },
  {
    ...{ plural: "pods", name: "eviction", kind: "Eviction", group: "policy", version: "v1" },
    verbs: ["create"],
  },
  { ...core("pods", "status", "Pod"), verbs: ["get", "patch", "update"] },
];

function core(plural: string, name: string, kind: string) {
  return { plural, name, kind, group: "", version: "v1" };
}

/** Namespaces every cluster is born with. */
export const namespaceNames = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;

/** The kinds that a CustomResourceDefinition adds. */
export function definedKinds(definition: KubernetesObject): ResourceKind[] {
  const { spec } = definition;
  const namesAt = (key: string) =>
    listAt(spec, "names", key).filter((name) => typeof name === "string");
  return listAt(spec, "versions").map((version) => ({
    group: textAt(spec, "group") ?? "",
    version: textAt(version, "name") ?? "",
    plural: textAt(spec, "names", "plural") ?? nameOf(definition).split(".")[0] ?? "",
    singular: textAt(spec, "names", "singular") ?? "",
    kind: textAt(spec, "names", "kind") ?? "",
    namespaced: textAt(spec, "scope") === "Namespaced",
    shortNames: namesAt("shortNames"),
    categories: namesAt("categories"),
  }));
}

/** Group and version as objects name them: `apps/v1`, or `v1` of the core group. */
export function groupVersionOf({
  group,
  version,
}: Pick<ResourceKind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The group, empty for the core group, and the version. */
export function splitGroupVersion(text: string): [group: string, version: string] {
  const [first = "", second] = text.split("/");
  return second === undefined ? ["", first] : [first, second];
}

/** A kind in the words of the server: `Deployment.apps`, `Pod`. */
export function qualifiedKind({ group, kind }: Pick<ResourceKind, "group" | "kind">): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** A resource in the words of the server: `deployments.apps`, `pods`. */
export function qualifiedPlural({ group, plural }: Pick<ResourceKind, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** What a path of the API is about. */
export interface AddressedResource {
  readonly kind: ResourceKind;
  /** `undefined` for all of them. */
  readonly namespace: string | undefined;
  /** `undefined` for a list. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** The kind, namespace and name a path addresses; `undefined` for a path of no kind. */
export function addressed(
  pathname: string,
  kinds: readonly ResourceKind[] = builtInKinds,
): AddressedResource | undefined {
  const root = /^\/(?:api|apis\/([^/]+))\/(v[^/]+)\/(.+)$/.exec(pathname);
  const [, group = "", version = "", rest = ""] = root ?? [];
  const parts = rest.split("/").map(decodeURIComponent);
  const isNamespaced = parts[0] === "namespaces" && parts.length > 2;
  const [plural, name, subresource, extra] = isNamespaced ? parts.slice(2) : parts;
  const kind = kinds.find(
    (known) => known.plural === plural && known.group === group && known.version === version,
  );
  if (!kind || extra !== undefined || (isNamespaced && !kind.namespaced)) return undefined;
  return { kind, namespace: isNamespaced ? parts[1] : undefined, name, subresource };
}
