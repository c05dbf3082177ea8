import * as pulumi from "@pulumi/pulumi";
import { ConfigurationApply, type ConfigurationApplyArgs } from "./configurationApply";

/** What a machine of a rollout has of its own. */
export type RolloutMachine = Pick<
  ConfigurationApplyArgs,
  "machineId" | "node" | "endpoint" | "privateAddress" | "patches"
>;

/** What the machines of a rollout share; each of these is as in `ConfigurationApplyArgs`. */
type SharedArgs = Omit<ConfigurationApplyArgs, keyof RolloutMachine>;

/** Arguments of `ConfigurationRollout`. */
export interface ConfigurationRolloutArgs extends SharedArgs {
  /**
   * The machines, each by a key that stays, in the order in which they change. A machine that is added
   * or goes moves no other.
   */
  readonly machines: Readonly<Record<string, RolloutMachine>>;
  /**
   * How many machines change at the same time. For a control plane 1: two of three that restart take
   * etcd's majority and two API servers with them. Default: 1.
   */
  readonly maxUnavailable?: number;
}

/**
 * Machines that run one configuration, changed one after another: the next ones begin when those before
 * are well again (see `ConfigurationApply`), and a change that goes wrong stops there. A first
 * configuration takes its turn too.
 *
 * Machines that should change after others, as workers after the control plane, go into a rollout of
 * their own that depends on the one before.
 *
 * @throws pulumi.InputPropertiesError where `maxUnavailable` is no whole number from 1
 */
export class ConfigurationRollout extends pulumi.ComponentResource {
  /** Each machine's `ConfigurationApply`, called `<name>-<key>`. */
  public readonly machines: Readonly<Record<string, ConfigurationApply>>;
  /** SHA-256, hex, of what each machine runs, by key: for `ClusterHealth.triggers`. */
  public readonly configurationHashes: pulumi.Output<Record<string, string>>;

  constructor(
    name: string,
    args: ConfigurationRolloutArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    const { machines, maxUnavailable = 1, ...shared } = args;
    if (!Number.isInteger(maxUnavailable) || maxUnavailable < 1) {
      const reason = `${maxUnavailable} is no number of machines: give 1 or more`;
      throw new pulumi.InputPropertiesError({
        message: `the rollout "${name}" has wrong arguments`,
        errors: [{ propertyPath: "maxUnavailable", reason }],
      });
    }
    super("talos-aws:index:ConfigurationRollout", name, {}, opts);
    const applies: (readonly [string, ConfigurationApply])[] = [];
    for (const batch of batchesOf(Object.entries(machines), maxUnavailable)) {
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

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
