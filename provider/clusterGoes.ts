/**
 * `talos-aws destroy` sets it for its engine, where a stack goes with all of its clusters' secrets: no
 * machine has a cluster then to leave. People say `ON_DESTROY_VARIABLE` in its place.
 */
export const CLUSTER_GOES_VARIABLE = "TALOS_AWS_CLUSTER_GOES";

/** Whether the whole cluster of each machine goes in this run. */
export function clusterGoes(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment[CLUSTER_GOES_VARIABLE] === "yes";
}
