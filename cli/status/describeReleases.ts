import type { MachineStatus } from "./clusterStatus";

/** What differs between machines of one release, and how a person calls it. */
const RELEASES: readonly {
  readonly what: string;
  readonly of: (machine: MachineStatus) => string | undefined;
}[] = [
  { what: "Talos", of: ({ talosVersion }) => talosVersion },
  { what: "kubelet", of: ({ node }) => node?.kubeletVersion },
];

/**
 * Says where machines run different releases: an upgrade is under way, or has stopped. Machines that don't
 * answer are left out.
 */
export function describeReleases(machines: readonly MachineStatus[]): string[] {
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
