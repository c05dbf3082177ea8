import type { FunctionKind } from "../functionKind";
import { findImages, imageSearch } from "./findImages";

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
