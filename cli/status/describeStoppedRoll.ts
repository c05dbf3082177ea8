import type { MachineStatus } from "./clusterStatus";

/** What differs between machines of one release, and how a person calls it. */
const RELEASES: readonly {
  readonly what: string;
  readonly of: (machine: MachineStatus) => string | undefined;
}[] = [
  { what: "Talos", of: ({ talosVersion }) => talosVersion },
  { what: "kubelet", of: ({ node }) => node?.kubeletVersion },
];

/** Says what a roll over machines has left that is under way, or has stopped. */
export function describeStoppedRoll(machines: readonly MachineStatus[]): string[] {
  return [...describeReleases(machines), ...describeCordons(machines)];
}

/** Nodes that a drain of ours keeps pods off: the machine's change goes on, or was cut off. */
function describeCordons(machines: readonly MachineStatus[]): string[] {
  return machines.flatMap(({ name, node }) =>
    node?.cordonedFor === undefined
      ? []
      : [
          `the node ${node.name} of ${name} takes no pods, for a ${node.cordonedFor} of the machine. Where none is under way, "kubectl uncordon ${node.name}" lets pods in again`,
        ],
  );
}

/**
 * Says where machines run different releases: an upgrade is under way, or has stopped. Machines that don't
 * answer are left out.
 */
function describeReleases(machines: readonly MachineStatus[]): string[] {
  return RELEASES.flatMap(({ what, of }) => {
    const names = new Map<string, string[]>();
    for (const machine of machines) {
      const release = of(machine);
      if (release !== undefined && release !== "") {
        names.set(release, [...(names.get(release) ?? []), machine.name]);
      }
    }
    const found = [...names]
      .sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }))
      .map(([release, of]) => `${release} on ${of.join(", ")}`);
    return found.length > 1
      ? [
          `machines run different ${what} releases: ${found.join("; ")}. "pulumi up" goes on with an upgrade`,
        ]
      : [];
  });
}
