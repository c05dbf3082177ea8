import type { LifeCluster } from "./lifeCluster";

interface KubernetesObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: object;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [part: string]: unknown;
}

/** Where the objects of Talos' manifests are. */
const LISTS = [
  "/apis/apps/v1/namespaces/kube-system/daemonsets",
  "/apis/apps/v1/namespaces/kube-system/deployments",
  "/api/v1/namespaces/kube-system/services",
  "/api/v1/namespaces/kube-system/serviceaccounts",
  "/api/v1/namespaces/kube-system/configmaps",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings",
];

/** What servers set, and change without anybody's wish. */
const OWN_ANNOTATIONS = [
  "deployment.kubernetes.io/revision",
  "deprecated.daemonset.template.generation",
];

/**
 * The objects in a cluster that are of Talos and of nobody else, by their path, as JSON without what API servers add.
 * And the image of each pod of the system.
 */
export async function systemPicture(cluster: LifeCluster): Promise<Record<string, string>> {
  const lists = await Promise.all(
    LISTS.map(async (path) => {
      const { items } = await cluster.ask<{ items: KubernetesObject[] }>(path);
      return items
        .filter(isOfTalos)
        .map((item) => [`${path}/${item.metadata.name}`, pictureOf(item)] as const);
    }),
  );
  const { items: pods } = await cluster.ask<{
    items: {
      metadata: { name: string };
      spec: { containers: { image: string; command?: string[] }[] };
    }[];
  }>("/api/v1/namespaces/kube-system/pods?labelSelector=tier%3Dcontrol-plane");
  const images = pods.map(
    ({ metadata, spec }) => [`pod ${metadata.name}`, JSON.stringify(spec.containers[0])] as const,
  );
  return Object.fromEntries(
    [...lists.flat(), ...images].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Those that API servers make on their own, and what is kept about manifests, aside. */
function isOfTalos({ metadata }: KubernetesObject): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  return (
    !("kubernetes.io/bootstrapping" in labels) &&
    !("rbac.authorization.kubernetes.io/autoupdate" in annotations) &&
    !/^kube-root-ca|^kube-apiserver-legacy|^extension-apiserver-authentication|inventory|-controller$|-collector$|^default$/.test(
      name,
    )
  );
}

function pictureOf({ metadata, status: _status, ...rest }: KubernetesObject): string {
  const { name, namespace, labels, annotations = {} } = metadata;
  const kept = Object.entries(annotations).filter(([key]) => !OWN_ANNOTATIONS.includes(key));
  return JSON.stringify(
    { name, namespace, labels, annotations: Object.fromEntries(kept), ...rest },
    undefined,
    1,
  );
}
