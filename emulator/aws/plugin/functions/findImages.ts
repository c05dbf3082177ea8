import { DescribeImagesCommand, type Image } from "@aws-sdk/client-ec2";
import type { AwsClients } from "../awsClients";
import type { Inputs } from "../inputs";
import type { PropertyTable } from "../propertyTable";
import { filtersProperty, toFilters } from "./filters";

/** What images are searched by. */
export const imageSearch: PropertyTable = {
  region: { type: "string" },
  executableUsers: { type: "strings" },
  filters: filtersProperty,
  nameRegex: { type: "string" },
  includeDeprecated: { type: "boolean" },
};

/** The images that match, newest first. */
export async function findImages({ ec2 }: AwsClients, inputs: Inputs): Promise<Image[]> {
  const Filters = toFilters(inputs);
  const { Images } = await ec2.send(
    new DescribeImagesCommand({
      Owners: inputs.strings("owners"),
      ExecutableUsers: inputs.strings("executableUsers"),
      Filters: Filters.length === 0 ? undefined : Filters,
    }),
  );
  const regex = inputs.string("nameRegex");
  return (Images ?? [])
    .filter(({ Name }) => regex === undefined || new RegExp(regex).test(Name ?? ""))
    .sort((a, b) => (b.CreationDate ?? "").localeCompare(a.CreationDate ?? ""));
}
