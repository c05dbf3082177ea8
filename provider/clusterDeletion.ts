/**
 * `talos-aws destroy` sets it for its engine if the stack is deleted with all secrets of its
 * clusters. Machines then need not leave their clusters. People use `ON_DESTROY_VARIABLE` instead.
 */
export const CLUSTER_DELETION_VARIABLE = "TALOS_AWS_CLUSTER_GOES";

/** Whether this run deletes the whole cluster of each machine. */
export function deletesCluster(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment[CLUSTER_DELETION_VARIABLE] === "yes";
}
