import { DescribeImagesCommand, type Image } from "@aws-sdk/client-ec2";
import type { AwsClients } from "../awsClients";
import type { FunctionKind } from "../functionKind";
import type { Inputs } from "../inputs";
import type { PropertyTable } from "../propertyTable";
import { fromTagList } from "../tags";
import { filtersProperty, toFilters } from "./search";

/** The arguments of a search for images. */
const imageSearch: PropertyTable = {
  region: { type: "string" },
  executableUsers: { type: "strings" },
  filters: filtersProperty,
  nameRegex: { type: "string" },
  includeDeprecated: { type: "boolean" },
};

/** The images that match, newest first. */
async function findImages({ ec2 }: AwsClients, inputs: Inputs): Promise<Image[]> {
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

/** `aws.ec2.getAmi` */
export const getAmi: FunctionKind = {
  token: "aws:ec2/getAmi:getAmi",
  inputs: {
    ...imageSearch,
    owners: { type: "strings" },
    mostRecent: { type: "boolean" },
    allowUnsafeFilter: { type: "boolean" },
  },
  invoke: async ({ aws, region }, inputs) => {
    const matching = await findImages(aws, inputs);
    const [image] = matching;
    if (image === undefined) {
      throw new Error(`the search for an image in ${region} gave no results: change the filters`);
    }
    if (matching.length > 1 && inputs.boolean("mostRecent") !== true) {
      throw new Error(
        `the search for an image in ${region} gave ${matching.length} results: narrow the filters, ` +
          "or set mostRecent to take the newest",
      );
    }
    return {
      id: image.ImageId ?? "",
      region,
      imageId: image.ImageId ?? "",
      arn: `arn:aws:ec2:${region}::image/${image.ImageId ?? ""}`,
      name: image.Name ?? "",
      description: image.Description ?? "",
      ownerId: image.OwnerId ?? "",
      architecture: image.Architecture ?? "",
      bootMode: image.BootMode ?? "",
      creationDate: image.CreationDate ?? "",
      enaSupport: image.EnaSupport ?? true,
      hypervisor: image.Hypervisor ?? "",
      imageLocation: image.ImageLocation ?? "",
      imageType: image.ImageType ?? "",
      imdsSupport: image.ImdsSupport ?? "v2.0",
      public: image.Public ?? false,
      rootDeviceName: image.RootDeviceName ?? "",
      rootDeviceType: image.RootDeviceType ?? "",
      state: image.State ?? "",
      virtualizationType: image.VirtualizationType ?? "",
      tags: fromTagList(image.Tags),
      ...inputs.values,
    };
  },
};

/** `aws.ec2.getAmiIds`: newest first, unless `sortAscending`. */
export const getAmiIds: FunctionKind = {
  token: "aws:ec2/getAmiIds:getAmiIds",
  inputs: {
    ...imageSearch,
    owners: { type: "strings", required: true },
    sortAscending: { type: "boolean" },
  },
  invoke: async ({ aws, region }, inputs) => {
    const newestFirst = (await findImages(aws, inputs)).map(({ ImageId }) => ImageId ?? "");
    const ids = inputs.boolean("sortAscending") === true ? newestFirst.reverse() : newestFirst;
    return { id: region, region, ids, ...inputs.values };
  },
};
