import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, isMapping, type YamlValue } from "./machineConfig";

/** A setting by which a program plans other resources: a firewall, a load balancer, a wait. */
export interface PlannedSetting {
  /** What Talos takes where the configuration leaves it out. Default: nothing. */
  readonly default?: string | number | boolean;
  /** What to do instead of a patch, for the message: `set the argument cni`. */
  readonly wayOut: string;
}

/** Planned settings by their paths in an outline: `cluster.network.cni.name`, `KubeSpanConfig.enabled`. */
export type PlannedSettings = Readonly<Record<string, PlannedSetting>>;

/**
 * What patches change of the settings that the program plans by: one message for each. What is planned
 * would not fit the machines.
 *
 * @param before the outline of the configuration without patches
 * @param after the outline with them
 */
export function changedPlannedSettings(
  before: ConfigDocument,
  after: ConfigDocument,
  planned: PlannedSettings,
): string[] {
  return Object.entries(planned).flatMap(([path, { default: usual, wayOut }]) => {
    const [old, now] = [before, after].map((outline) => valueAt(outline, path) ?? usual);
    return isDeepStrictEqual(old, now)
      ? []
      : [
          `${path}: a patch sets ${JSON.stringify(now)}, but everything around the machines is planned for ${JSON.stringify(old)}: leave it out of the patches, and ${wayOut}`,
        ];
  });
}

function valueAt(outline: ConfigDocument, path: string): YamlValue | undefined {
  return path
    .split(".")
    .reduce<YamlValue | undefined>(
      (value, key) => (isMapping(value) ? (value[key] ?? undefined) : undefined),
      outline,
    );
}
