import { textAt } from "../config/yamlPath";
import { listAt, nameOf, type KubernetesObject } from "./kubernetesObject";

/** A kind of object in the simulated Kubernetes API. */
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

/** The verbs of every kind. */
export const verbs = ["create", "delete", "get", "list", "patch", "update", "watch"] as const;

/** Plural, kind and short names; a star marks cluster-wide kinds. */
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
  "node.k8s.io/v1": ["runtimeclasses* RuntimeClass"],
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

/** Kinds in `kubectl get all`. */
const inAll = ["pods", "services", "daemonsets", "deployments", "replicasets", "statefulsets"];

/** The built-in kinds: a part of those of a real cluster. */
export const builtInKinds: readonly ResourceKind[] = Object.entries(table).flatMap(
  ([groupVersion, lines]) => {
    const [group, version] = splitGroupVersion(groupVersion);
    return lines.map((line): ResourceKind => {
      const [name = "", kind = "", shortNames = ""] = line.split(" ");
      const plural = name.replace("*", "");
      return {
        group,
        version,
        plural,
        kind,
        singular: kind.toLowerCase(),
        namespaced: !name.endsWith("*"),
        shortNames: shortNames === "" ? [] : shortNames.split(","),
        categories: inAll.includes(plural) ? ["all"] : [],
      };
    });
  },
);

/** Subresources of objects. */
export const subresources: readonly Subresource[] = [
  { ...core("nodes", "status", "Node"), verbs: ["get", "patch", "update"] },
  {
    plural: "pods",
    name: "eviction",
    kind: "Eviction",
    group: "policy",
    version: "v1",
    verbs: ["create"],
  },
  { ...core("pods", "status", "Pod"), verbs: ["get", "patch", "update"] },
];

function core(plural: string, name: string, kind: string) {
  return { plural, name, kind, group: "", version: "v1" };
}

/** Namespaces of every new cluster. */
export const namespaceNames = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;

/** The kinds of a CustomResourceDefinition. */
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

/** Group and version in the form of objects: `apps/v1`, or `v1` for the core group. */
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

/** A kind in the server's form: `Deployment.apps`, `Pod`. */
export function qualifiedKind({ group, kind }: Pick<ResourceKind, "group" | "kind">): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** A resource in the server's form: `deployments.apps`, `pods`. */
export function qualifiedPlural({ group, plural }: Pick<ResourceKind, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** The resource that an API path addresses. */
export interface AddressedResource {
  readonly kind: ResourceKind;
  /** `undefined` for all namespaces. */
  readonly namespace: string | undefined;
  /** `undefined` for a list. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** The kind, namespace and name in a path; `undefined` for other paths. */
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
  if (!kind || extra !== undefined || (isNamespaced && !kind.namespaced)) {
    return undefined;
  }
  return { kind, namespace: isNamespaced ? parts[1] : undefined, name, subresource };
}
