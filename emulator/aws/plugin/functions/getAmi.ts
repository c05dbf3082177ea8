import type { FunctionKind } from "../functionKind";
import { fromTagList } from "../tags";
import { findImages, imageSearch } from "./findImages";

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
