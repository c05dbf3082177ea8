/** Registries that a simulated machine can reach. */
const registries = ["docker.io", "ghcr.io", "quay.io", "registry.k8s.io"];
/** The Kubernetes minors with releases, and a patch that none of them has reached. */
const OLDEST_MINOR = 24;
const NEWEST_MINOR = 37;
const PATCHES_EACH = 21;
/** Tags of etcd v3.5 to v3.7: Talos' own, and those of Kubernetes (`3.6.6-0`). */
const ETCD_TAG = /^v?3\.[567]\.\d{1,2}(-0)?$/;

/**
 * Why a component's image can't be pulled, with containerd's message; `undefined` if it can. An
 * image exists if the registry is reachable, the repository has the component's name, and the tag
 * is a version of a released minor. Repositories are, for example,
 * `registry.k8s.io/kube-apiserver`, `ghcr.io/siderolabs/kubelet` and `registry.k8s.io/etcd`.
 * References by digest always exist.
 */
export function pullFailure(component: string, image: string): string | undefined {
  const [name = "", digest] = image.split("@");
  const colon = name.lastIndexOf(":");
  const hasTag = colon > name.lastIndexOf("/");
  const repository = hasTag ? name.slice(0, colon) : name;
  const tag = hasTag ? name.slice(colon + 1) : "latest";
  const [first = "", ...rest] = repository.split("/");
  const hasHost = rest.length > 0 && /[.:]/.test(first);
  const host = hasHost ? first : "docker.io";
  if (!registries.includes(host)) {
    return `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://${host}/v2/${rest.join("/")}/manifests/${tag}": dial tcp: lookup ${host}: no such host`;
  }
  const isComponent = repository.split("/").at(-1) === component;
  if (isComponent && (digest !== undefined || isReleased(component, tag))) {
    return undefined;
  }
  return `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
}

function isReleased(component: string, tag: string): boolean {
  if (component === "etcd") {
    return ETCD_TAG.test(tag);
  }
  const [, major, minor, patch] = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag) ?? [];
  return (
    major === "1" &&
    Number(minor) >= OLDEST_MINOR &&
    Number(minor) <= NEWEST_MINOR &&
    Number(patch) < PATCHES_EACH
  );
}
