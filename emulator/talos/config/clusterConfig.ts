import type { LoadedConfig } from "./loadConfig";
import type { MachineFacts } from "./machineFacts";

/** A configuration that makes a machine a node of a cluster. */
export type ClusterConfig = LoadedConfig & { readonly facts: MachineFacts };

/** Whether a configuration says what cluster its machine is of. */
export function isClusterConfig(config: LoadedConfig): config is ClusterConfig {
  return config.facts !== undefined;
}
