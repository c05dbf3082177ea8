import type { QuorumStep } from "./quorumSteps";

const verbs: Readonly<Record<QuorumStep["what"], string>> = {
  away: "is away",
  joins: "joins",
  leaves: "leaves",
};

/** What a machine of the control plane does to etcd, for example `m-2 is away`. */
export function describeStep({ machine, what }: QuorumStep): string {
  return `${machine} ${verbs[what]}`;
}
