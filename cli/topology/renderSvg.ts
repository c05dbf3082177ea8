import {
  type Arrow,
  type Box,
  columnOf,
  type GroupRow,
  layOut,
  type Layout,
  SIZES,
} from "./layout";
import { svgStyle, type SvgTheme } from "./svgTheme";
import type { MachineGroup, Topology } from "./topology";

/** Names of the parties' colours in the style sheet. */
type PartyColour = "controlPlane" | "worker" | "balancer" | "outside";

/**
 * A picture of a network as SVG: outside parties, load balancers, machines by zone and subnet, and
 * numbered arrows for allowed connections, with a table of their ports below.
 *
 * @param title for example the stack's name
 */
export function renderSvg(topology: Topology, title: string, theme: SvgTheme = "auto"): string {
  const layout = layOut(topology);
  const { width, height } = layout;
  const body = [
    `<rect class="background" width="${width}" height="${height}"/>`,
    ...renderHead(topology, title),
    ...renderNetwork(topology, layout),
    ...layout.tiers.flatMap((band) => [
      ...renderTier(band, topology),
      ...band.rows.flatMap((row) => renderGroup(row, topology)),
    ]),
    ...renderParties(layout, topology),
    ...layout.arrows.flatMap((arrow) => renderArrow(arrow, layout, topology)),
    ...renderLegend(layout, topology),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(`${title}: network and machines`)}</title>`,
    `<style>\n${svgStyle(theme)}\n</style>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

function renderHead(
  { zones, groups, loadBalancers, endpoints, versions }: Topology,
  title: string,
): readonly string[] {
  const machines = groups.reduce((sum, { machines: own }) => sum + own.length, 0);
  const scaled = groups.reduce((sum, { scaling }) => sum + scaling.length, 0);
  const counts = [
    plural(machines, "machine"),
    ...(scaled === 0 ? [] : [plural(scaled, "auto scaling group")]),
    plural(loadBalancers.length, "load balancer"),
    plural(zones.length, "zone"),
    ...versions,
    ...endpoints,
  ];
  const y = SIZES.margin + 16;
  return [
    svgText(SIZES.margin, y, title, "title"),
    svgText(SIZES.margin, y + 22, counts.join(" · "), "soft"),
  ];
}

function renderNetwork({ network, cidr, zones }: Topology, layout: Layout): readonly string[] {
  const { network: frame } = layout;
  const label = ["network", cidr, network].filter((each) => each !== undefined).join(" · ");
  return [
    rectangle(frame, "panel", 10),
    svgText(frame.x + 14, frame.y + 22, label, "soft"),
    ...layout.zones.flatMap((zone, index) => [
      rectangle(zone, "zone dashed", 8),
      svgText(zone.x + zone.width / 2, zone.y + 18, zones[index] ?? "", "name middle"),
    ]),
    ...layout.loadBalancers.flatMap(({ loadBalancer, ...box }) => {
      const kind = `${loadBalancer.isInternal ? "internal" : "public"} load balancer`;
      const ports = loadBalancer.ports.map((port) => `:${port}`).join(" ");
      return [
        ...strip(box, "balancer"),
        svgText(box.x + 16, box.y + 19, loadBalancer.name, "name"),
        svgText(box.x + 16, box.y + 35, `${kind}, listens at ${ports}`, "small soft"),
      ];
    }),
    ...layout.outside.flatMap(({ party, purposes, ...box }) => [
      ...strip(box, "outside"),
      svgText(box.x + 16, box.y + 17, party.label, "name"),
      svgText(box.x + 16, box.y + 32, purposes, "small soft"),
    ]),
  ];
}

function renderTier(band: Layout["tiers"][number], topology: Topology): readonly string[] {
  return topology.subnets
    .filter(({ tier }) => tier === band.tier)
    .flatMap(({ zone, cidr, hasNat }) => {
      const { x, width } = columnOf(zone, topology.zones, band.x);
      const box = { x: x + 6, width: width - 12, y: band.y + 4, height: band.height - 8 };
      const label = [band.tier, cidr].filter((each) => each !== undefined).join(" ");
      return [
        rectangle(box, "tier", 6),
        svgText(box.x + 8, box.y + 17, label, "small soft"),
        ...(hasNat
          ? [svgText(box.x + box.width - 8, box.y + 17, "NAT gateway", "small soft end")]
          : []),
      ];
    });
}

function renderGroup(row: GroupRow, { zones }: Topology): readonly string[] {
  const { group } = row;
  const { role, machines, scaling, instanceTypes } = group;
  const colour = roleColour(group);
  const labelX = SIZES.margin + SIZES.gap;
  const size =
    scaling.length === 0
      ? `${machines.length} × ${instanceTypes.join(", ")}`
      : instanceTypes.join(", ");
  const labels = [
    `<rect class="${colour}-fill" x="${labelX}" y="${row.y}" width="4" height="${row.height}" rx="2"/>`,
    svgText(labelX + 12, row.y + 14, shorten(group.name, 22), "name"),
    svgText(labelX + 12, row.y + 31, role === "worker" ? "workers" : "control plane", "small soft"),
    svgText(labelX + 12, row.y + 47, size, "small soft"),
  ];
  return scaling.length === 0
    ? [...labels, ...renderMachines(row, zones)]
    : [...labels, ...renderScaling(row, zones)];
}

function renderMachines(row: GroupRow, zones: readonly string[]): readonly string[] {
  const colour = roleColour(row.group);
  return zones.flatMap((zone) =>
    row.group.machines
      .filter((machine) => machine.zone === zone)
      .flatMap((machine, index) => {
        const { x, width } = columnOf(zone, zones, row.x);
        const box = {
          x: x + 14,
          y: row.y + index * (SIZES.card + SIZES.cardGap),
          width: width - 28,
          height: SIZES.card,
        };
        const { privateAddress, publicAddress } = machine;
        return [
          rectangle(box, `card ${colour}-line`, 6),
          svgText(box.x + 10, box.y + 18, shorten(machine.name, 29), "name"),
          svgText(box.x + 10, box.y + 34, privateAddress, "mono"),
          svgText(
            box.x + 10,
            box.y + 48,
            publicAddress === "" ? "no public address" : `public ${publicAddress}`,
            publicAddress === "" ? "small soft" : "mono soft",
          ),
        ];
      }),
  );
}

/** A frame for each auto scaling group over its zones, with a stack of cards in each zone. */
function renderScaling(row: GroupRow, zones: readonly string[]): readonly string[] {
  const colour = roleColour(row.group);
  return row.group.scaling.flatMap(({ zones: own, min, max, desired }) => {
    const columns = own.map((zone) => columnOf(zone, zones, row.x));
    const left = Math.min(...columns.map(({ x }) => x)) + 14;
    const right = Math.max(...columns.map(({ x, width }) => x + width)) - 14;
    const frame = { x: left, y: row.y, width: right - left, height: row.height };
    const size = `${min} to ${max} machines${desired === undefined ? "" : `, ${desired} wanted`}`;
    const isWide = columns.length > 1;
    return [
      rectangle(frame, `card dashed ${colour}-line`, 8),
      svgText(
        frame.x + 10,
        frame.y + 17,
        isWide ? `auto scaling group: ${size}` : "auto scaling group",
        "small name",
      ),
      ...columns.flatMap(({ x, width }) => [
        ...[6, 3, 0].map((shift) =>
          rectangle(
            {
              x: x + 24 + shift,
              y: row.y + 24 + 6 - shift,
              width: width - 54,
              height: row.height - 40,
            },
            `card ${colour}-line`,
            5,
          ),
        ),
        svgText(x + width / 2 - 3, row.y + 54, isWide ? "some of them" : size, "small middle"),
      ]),
    ];
  });
}

function renderParties({ bars }: Layout, topology: Topology): readonly string[] {
  return bars.map(({ party, ...box }) =>
    rectangle(box, `${partyColour(party.id, topology)}-fill`, 3),
  );
}

function renderArrow(arrow: Arrow, { bars }: Layout, topology: Topology): readonly string[] {
  const colour = partyColour(arrow.flow.from, topology);
  const start = (bars[0]?.x ?? 0) + 8;
  const { fromY, toY, laneX, number } = arrow;
  const middle = (fromY + toY) / 2;
  const head = `M${start + 7} ${toY - 4.5}L${start} ${toY}L${start + 7} ${toY + 4.5}Z`;
  return [
    `<path class="arrow ${colour}-line" d="M${start} ${fromY}H${laneX}V${toY}H${start + 6}"/>`,
    `<path class="${colour}-fill" d="${head}"/>`,
    `<circle class="${colour}-fill" cx="${laneX}" cy="${middle}" r="9"/>`,
    svgText(laneX, middle + 4, String(number), "badge"),
  ];
}

function renderLegend(layout: Layout, topology: Topology): readonly string[] {
  const { legend, width } = layout;
  const ruleY = legend.y - 4;
  return [
    `<path class="rule" d="M${SIZES.margin} ${ruleY}H${width - SIZES.margin}"/>`,
    svgText(SIZES.margin, legend.y + 20, "Allowed connections", "name"),
    svgText(SIZES.margin + 160, legend.y + 20, "all others to machines are closed", "soft"),
    ...renderOutbound(layout),
    ...legend.lines.flatMap(({ arrow, texts, x, y }) => {
      const colour = partyColour(arrow.flow.from, topology);
      return [
        `<circle class="${colour}-fill" cx="${x + 9}" cy="${y + 9}" r="9"/>`,
        svgText(x + 9, y + 13, String(arrow.number), "badge"),
        svgText(x + 28, y + 13, `${arrow.fromLabel} → ${arrow.toLabel}`, ""),
        ...texts.map((text, index) => svgText(x + 250, y + 13 + index * SIZES.line, text, "mono")),
      ];
    }),
  ];
}

/** What parties reach outside; their answers come back. */
function renderOutbound({ legend: { outbound } }: Layout): readonly string[] {
  const [first] = outbound;
  return first === undefined
    ? []
    : [
        svgText(SIZES.margin, first.y - SIZES.line + 13, "Allowed outbound", "name"),
        ...outbound.flatMap(({ y, label, text }) => [
          svgText(SIZES.margin + 28, y + 13, label, ""),
          svgText(SIZES.margin + 250, y + 13, text, "mono"),
        ]),
      ];
}

function strip(box: Box, colour: PartyColour): readonly string[] {
  return [
    rectangle(box, `card ${colour}-line`, 6),
    rectangle({ ...box, width: 6 }, `${colour}-fill`, 3),
  ];
}

function roleColour({ role }: MachineGroup): PartyColour {
  return role === "worker" ? "worker" : "controlPlane";
}

function partyColour(party: string, { groups, loadBalancers }: Topology): PartyColour {
  const group = groups.find((each) => each.party === party);
  if (group !== undefined) {
    return roleColour(group);
  }
  return loadBalancers.some((each) => each.party === party) ? "balancer" : "outside";
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A rectangle with round corners. */
function rectangle({ x, y, width, height }: Box, classes: string, radius: number): string {
  return `<rect class="${classes}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
}

/** A line of text; `y` is its baseline. */
function svgText(x: number, y: number, text: string, classes: string): string {
  const styled = classes === "" ? "" : ` class="${classes}"`;
  return `<text${styled} x="${x}" y="${y}">${escapeXml(text)}</text>`;
}
