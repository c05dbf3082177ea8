import {
  type InstanceTypeOffering,
  type LocationType,
  paginateDescribeInstanceTypeOfferings,
} from "@aws-sdk/client-ec2";
import type { FunctionKind } from "../functionKind";
import { filtersProperty, toFilters } from "./search";

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
