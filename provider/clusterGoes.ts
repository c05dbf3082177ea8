/**
 * `talos-aws destroy` sets it for its engine if the stack is deleted with all secrets of its
 * clusters. Machines then need not leave their clusters. People use `ON_DESTROY_VARIABLE` instead.
 */
export const CLUSTER_GOES_VARIABLE = "TALOS_AWS_CLUSTER_GOES";

/** Whether this run deletes the whole cluster of each machine. */
export function clusterGoes(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment[CLUSTER_GOES_VARIABLE] === "yes";
}
