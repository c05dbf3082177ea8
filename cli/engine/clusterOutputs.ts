import { CommandFailure } from "../commandFailure";

/** The outputs of a cluster, by name. Some are secret. */
export type ClusterOutputs = Readonly<Record<string, unknown>>;

/**
 * A cluster's outputs: those of the stack, or the fields of one of them.
 *
 * @param all the outputs of the stack, by name
 * @param cluster name of the output with them, if a stack has several clusters
 * @throws CommandFailure if there are none
 */
export function clusterOutputs(
  stack: string,
  all: Readonly<Record<string, unknown>>,
  cluster: string | undefined,
): ClusterOutputs {
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
      `the stack "${stack}" has no output "${cluster}" with the outputs of a cluster: it has ${names(all)}`,
    );
  }
  return chosen as ClusterOutputs;
}

/**
 * The text of an output.
 *
 * @throws CommandFailure if it is missing
 */
export function textOutput(stack: string, outputs: ClusterOutputs, name: string): string {
  const value = outputs[name];
  if (typeof value !== "string" || value === "") {
    throw new CommandFailure(
      `the stack "${stack}" has no output "${name}": have its program export it, as in "export const ${name} = cluster.${name};", or name the output that contains it with --cluster; existing outputs: ${names(outputs)}`,
    );
  }
  return value;
}

/**
 * The kubeconfig of one user, in the output `kubeconfigs`.
 *
 * @throws CommandFailure if there is none
 */
export function userKubeconfig(stack: string, outputs: ClusterOutputs, user: string): string {
  const { kubeconfigs } = outputs;
  const users = (typeof kubeconfigs === "object" ? kubeconfigs : undefined) ?? {};
  const found: unknown = Object.entries(users).find(([name]) => name === user)?.[1];
  if (typeof found !== "string") {
    const others = Object.keys(users).length === 0 ? "it has none" : `it has ${names(users)}`;
    throw new CommandFailure(
      `the stack "${stack}" has no kubeconfig for "${user}" in its output "kubeconfigs": ${others}. Add the user to the setting kubeconfigs, or export cluster.createKubeconfig under that name, and bring the stack up`,
    );
  }
  return found;
}

function names(outputs: object): string {
  return Object.keys(outputs)
    .map((name) => `"${name}"`)
    .join(", ");
}
