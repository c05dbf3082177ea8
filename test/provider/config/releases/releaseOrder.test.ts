import fc from "fast-check";
import {
  type Minors,
  orderReleases,
  type Releases,
  stepsBetween,
} from "../../../../provider/config/releases/releaseOrder";
import {
  supportByTalosMinor,
  type SupportTable,
} from "../../../../provider/config/releases/supportTable";
import { expectDocumented } from "../../../documented";

const releases = ({ talos, kubernetes }: Minors): Releases => ({
  talos: `v1.${talos}.1`,
  kubernetes: `v1.${kubernetes}.0`,
});

const runs = (table: SupportTable, { talos, kubernetes }: Minors) => {
  const support = table.get(`1.${talos}`);
  return (
    support !== undefined && kubernetes >= support.oldestMinor && kubernetes <= support.newestMinor
  );
};

/** Every pair that a table supports. */
const pairsOf = (table: SupportTable): Minors[] =>
  [...table].flatMap(([name, { oldestMinor, newestMinor }]) =>
    Array.from({ length: newestMinor - oldestMinor + 1 }, (_, index) => ({
      talos: Number(name.slice(2)),
      kubernetes: oldestMinor + index,
    })),
  );

const combinations = (table: SupportTable) =>
  pairsOf(table).flatMap((from) => pairsOf(table).map((to) => [from, to] as const));

/** Takes an order step by step: is each pair on the way supported? */
function judged(table: SupportTable, from: Minors, to: Minors): void {
  const talosFirst = runs(table, { ...from, talos: to.talos });
  const kubernetesFirst = runs(table, { ...from, kubernetes: to.kubernetes });
  const order = orderReleases(releases(from), releases(to), table);
  const expected = talosFirst
    ? kubernetesFirst
      ? { first: "either" }
      : { first: "talos" }
    : kubernetesFirst
      ? { first: "kubernetes" }
      : { refusal: expect.stringContaining("so neither can change first") as string };
  expect(order).toEqual(expected);
}

/** Updates one after another: may each be made, and is there no shorter way? */
function walked(table: SupportTable, from: Minors, to: Minors): void {
  const steps = stepsBetween(releases(from), releases(to), table);
  const distance = Math.max(
    Math.abs(to.talos - from.talos),
    Math.abs(to.kubernetes - from.kubernetes),
  );
  if (steps.length === 0) {
    return;
  }
  expect(steps.at(-1)).toEqual(to);
  expect(steps.length).toBeGreaterThanOrEqual(distance);
  let before = from;
  for (const step of steps) {
    expect(Math.abs(step.talos - before.talos)).toBeLessThanOrEqual(1);
    expect(Math.abs(step.kubernetes - before.kubernetes)).toBeLessThanOrEqual(1);
    expect(runs(table, step)).toBe(true);
    expect(orderReleases(releases(before), releases(step), table)).toHaveProperty("first");
    before = step;
  }
}

describe("the order of Talos and Kubernetes", () => {
  it("keeps every pair of the support table supported on the way to every other", () => {
    const all = combinations(supportByTalosMinor);
    expect(all.length).toBeGreaterThan(500);
    for (const [from, to] of all) {
      judged(supportByTalosMinor, from, to);
      walked(supportByTalosMinor, from, to);
    }
  });

  it("exists for every change by one minor of each, there and back", () => {
    const opposite = { talos: "kubernetes", kubernetes: "talos", either: "either" };
    const near = combinations(supportByTalosMinor).filter(
      ([from, to]) =>
        Math.abs(from.talos - to.talos) <= 1 && Math.abs(from.kubernetes - to.kubernetes) <= 1,
    );
    const seen = new Set<string>();
    for (const [from, to] of near) {
      const there = orderReleases(releases(from), releases(to));
      const back = orderReleases(releases(to), releases(from));
      if (!("first" in there)) {
        throw new Error(there.refusal);
      }
      seen.add(there.first);
      expect(back).toEqual({ first: opposite[there.first] });
    }
    expect([...seen].sort()).toEqual(["either", "kubernetes", "talos"]);
  });

  it("leads from every pair of the table to every other, in updates of one minor each", () => {
    for (const [from, to] of combinations(supportByTalosMinor)) {
      const isSame = from.talos === to.talos && from.kubernetes === to.kubernetes;
      expect(stepsBetween(releases(from), releases(to)).length > 0 || isSame).toBe(true);
    }
  });

  it("is the same for tables that no release had", () => {
    const range = fc.tuple(fc.integer({ min: 28, max: 40 }), fc.integer({ min: 0, max: 6 }));
    const tables = fc
      .array(range, { minLength: 1, maxLength: 5 })
      .map(
        (ranges): SupportTable =>
          new Map(
            ranges.map(([oldestMinor, more], index) => [
              `1.${10 + index}`,
              { oldestMinor, newestMinor: oldestMinor + more },
            ]),
          ),
      );
    fc.assert(
      fc.property(tables, fc.nat(), fc.nat(), (table, one, other) => {
        const pairs = pairsOf(table);
        const [from, to] = [pairs[one % pairs.length], pairs[other % pairs.length]];
        if (from === undefined || to === undefined) {
          throw new Error("the table is empty");
        }
        judged(table, from, to);
        walked(table, from, to);
      }),
    );
  });

  it.each([
    ["v1.12.1", "v1.35.0", "v1.13.0", "v1.36.0", "talos"],
    ["v1.13.0", "v1.36.0", "v1.12.1", "v1.35.0", "kubernetes"],
    ["v1.12.1", "v1.30.4", "v1.13.0", "v1.31.0", "kubernetes"],
    ["v1.12.1", "v1.34.0", "v1.13.0", "v1.35.0", "either"],
    ["v1.12.1", "v1.35.0", "v1.13.0", "v1.35.0", "either"],
    ["v1.98.0", "v1.35.0", "v1.99.0", "v1.99.0", "either"],
    ["v1.12.1", "banana", "v1.13.0", "v1.36.0", "talos"],
  ])("from %s with %s to %s with %s: %s first", (talos, kubernetes, nextTalos, next, first) => {
    expect(orderReleases({ talos, kubernetes }, { talos: nextTalos, kubernetes: next })).toEqual({
      first,
    });
  });

  it("names the releases between, if neither can change first", () => {
    const order = orderReleases(
      { talos: "v1.12.1", kubernetes: "v1.30.0" },
      { talos: "v1.13.0", kubernetes: "v1.36.0" },
    );
    if (!("refusal" in order)) {
      throw new Error(order.first);
    }
    expectDocumented("upgrades.md", order.refusal);
  });

  it("says so if there are no releases between", () => {
    const table = new Map([
      ["1.12", { oldestMinor: 30, newestMinor: 31 }],
      ["1.13", { oldestMinor: 40, newestMinor: 41 }],
    ]);
    const [from, to] = [
      releases({ talos: 12, kubernetes: 30 }),
      releases({ talos: 13, kubernetes: 40 }),
    ];
    expect(orderReleases(from, to, table)).toEqual({
      refusal:
        "Talos v1.13.1 does not run Kubernetes v1.30.0, and Talos v1.12.1 does not run Kubernetes v1.40.0, so neither can change first, and no releases between them are known: make another cluster",
    });
  });
});
