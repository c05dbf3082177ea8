/** What each example's nodes are, by the name of their pool: examples that are seen by their workers. */
export const WORKER_EXAMPLES: Readonly<
  Record<string, readonly (readonly [pool: string, architecture: string, count: number])[]>
> = {
  autoscaling: [
    ["control-plane", "amd64", 3],
    ["system", "amd64", 2],
    ["unnamed", "amd64", 3],
  ],
  // Nobody plays Karpenter here, so its pool has no machine.
  karpenter: [
    ["control-plane", "amd64", 1],
    ["system", "amd64", 1],
  ],
  "arm64-mixed": [
    ["control-plane", "arm64", 3],
    ["general", "arm64", 2],
    ["legacy", "amd64", 1],
  ],
};
