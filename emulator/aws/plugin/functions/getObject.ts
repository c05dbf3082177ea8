import { HeadObjectCommand } from "@aws-sdk/client-s3";
import type { FunctionKind } from "../functionKind";

/** `aws.s3.getObject`, without what is in the object. */
export const getObject: FunctionKind = {
  token: "aws:s3/getObject:getObject",
  inputs: {
    bucket: { type: "string", required: true },
    key: { type: "string", required: true },
    region: { type: "string" },
  },
  invoke: async ({ aws, region }, inputs) => {
    const [Bucket, Key] = [inputs.requiredString("bucket"), inputs.requiredString("key")];
    const live = await aws.s3.send(new HeadObjectCommand({ Bucket, Key }));
    return {
      id: `${Bucket}/${Key}`,
      bucket: Bucket,
      key: Key,
      region,
      arn: `arn:aws:s3:::${Bucket}/${Key}`,
      contentLength: live.ContentLength ?? 0,
      contentType: live.ContentType ?? "",
      etag: (live.ETag ?? "").replaceAll('"', ""),
    };
  },
};
