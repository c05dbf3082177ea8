import * as pulumi from "@pulumi/pulumi";
import { inBatches } from "../base/batches";
import { misspeltArguments, refuse } from "../engine/refuse";
import {
  ConfigurationApply,
  type ConfigurationApplyArgs,
} from "./configurationApply/configurationApply";

/** Arguments of one machine of a rollout. */
export type RolloutMachine = Pick<
  ConfigurationApplyArgs,
  "machineId" | "node" | "endpoint" | "privateAddress" | "patches" | "firstContact"
>;

/** Arguments that all machines of a rollout share; see `ConfigurationApplyArgs`. */
type SharedArgs = Omit<ConfigurationApplyArgs, keyof RolloutMachine>;

/** Arguments of `ConfigurationRollout`. */
export interface ConfigurationRolloutArgs extends SharedArgs {
  /**
   * The machines by a stable key, in the order in which they change. Adding or removing a machine
   * does not affect the others.
   */
  readonly machines: Readonly<Record<string, RolloutMachine>>;
  /**
   * How many machines change at the same time. Keep 1 for a control plane: with two of three
   * machines restarting, etcd loses its majority. Default: 1.
   */
  readonly maxUnavailable?: number;
}

const TYPE = "talos-aws:index:ConfigurationRollout";

/**
 * Applies one configuration to several machines, one after another. The next machine changes when
 * the one before is healthy again (see `ConfigurationApply`), and a failed change stops there. This
 * also holds for first configurations. Put machines that must change after others, such as workers
 * after the control plane, into a second rollout that depends on the first.
 *
 * @throws pulumi.InputPropertiesError unless `maxUnavailable` is a whole number from 1 on
 */
export class ConfigurationRollout extends pulumi.ComponentResource {
  /** Each machine's `ConfigurationApply`, named `<name>-<key>`. */
  readonly machines: Readonly<Record<string, ConfigurationApply>>;
  /** SHA-256, hex, of each machine's configuration, by key: for `ClusterHealth.triggers`. */
  readonly configurationHashes: pulumi.Output<Record<string, string>>;

  constructor(
    name: string,
    args: ConfigurationRolloutArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    const { machines, maxUnavailable = 1, ...shared } = args;
    if (!Number.isInteger(maxUnavailable) || maxUnavailable < 1) {
      const reason = `${maxUnavailable} is no number of machines: give 1 or more`;
      refuse(`the rollout "${name}"`, [
        ...misspeltArguments(TYPE, args),
        { property: "maxUnavailable", reason },
      ]);
    }
    super(TYPE, name, {}, opts);
    const applies: (readonly [string, ConfigurationApply])[] = [];
    for (const batch of inBatches(Object.entries(machines), maxUnavailable)) {
      const before = applies.slice(-maxUnavailable).map(([, apply]) => apply);
      const made = batch.map(
        ([key, machine]) =>
          [
            key,
            new ConfigurationApply(
              `${name}-${key}`,
              { ...shared, ...machine },
              { parent: this, dependsOn: before },
            ),
          ] as const,
      );
      applies.push(...made);
    }
    this.machines = Object.fromEntries(applies);
    this.configurationHashes = pulumi.output(
      Object.fromEntries(applies.map(([key, apply]) => [key, apply.configurationHash])),
    );
    this.registerOutputs({ configurationHashes: this.configurationHashes });
  }
}
