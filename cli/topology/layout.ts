import { describeRange, listParties, type Party } from "./parties";
import type { Flow, MachineGroup, Tier, Topology, TopologyLoadBalancer } from "./topology";

/** A rectangle, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A row of machines, one or more in each zone. */
export interface GroupRow extends Box {
  readonly group: MachineGroup;
}

/** The subnets of one kind, over all zones. */
export interface TierBand extends Box {
  readonly tier: Tier;
  readonly rows: readonly GroupRow[];
}

/** The position of a party at the right edge, where arrows begin and end. */
export interface PartyBar extends Box {
  readonly party: Party;
}

/** An arrow from one bar to another in a lane at the right; to itself if both are the same. */
export interface Arrow {
  readonly number: number;
  readonly flow: Flow;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly fromY: number;
  readonly toY: number;
  readonly laneX: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly network: Box;
  readonly zones: readonly (Box & { readonly name: string })[];
  readonly outside: readonly (Box & { readonly party: Party; readonly purposes: string })[];
  readonly loadBalancers: readonly (Box & { readonly loadBalancer: TopologyLoadBalancer })[];
  readonly tiers: readonly TierBand[];
  readonly bars: readonly PartyBar[];
  readonly arrows: readonly Arrow[];
  /** The position of the table of arrows, and its line height. */
  readonly legend: {
    readonly y: number;
    readonly lines: readonly LegendLine[];
    readonly outbound: readonly OutboundLine[];
  };
}

/** A line about what a party reaches outside. */
export interface OutboundLine {
  readonly y: number;
  readonly label: string;
  readonly text: string;
}

/** A line of the table under the picture. */
export interface LegendLine extends Box {
  readonly arrow: Arrow;
  /** The allowed connections, wrapped. */
  readonly texts: readonly string[];
}

export const SIZES = {
  margin: 28,
  title: 56,
  label: 176,
  zone: 236,
  gap: 12,
  card: 56,
  cardGap: 6,
  lane: 26,
  line: 18,
} as const;

const OUTSIDE_HEIGHT = 40;
const BALANCER_HEIGHT = 44;
/** The space for the frame of an auto scaling group. */
const SCALING_FRAME = 24;
const LEGEND_CHARACTERS = 104;

/**
 * Lays out the picture of a network: the parties of connections as rows from top to bottom, zones
 * as columns.
 */
export function layOut(topology: Topology): Layout {
  const { zones, loadBalancers, groups, flows } = topology;
  const parties = listParties(topology);
  const gridX = SIZES.margin + SIZES.gap + SIZES.label;
  const gridWidth = Math.max(zones.length, 1) * (SIZES.zone + SIZES.gap) - SIZES.gap;
  const networkWidth = SIZES.label + gridWidth + 3 * SIZES.gap;
  let y = SIZES.margin + SIZES.title;

  const outside = parties
    .filter(({ isOutside }) => isOutside)
    .map((party) => {
      const box = { x: gridX, y, width: gridWidth, height: OUTSIDE_HEIGHT };
      y += OUTSIDE_HEIGHT + SIZES.gap;
      return { ...box, party, purposes: purposesOf(party.id, flows) };
    });
  y += SIZES.gap;
  const networkY = y;
  y += 34;

  const balancers = loadBalancers.map((loadBalancer) => {
    const columns = columnsOf(loadBalancer.zones, zones);
    const box = { ...span(gridX, columns), y, height: BALANCER_HEIGHT };
    y += BALANCER_HEIGHT + SIZES.gap;
    return { ...box, loadBalancer };
  });
  const zonesY = y;
  y += 28;
  const tiers = (["public", "private"] as const).flatMap((tier): readonly TierBand[] => {
    const subnets = topology.subnets.filter((each) => each.tier === tier);
    if (subnets.length === 0) {
      return [];
    }
    const bandY = y;
    y += 30;
    const rows = groups
      .filter((group) => group.tier === tier)
      .map((group) => {
        const height = rowHeight(group, zones);
        const row = { x: gridX, y, width: gridWidth, height, group };
        y += height + SIZES.gap;
        return row;
      });
    const band = { x: gridX, y: bandY, width: gridWidth, height: y - bandY, tier, rows };
    y += SIZES.gap;
    return [band];
  });
  const network = {
    x: SIZES.margin,
    y: networkY,
    width: networkWidth,
    height: y - networkY,
  };
  const zoneBoxes = zones.map((name, index) => ({
    name,
    ...span(gridX, [index, index]),
    y: zonesY,
    height: y - zonesY - SIZES.gap / 2,
  }));

  const barX = network.x + network.width + SIZES.gap;
  const bars = parties.map((party): PartyBar => {
    const places: readonly Box[] = [
      ...outside.filter((each) => each.party === party),
      ...balancers.filter((each) => each.loadBalancer.party === party.id),
      ...tiers.flatMap(({ rows }) => rows).filter(({ group }) => group.party === party.id),
    ];
    const top = Math.min(...places.map((place) => place.y));
    const bottom = Math.max(...places.map((place) => place.y + place.height));
    return { party, x: barX, y: top, width: 6, height: bottom - top };
  });
  const arrows = layArrows(flows, bars);
  const lanes = arrows.reduce((most, { laneX }) => Math.max(most, laneX), barX);
  const legendY = y + 2 * SIZES.gap;
  const lines = layLegend(arrows, legendY + 34);
  const lastLine = lines.at(-1);
  const linesEnd = lastLine === undefined ? legendY : lastLine.y + lastLine.height;
  const outbound = layOutbound(topology, linesEnd + SIZES.line);
  return {
    width: lanes + SIZES.lane + SIZES.margin,
    height: (outbound.at(-1)?.y ?? linesEnd) + SIZES.line + SIZES.margin,
    network,
    zones: zoneBoxes,
    outside,
    loadBalancers: balancers,
    tiers,
    bars,
    arrows,
    legend: { y: legendY, lines, outbound },
  };
}

