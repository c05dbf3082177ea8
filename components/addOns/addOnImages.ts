import { isOurs } from "./addOnChoices";
import type { AddOn } from "./common/addOn";
import type { AddOnNames } from "./common/addOnCluster";
import type { Container } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { containersIn } from "./common/withImages";
import { ownObjects } from "./ownObjects";

/** Any cluster: the containers of no add-on depend on it. */
const SCOPE = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 1,
  recordName: "k8s.example.com",
};

/** Every machine fetches from it anyway. */
const KUBERNETES_REGISTRY = "registry.k8s.io";

/** The names of the containers in an add-on's own pods. */
export function containersOf<Args extends object>(addOn: AddOn<Args>): string[] {
  return [...new Set(containers(addOn).map(({ name }) => name))];
}

/** The registries that machines fetch an add-on's images from, besides that of Kubernetes. */
export function registriesOf<Args extends object>(
  addOn: AddOn<Args>,
  args: Args,
  cluster: AddOnNames,
): string[] {
  const { images = {} }: AddOnPods = args;
  const own = isOurs(addOn, args) ? containers(addOn) : [];
  const usual = own
    .filter(({ name }) => images[name] === undefined)
    .map(({ image }) => registryOf(image))
    .filter((registry) => registry !== KUBERNETES_REGISTRY);
  const others = [
    ...(own.length === 0 ? [] : Object.values(images)),
    ...(addOn.moreImages?.(args, cluster) ?? []),
  ];
  return [...new Set([...usual, ...others.map(registryOf)])];
}

function containers<Args extends object>(addOn: AddOn<Args>): readonly Container[] {
  return ownObjects(addOn, SCOPE, {}).flatMap(containersIn);
}

/** The registry of an image. A name without a host is one of Docker's. */
export function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : "docker.io";
}
