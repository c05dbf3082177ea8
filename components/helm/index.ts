export { checkHelm } from "./checkHelm";
export type { HelmReleaseArgs } from "./helmArgs";
export { type KubernetesProviderInputs, makeHelm } from "./makeHelm";
export type { HelmReleaseInputs } from "./planHelmRelease";
