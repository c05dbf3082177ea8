import type { KubernetesObject } from "../../../provider/kubernetes";
import type { Container } from "./addOnPods";

/** The pod of a workload, as far as its images are concerned. */
interface PodOwner {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } };
  };
}

/** Objects whose containers have other images, by the container's name. */
export function withImages(
  objects: readonly KubernetesObject[],
  images: Readonly<Record<string, string>> = {},
): readonly KubernetesObject[] {
  return objects.map((object) => {
    const containers = containersIn(object);
    const { spec } = object as PodOwner;
    return containers.every(({ name }) => images[name] === undefined)
      ? object
      : {
          ...object,
          spec: {
            ...spec,
            template: {
              ...spec?.template,
              spec: {
                ...spec?.template?.spec,
                containers: containers.map((container) => ({
                  ...container,
                  image: images[container.name] ?? container.image,
                })),
              },
            },
          },
        };
  });
}

/** The containers of an object's pods; none for other objects. */
export function containersIn(object: KubernetesObject): readonly Container[] {
  return (object as PodOwner).spec?.template?.spec?.containers ?? [];
}
