import { DescribeImagesCommand } from "@aws-sdk/client-ec2";
import type { FunctionKind } from "../functionKind";
import { filtersProperty, toFilters } from "./filters";

/** `aws.ec2.getAmiIds`: newest first, unless `sortAscending`. */
export const getAmiIds: FunctionKind = {
  token: "aws:ec2/getAmiIds:getAmiIds",
  inputs: {
    region: { type: "string" },
    owners: { type: "strings", required: true },
    executableUsers: { type: "strings" },
    filters: filtersProperty,
    nameRegex: { type: "string" },
    sortAscending: { type: "boolean" },
    includeDeprecated: { type: "boolean" },
  },
  invoke: async ({ aws, region }, inputs) => {
    const Filters = toFilters(inputs);
    const { Images } = await aws.ec2.send(
      new DescribeImagesCommand({
        Owners: inputs.strings("owners"),
        ExecutableUsers: inputs.strings("executableUsers"),
        Filters: Filters.length === 0 ? undefined : Filters,
      }),
    );
    const regex = inputs.string("nameRegex");
    const direction = inputs.boolean("sortAscending") === true ? 1 : -1;
    const ids = (Images ?? [])
      .filter(({ Name }) => regex === undefined || new RegExp(regex).test(Name ?? ""))
      .sort((a, b) => direction * (a.CreationDate ?? "").localeCompare(b.CreationDate ?? ""))
      .map(({ ImageId }) => ImageId ?? "");
    return { id: region, region, ids, ...inputs.values };
  },
};
