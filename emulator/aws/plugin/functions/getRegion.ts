import type { FunctionKind } from "../functionKind";

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
