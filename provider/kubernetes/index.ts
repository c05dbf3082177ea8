export { askInTurn, serverAt } from "./askInTurn";
export { KubernetesApi, KubernetesApiError } from "./kubernetesApi";
export type { KubernetesObject } from "./kubernetesObject";
export { instanceIdOf, type KubernetesNode, readNodes } from "./node";
