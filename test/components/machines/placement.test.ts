import {
  type CapacityReservationArgs,
  checkPlacement,
  type PlacedMachines,
  reservationOf,
} from "../../../components/machines/placement";

const id = "cr-0123456789abcdef0";
const resourceGroupArn = "arn:aws:resource-groups:us-east-1:123456789012:group/reserved";
const problems = (change: Partial<PlacedMachines>) =>
  checkPlacement({ count: 3, zoneKeys: ["us-east-1a"], ...change }).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

describe("where AWS places machines, and what capacity they use", () => {
  it("can be a group and a reservation that the machines fit in", () => {
    expect(problems({})).toEqual([]);
    const zoneKeys = ["us-east-1a", "us-east-1b"];
    expect(problems({ placementGroup: { strategy: "cluster" } })).toEqual([]);
    expect(
      problems({ placementGroup: { strategy: "spread" }, instanceTypes: ["t3.large"] }),
    ).toEqual([]);
    expect(problems({ placementGroup: { strategy: "spread" }, zoneKeys, count: 14 })).toEqual([]);
    expect(
      problems({ placementGroup: { strategy: "partition", partitions: 7 }, zoneKeys, count: 99 }),
    ).toEqual([]);
    expect(problems({ capacityReservation: { id } })).toEqual([]);
    expect(problems({ capacityReservation: { resourceGroupArn }, zoneKeys })).toEqual([]);
    const none = { capacityReservation: { preference: "none" as const } };
    expect(problems({ ...none, zoneKeys, typesVary: "they do" })).toEqual([]);
  });

  it.each<[string, Partial<PlacedMachines>, RegExp]>([
    [
      "machines close together in two zones",
      { placementGroup: { strategy: "cluster" }, zoneKeys: ["a", "b"] },
      /^placementGroup.strategy: .*in one zone, and these machines are in a, b: set the pool's zones/,
    ],
    [
      "burstable machines close together",
      { placementGroup: { strategy: "cluster" }, instanceTypes: ["m6i.large", "t3.large"] },
      /^placementGroup.strategy: .*no burstable machines, and these may be "t3.large": take a type/,
    ],
    [
      "more machines apart than hardware",
      { placementGroup: { strategy: "spread" }, count: 8 },
      /^placementGroup.strategy: .*so 7 here, and the pool has up to 8: take fewer machines/,
    ],
    [
      "partitions of a group without",
      { placementGroup: { strategy: "spread", partitions: 2 } },
      /^placementGroup.partitions: .*has none: leave it out/,
    ],
    [
      "too many partitions",
      { placementGroup: { strategy: "partition", partitions: 8 } },
      /^placementGroup.partitions: 8 is not allowed/,
    ],
    [
      "two reservations",
      { capacityReservation: { id, resourceGroupArn } },
      /^capacityReservation: it needs exactly one of .*has id and resourceGroupArn/,
    ],
    ["no reservation", { capacityReservation: {} }, /^capacityReservation: .*has none/],
    ["no id", { capacityReservation: { id: "mine" } }, /^capacityReservation.id: "mine" is no id/],
    [
      "no group",
      { capacityReservation: { resourceGroupArn: "mine" } },
      /^capacityReservation.resourceGroupArn: "mine" is no ARN/,
    ],
    [
      "a reservation in two zones",
      { capacityReservation: { id }, zoneKeys: ["a", "b"] },
      /^capacityReservation.id: a reservation is for one zone, and these machines are in a, b/,
    ],
    [
      "a reservation of several types",
      { capacityReservation: { id }, typesVary: "moreInstanceTypes name others" },
      /^capacityReservation: .*at full price, and moreInstanceTypes name others: leave out one/,
    ],
  ])("refuses %s", (_what, change, reason) => {
    expect(problems(change)).toEqual([expect.stringMatching(reason)]);
  });

  it.each<[CapacityReservationArgs, object]>([
    [{ id }, { capacityReservationTarget: { capacityReservationId: id } }],
    [
      { resourceGroupArn },
      { capacityReservationTarget: { capacityReservationResourceGroupArn: resourceGroupArn } },
    ],
    [{ preference: "none" }, { capacityReservationPreference: "none" }],
  ])("has EC2's words for %o", (given, words) => {
    expect(reservationOf(given)).toEqual(words);
  });
});
