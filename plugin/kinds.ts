import { HANDLER_NAMES, type HandlerName, pluginType, type TalosKind } from "../provider/engine";
import {
  clientConfigurationKind,
  clusterHealthKind,
  clusterKubeconfigKind,
  configurationApplyKind,
  etcdMemberKind,
  firstContactKind,
  immutableArgumentsKind,
  kubernetesManifestsKind,
  kubernetesObjectsKind,
  kubernetesUpgradeKind,
  machineBootstrapKind,
  machineConfigurationKind,
  machineSecretsKind,
  machineTurnKind,
  rotatedAuthorityKind,
  rotatedSecretKind,
  rotationGateKind,
  userKubeconfigKind,
} from "../provider/resources";
import { isComponent } from "../provider/schema";

/** A kind of resource, whatever its arguments are. */
export type AnyKind = TalosKind<never>;

/** The kinds by name. Each loads the modules of its own. */
const kinds: Readonly<Record<HandlerName, () => AnyKind>> = {
  MachineSecrets: () => machineSecretsKind,
  ClientConfiguration: () => clientConfigurationKind,
  MachineConfiguration: () => machineConfigurationKind,
  ConfigurationApply: () => configurationApplyKind,
  MachineBootstrap: () => machineBootstrapKind,
  ClusterKubeconfig: () => clusterKubeconfigKind,
  ClusterHealth: () => clusterHealthKind,
  UserKubeconfig: () => userKubeconfigKind,
  MachineTurn: () => machineTurnKind,
  EtcdMember: () => etcdMemberKind,
  ImmutableArguments: () => immutableArgumentsKind,
  KubernetesUpgrade: () => kubernetesUpgradeKind,
  KubernetesManifests: () => kubernetesManifestsKind,
  KubernetesObjects: () => kubernetesObjectsKind,
  RotatedAuthority: () => rotatedAuthorityKind,
  RotatedSecret: () => rotatedSecretKind,
  RotationGate: () => rotationGateKind,
  FirstContact: () => firstContactKind,
};

/** The names of all kinds. */
export const KIND_NAMES = HANDLER_NAMES;

/**
 * The kind of a type such as `talos-aws:index:MachineSecrets`.
 *
 * @throws Error for a component, and for a type that this release does not have
 */
export function kindOf(type: string): AnyKind {
  const name = KIND_NAMES.find((each) => pluginType(each) === type);
  if (name === undefined) {
    if (isComponent(type)) {
      throw new Error(
        `"${type}" is a component, which a program creates and nobody can import: import the resources in it`,
      );
    }
    const known = KIND_NAMES.map(pluginType).join(", ");
    throw new Error(
      `this release of the plugin has no resource type "${type}", only ${known}: install the release that the program was written for`,
    );
  }
  return kinds[name]();
}
