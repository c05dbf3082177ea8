// Why this room is as it is: docs/decisions/machines.md.

export { askInTurn, serverAt } from "./askInTurn";
export { DROP_FINALIZERS } from "./inventory";
export { KubernetesApi, KubernetesApiError } from "./kubernetesApi";
export type { KubernetesObject } from "./kubernetesObject";
export { instanceIdOf, type KubernetesNode, readNodes } from "./node";
