import { DescribeAvailabilityZonesCommand } from "@aws-sdk/client-ec2";
import type { FunctionKind } from "../functionKind";
import { filtersProperty, toFilters } from "./search";

/** Filters that the emulated EC2 ignores, with their value for all of its zones. */
const CONSTANT_ATTRIBUTES: Readonly<Record<string, string>> = {
  "opt-in-status": "opt-in-not-required",
  "zone-type": "availability-zone",
};

/** `aws.getAvailabilityZones` */
export const getAvailabilityZones: FunctionKind = {
  token: "aws:index/getAvailabilityZones:getAvailabilityZones",
  inputs: {
    region: { type: "string" },
    state: { type: "string" },
    allAvailabilityZones: { type: "boolean" },
    excludeNames: { type: "strings" },
    excludeZoneIds: { type: "strings" },
    filters: filtersProperty,
  },
  invoke: async ({ aws, region }, inputs) => {
    const filters = toFilters(inputs);
    const excludesAll = filters.some(({ Name, Values }) => {
      const constant = CONSTANT_ATTRIBUTES[Name];
      return constant !== undefined && !Values.includes(constant);
    });
    const Filters = filters.filter(({ Name }) => CONSTANT_ATTRIBUTES[Name] === undefined);
    const { AvailabilityZones } = await aws.ec2.send(
      new DescribeAvailabilityZonesCommand({ Filters }),
    );
    const state = inputs.string("state");
    const zones = (AvailabilityZones ?? [])
      .filter((zone) => !excludesAll && (state === undefined || zone.State === state))
      .filter((zone) => !(inputs.strings("excludeNames") ?? []).includes(zone.ZoneName ?? ""))
      .filter((zone) => !(inputs.strings("excludeZoneIds") ?? []).includes(zone.ZoneId ?? ""))
      .sort((a, b) => ((a.ZoneName ?? "") < (b.ZoneName ?? "") ? -1 : 1));
    return {
      id: region,
      region,
      names: zones.map(({ ZoneName }) => ZoneName ?? ""),
      zoneIds: zones.map(({ ZoneId }) => ZoneId ?? ""),
      groupNames: [...new Set(zones.map(({ GroupName }) => GroupName ?? region))],
      ...(state !== undefined && { state }),
    };
  },
};

/** `aws.getRegion` */
export const getRegion: FunctionKind = {
  token: "aws:index/getRegion:getRegion",
  inputs: { id: { type: "string" }, region: { type: "string" } },
  invoke: (context) =>
    Promise.resolve({
      id: context.region,
      region: context.region,
      description: context.region,
      endpoint: `ec2.${context.region}.amazonaws.com`,
    }),
};
