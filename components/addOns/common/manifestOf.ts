import { stringify } from "yaml";
import type { KubernetesObject } from "../../../provider/kubernetes";

/**
 * The manifest of the objects, in their order. It has no YAML aliases, because Talos reads each
 * document by itself.
 */
export function manifestOf(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join("---\n");
}
