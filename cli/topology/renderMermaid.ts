import { describeRange, listParties } from "./parties";
import type { Flow, MachineGroup, Topology } from "./topology";

/** A picture of a network as Mermaid, for Markdown: machines by kind, and allowed connections. */
export function renderMermaid(topology: Topology): string {
  const { network, cidr, groups, loadBalancers } = topology;
  const head = [`network ${cidr ?? network}`, ...topology.endpoints, topology.versions.join(", ")];
  const parties = listParties(topology);
  const ids = new Map(parties.map(({ id }, index) => [id, `party${index}`]));
  // A state's order varies from run to run.
  const order = ({ from, to }: Flow) => [from, to].map((id) => ids.get(id) ?? id).join(" ");
  const sorted = (all: readonly Flow[]) =>
    [...all].sort((one, other) => order(one).localeCompare(order(other), "en", { numeric: true }));
  const [flows, outbound] = [sorted(topology.flows), sorted(topology.outbound)];
  const targets = [...new Set(outbound.map(({ to }) => to))];
  const inside = parties.filter(({ isOutside }) => !isOutside);
  const lines = [
    "flowchart TB",
    ...parties
      .filter(({ isOutside }) => isOutside)
      .map(({ id, label }) => `  ${ids.get(id) ?? ""}([${quote(label)}])`),
    `  subgraph network[${quote(head.filter((line) => line !== "").join("<br/>"))}]`,
    ...inside.flatMap(({ id, label }) => {
      const own = groups.filter(({ party }) => party === id);
      const balancers = loadBalancers.filter(({ party }) => party === id);
      const party = ids.get(id) ?? "";
      return [
        `    subgraph ${party}[${quote(label)}]`,
        ...balancers.map(
          ({ name, ports }, index) =>
            `      ${party}b${index}[[${quote(`${name}<br/>${ports.map((port) => `:${port}`).join(" ")}`)}]]`,
        ),
        ...own.flatMap((group, index) => renderGroup(group, `${party}g${index}`)),
        "    end",
      ];
    }),
    "  end",
    ...flows.flatMap(({ from, to, ports }) => {
      const [source, target] = [ids.get(from), ids.get(to)];
      const label = ports.map(({ port }) => port).join("<br/>");
      return source === undefined || target === undefined
        ? []
        : [`  ${source} -->|${quote(label)}| ${target}`];
    }),
    ...targets.map((to, index) => `  out${index}([${quote(describeRange(to))}])`),
    ...outbound.map(({ from, to, ports }) => {
      const label = ports.map(({ port }) => port).join("<br/>");
      return `  ${ids.get(from) ?? ""} -.->|${quote(label)}| out${targets.indexOf(to)}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function renderGroup(group: MachineGroup, id: string): readonly string[] {
  const { machines, scaling, instanceTypes, name, tier } = group;
  const box = (...lines: readonly string[]) => quote(lines.join("<br/>"));
  return [
    ...scaling.map(({ zones, min, max }, index) => {
      const size = `auto scaling: ${min} to ${max} × ${instanceTypes.join(", ")}`;
      return `      ${id}s${index}[/${box(name, size, `${zones.join(", ")}, ${tier}`)}/]`;
    }),
    ...machines.map((machine, index) => {
      const place = `${machine.zone}, ${tier}`;
      return `      ${id}m${index}[${box(machine.name, place, machine.privateAddress)}]`;
    }),
  ];
}

/** In quotes, Mermaid only has its own escapes of characters. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "#quot;")}"`;
}
