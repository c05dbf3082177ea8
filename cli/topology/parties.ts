import type { Topology } from "./topology";

/** A source or target of connections, as a picture names it. */
export interface Party {
  /** A security group's id, or a range of addresses. */
  readonly id: string;
  readonly label: string;
  /** Whether it is a range of addresses outside the stack. */
  readonly isOutside: boolean;
}

/** The parties of a network: ranges first, load balancers, control plane, workers. */
export function listParties({ flows, loadBalancers, groups }: Topology): readonly Party[] {
  const inside = new Map<string, Set<string>>();
  const name = (party: string, label: string) => {
    inside.set(party, (inside.get(party) ?? new Set()).add(label));
  };
  for (const { party, isInternal } of loadBalancers) {
    name(party, isInternal ? "internal load balancer" : "load balancer");
  }
  for (const { party, role } of groups) {
    name(party, role === "worker" ? "workers" : "control plane");
  }
  const outside = [...new Set(flows.map(({ from }) => from))]
    .filter((from) => !inside.has(from))
    // A state's order varies from run to run.
    .sort();
  return [
    ...outside.map((id) => ({ id, label: describeRange(id), isOutside: true })),
    ...[...inside].map(([id, labels]) => ({ id, label: [...labels].join(", "), isOutside: false })),
  ];
}

export function describeRange(range: string): string {
  return range === "0.0.0.0/0" || range === "::/0" ? `everyone (${range})` : range;
}
