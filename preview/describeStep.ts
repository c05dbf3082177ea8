import type { QuorumStep } from "./quorumSteps";

const verbs: Readonly<Record<QuorumStep["what"], string>> = {
  away: "is away",
  joins: "joins",
  leaves: "leaves",
};

/** The effect of a control plane machine on etcd, for example `m-2 is away`. */
export function describeStep({ machine, what }: QuorumStep): string {
  return `${machine} ${verbs[what]}`;
}
