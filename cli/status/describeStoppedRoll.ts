import type { MachineStatus } from "./clusterStatus";

/** The releases that may differ between machines, and their names in messages. */
const RELEASES: readonly {
  readonly what: string;
  readonly of: (machine: MachineStatus) => string | undefined;
}[] = [
  { what: "Talos", of: ({ talosVersion }) => talosVersion },
  { what: "kubelet", of: ({ node }) => node?.kubeletVersion },
];

/** Describes what an unfinished rolling change of machines has left. */
export function describeStoppedRoll(machines: readonly MachineStatus[]): string[] {
  return [...describeReleases(machines), ...describeCordons(machines)];
}

/**
 * Nodes that a drain of this package cordoned: the machine's change is in progress, or was
 * interrupted.
 */
function describeCordons(machines: readonly MachineStatus[]): string[] {
  return machines.flatMap(({ name, node }) =>
    node?.cordonedFor === undefined
      ? []
      : [
          `the node ${node.name} of ${name} is cordoned for a ${node.cordonedFor} of the machine. If none is in progress, run "kubectl uncordon ${node.name}"`,
        ],
  );
}

/**
 * Describes machines with different releases: an upgrade is in progress, or was interrupted.
 * Machines that don't answer are left out.
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
          `machines run different ${what} releases: ${found.join("; ")}. "pulumi up" continues an upgrade`,
        ]
      : [];
  });
}