/** The position of a zone's column within a row. */
export function columnOf(zone: string, zones: readonly string[], gridX: number): Box {
  return { ...span(gridX, columnsOf([zone], zones)), y: 0, height: 0 };
}

function span(gridX: number, [first, last]: readonly [number, number]) {
  const step = SIZES.zone + SIZES.gap;
  return { x: gridX + first * step, width: (last - first + 1) * step - SIZES.gap };
}

function columnsOf(wanted: readonly string[], zones: readonly string[]): readonly [number, number] {
  const positions = wanted.map((zone) => zones.indexOf(zone)).filter((index) => index >= 0);
  return positions.length === 0
    ? [0, Math.max(0, zones.length - 1)]
    : [Math.min(...positions), Math.max(...positions)];
}

function rowHeight({ machines, scaling }: MachineGroup, zones: readonly string[]): number {
  const inOneZone = zones.map((zone) => machines.filter((each) => each.zone === zone).length);
  const cards = Math.max(1, ...inOneZone) * (SIZES.card + SIZES.cardGap) - SIZES.cardGap;
  return scaling.length === 0 ? cards : cards + SCALING_FRAME;
}

function purposesOf(range: string, flows: readonly Flow[]): string {
  const all = flows.filter(({ from }) => from === range).flatMap(({ ports }) => ports);
  return [...new Set(all.map(({ why }) => why))].join(", ");
}

/** Shorter arrows get inner lanes. Each arrow begins and ends at its own position. */
function layArrows(flows: readonly Flow[], bars: readonly PartyBar[]): readonly Arrow[] {
  const known = flows.flatMap((flow) => {
    const from = bars.find(({ party }) => party.id === flow.from);
    const to = bars.find(({ party }) => party.id === flow.to);
    return from === undefined || to === undefined ? [] : [{ flow, from, to }];
  });
  const order = (bar: PartyBar) => bars.indexOf(bar);
  const length = ({ from, to }: (typeof known)[number]) =>
    Math.abs(from.y + from.height / 2 - to.y - to.height / 2);
  const numbered = [...known].sort(
    (one, other) => order(one.from) - order(other.from) || order(one.to) - order(other.to),
  );
  const inLanes = [...numbered].sort((one, other) => length(one) - length(other));
  const lane = (each: (typeof known)[number]) => inLanes.indexOf(each);
  // Arrows from above end at the top, the innermost first; arrows down begin at the bottom, the
  // outermost first. So they cross least.
  const endsAt = (bar: PartyBar) => {
    const all = numbered.flatMap((each) => [
      ...(each.from === bar ? [{ each, isStart: true, other: each.to }] : []),
      ...(each.to === bar ? [{ each, isStart: false, other: each.from }] : []),
    ]);
    const side = (other: PartyBar) => Math.sign(order(other) - order(bar));
    return all.sort(
      (one, next) =>
        side(one.other) - side(next.other) ||
        (lane(next.each) - lane(one.each)) * (side(one.other) > 0 ? 1 : -1),
    );
  };
  const place = (bar: PartyBar, arrow: (typeof known)[number], isStart: boolean) => {
    const ends = endsAt(bar);
    const position = ends.findIndex((end) => end.each === arrow && end.isStart === isStart);
    return bar.y + (bar.height * (position + 1)) / (ends.length + 1);
  };
  return numbered.map((each, index) => ({
    number: index + 1,
    flow: each.flow,
    fromLabel: each.from.party.label,
    toLabel: each.to.party.label,
    fromY: place(each.from, each, true),
    toY: place(each.to, each, false),
    laneX: each.from.x + 30 + lane(each) * SIZES.lane,
  }));
}

function layLegend(arrows: readonly Arrow[], top: number): readonly LegendLine[] {
  let y = top;
  return arrows.map((arrow) => {
    const texts = wrap(
      arrow.flow.ports.map(({ port, why }) => (why === "" ? port : `${port} ${why}`)),
    );
    const height = texts.length * SIZES.line + 8;
    const line = { x: SIZES.margin, y, width: 0, height, arrow, texts };
    y += height;
    return line;
  });
}

/** A line for each party and each place outside that it reaches. */
function layOutbound(topology: Topology, top: number): readonly OutboundLine[] {
  const parties = listParties(topology);
  return topology.outbound.map(({ from, to, ports }, index) => {
    const label = parties.find(({ id }) => id === from)?.label ?? from;
    return {
      y: top + (index + 1) * SIZES.line,
      label: `${label} → ${describeRange(to)}`,
      text: ports.map(({ port }) => port).join(" · "),
    };
  });
}

function wrap(parts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + part.length + 3 > LEGEND_CHARACTERS) {
      lines.push(part);
    } else {
      lines[lines.length - 1] = `${last} · ${part}`;
    }
  }
  return lines;
}
