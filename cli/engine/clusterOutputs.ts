import type { OutputMap } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";

/** The outputs of a cluster, by name. Some are secret. */
export type ClusterOutputs = Readonly<Record<string, unknown>>;

/**
 * A cluster's outputs: those of the stack, or those in one of them.
 *
 * @param cluster name of the output that holds them, where a stack has several clusters
 * @throws CommandFailure when there are none
 */
export function clusterOutputs(
  stack: string,
  outputs: OutputMap,
  cluster: string | undefined,
): ClusterOutputs {
  const all = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  if (Object.keys(all).length === 0) {
    throw new CommandFailure(
      `the stack "${stack}" has no outputs: bring it up first, with "talos-aws up ${stack}"`,
    );
  }
  if (cluster === undefined) {
    return all;
  }
  const chosen: unknown = all[cluster];
  if (typeof chosen !== "object" || chosen === null || Array.isArray(chosen)) {
    throw new CommandFailure(
      `the stack "${stack}" has no output "${cluster}" that holds those of a cluster: it has ${names(all)}`,
    );
  }
  return chosen as ClusterOutputs;
}

/**
 * The text of one of them.
 *
 * @throws CommandFailure when it isn't there
 */
export function textOutput(stack: string, outputs: ClusterOutputs, name: string): string {
  const value = outputs[name];
  if (typeof value !== "string" || value === "") {
    throw new CommandFailure(
      `the stack "${stack}" has no output "${name}": have its program export it, as in "export const ${name} = cluster.${name};", or name the output that holds it with --cluster; there are ${names(outputs)}`,
    );
  }
  return value;
}

function names(outputs: ClusterOutputs): string {
  return Object.keys(outputs)
    .map((name) => `"${name}"`)
    .join(", ");
}
