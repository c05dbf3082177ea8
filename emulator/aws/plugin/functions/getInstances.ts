import { type Instance, paginateDescribeInstances } from "@aws-sdk/client-ec2";
import type { FunctionKind } from "../functionKind";
import { filtersProperty, toFilters } from "./search";

/**
 * `aws.ec2.getInstances`, by filters; only running ones unless states are given. An empty result is
 * no error.
 */
export const getInstances: FunctionKind = {
  token: "aws:ec2/getInstances:getInstances",
  inputs: {
    filters: filtersProperty,
    instanceStateNames: { type: "strings" },
    region: { type: "string" },
  },
  invoke: async ({ aws, region }, inputs) => {
    const states = inputs.strings("instanceStateNames") ?? ["running"];
    const pages = paginateDescribeInstances(
      { client: aws.ec2 },
      { Filters: [...toFilters(inputs), { Name: "instance-state-name", Values: [...states] }] },
    );
    const found: Instance[] = [];
    for await (const { Reservations = [] } of pages) {
      found.push(...Reservations.flatMap(({ Instances }) => Instances ?? []));
    }
    return {
      id: region,
      region,
      ...inputs.values,
      ids: found.map(({ InstanceId }) => InstanceId ?? ""),
      privateIps: found.flatMap(({ PrivateIpAddress }) => PrivateIpAddress ?? []),
      publicIps: found.flatMap(({ PublicIpAddress }) => PublicIpAddress ?? []),
      ipv6Addresses: [],
    };
  },
};
