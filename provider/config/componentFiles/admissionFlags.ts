import type { ConfigDocument } from "../machineConfig";
import { flagName, namesIn } from "../releases/removedInKubernetes";

/**
 * Whether the API server runs an admission plugin. Source: k8s.io/apiserver v0.37.2,
 * `pkg/server/options/admission.go`, `enabledPluginNames`.
 *
 * @param isOn whether it does without flags
 * @param flags additional ones of the API server
 */
export function isPluginOn(plugin: string, isOn: boolean, flags: ConfigDocument): boolean {
  const names = (flag: string) =>
    Object.entries(flags).flatMap(([key, value]) => (flagName(key) === flag ? namesIn(value) : []));
  return names("enable-admission-plugins").includes(plugin)
    ? true
    : isOn && !names("disable-admission-plugins").includes(plugin);
}
