import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { given } from "../valueRules";

const MISSING = ["NoSuchBucket", "NoSuchKey", "NotFound"];

/**
 * `aws.s3.BucketObjectv2`, with given text. Like the real provider, a refresh doesn't read the
 * text.
 */
export const bucketObject: ResourceKind = {
  type: "aws:s3/bucketObjectv2:BucketObjectv2",
  title: "object in a bucket",
  regional: true,
  inputs: {
    bucket: { type: "string", required: true, replaces: true, rule: given },
    key: { type: "string", required: true, replaces: true, rule: given },
    content: { type: "string" },
    contentType: { type: "string", computed: true },
    cacheControl: { type: "string" },
  },
  outputs: ["arn", "etag"],

  create: async (context, inputs) => {
    await put(context, inputs);
    return `${inputs.requiredString("bucket")}/${inputs.requiredString("key")}`;
  },

  read: async ({ aws }, id, state) => {
    const { Bucket, Key } = parts(id);
    const live = await unlessMissing(MISSING, () =>
      aws.s3.send(new HeadObjectCommand({ Bucket, Key })),
    );
    return (
      live && {
        arn: `arn:aws:s3:::${Bucket}/${Key}`,
        bucket: Bucket,
        key: Key,
        content: state.string("content") ?? null,
        contentType: live.ContentType ?? "",
        cacheControl: live.CacheControl ?? null,
        etag: (live.ETag ?? "").replaceAll('"', ""),
      }
    );
  },

  update: (context, _id, { news }) => put(context, news),

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () => aws.s3.send(new DeleteObjectCommand(parts(id))));
  },
};

async function put({ aws }: OperationContext, inputs: Inputs): Promise<void> {
  await aws.s3.send(
    new PutObjectCommand({
      Bucket: inputs.requiredString("bucket"),
      Key: inputs.requiredString("key"),
      Body: inputs.string("content") ?? "",
      ContentType: inputs.string("contentType"),
      CacheControl: inputs.string("cacheControl"),
    }),
  );
}

/** A bucket's name contains no slash. */
function parts(id: string): { Bucket: string; Key: string } {
  const [Bucket = "", ...key] = id.split("/");
  return { Bucket, Key: key.join("/") };
}
