// Why this room is as it is: docs/decisions/engine.md.

export { clientConfigurationKind } from "./clientConfiguration";
export { clusterHealthKind } from "./clusterHealth";
export { clusterKubeconfigKind } from "./clusterKubeconfig";
export { DEFAULT_DRAIN_TIMEOUT_SECONDS } from "./configurationApply/applyDrain";
export { configurationApplyKind } from "./configurationApply/configurationApply";
export { etcdMemberKind } from "./etcdMember";
export { firstContactKind } from "./firstContact";
export { immutableArgumentsKind } from "./immutableArguments";
export { kubernetesManifestsKind } from "./kubernetesManifests";
export { kubernetesObjectsKind } from "./kubernetesObjects";
export { kubernetesUpgradeKind } from "./kubernetesUpgrade";
export { machineBootstrapKind } from "./machineBootstrap";
export { machineConfigurationKind } from "./machineConfiguration";
export { machineSecretsKind } from "./machineSecrets";
export { machineTurnKind } from "./machineTurn";
export { type BegunRestore, type DoneRestore, restoreId } from "./restoreRecord";
export { checkKnown, type Given, render, warningsOf } from "./roleRendering";
export { rotatedAuthorityKind } from "./rotatedAuthority";
export { rotatedSecretKind } from "./rotatedSecret";
export { rotationGateKind } from "./rotationGate";
export { useTalosconfig } from "./talosconfigAccess";
export { userKubeconfigKind } from "./userKubeconfig";
