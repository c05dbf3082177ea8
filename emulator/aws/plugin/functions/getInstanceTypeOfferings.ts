import {
  type _InstanceType,
  DescribeAvailabilityZonesCommand,
  type EC2Client,
  type InstanceTypeOffering,
  type LocationType,
  paginateDescribeInstanceTypeOfferings,
} from "@aws-sdk/client-ec2";
import type { FunctionKind } from "../functionKind";
import type { Inputs } from "../inputs";
import { filtersProperty, toFilters } from "./search";

/** Types newer than moto's list. They count as available in every zone. */
async function offeredEverywhere(
  ec2: EC2Client,
  inputs: Inputs,
  found: readonly InstanceTypeOffering[],
): Promise<InstanceTypeOffering[]> {
  const known = new Set(found.map(({ InstanceType }) => InstanceType));
  const asked = toFilters(inputs).find(({ Name }) => Name === "instance-type")?.Values ?? [];
  const strange = asked.filter((type) => !known.has(type as _InstanceType));
  const { AvailabilityZones = [] } =
    strange.length === 0 ? {} : await ec2.send(new DescribeAvailabilityZonesCommand({}));
  return strange.flatMap((type) =>
    AvailabilityZones.map(({ ZoneName }) => ({
      InstanceType: type as _InstanceType,
      Location: ZoneName,
      LocationType: "availability-zone" as const,
    })),
  );
}

/** `aws.ec2.getInstanceTypeOfferings`: lists of types and their locations, by position. */
export const getInstanceTypeOfferings: FunctionKind = {
  token: "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings",
  inputs: { filters: filtersProperty, locationType: { type: "string" } },
  invoke: async ({ aws, region }, inputs) => {
    const LocationType = (inputs.string("locationType") ?? "region") as LocationType;
    const pages = paginateDescribeInstanceTypeOfferings(
      { client: aws.ec2 },
      { LocationType, Filters: toFilters(inputs) },
    );
    const found: InstanceTypeOffering[] = [];
    for await (const { InstanceTypeOfferings = [] } of pages) {
      found.push(...InstanceTypeOfferings);
    }
    if (LocationType === "availability-zone") {
      found.push(...(await offeredEverywhere(aws.ec2, inputs, found)));
    }
    return {
      id: region,
      region,
      ...inputs.values,
      instanceTypes: found.map(({ InstanceType }) => InstanceType ?? ""),
      locations: found.map(({ Location }) => Location ?? ""),
      locationTypes: found.map((offering) => offering.LocationType ?? ""),
    };
  },
};
