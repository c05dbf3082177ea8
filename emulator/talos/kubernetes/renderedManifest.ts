import type { KubernetesObject } from "./kubernetesObject";

/** A manifest as Talos renders it: objects that belong together, under an id that gives their order. */
export interface RenderedManifest {
  readonly id: string;
  readonly objects: readonly KubernetesObject[];
}
