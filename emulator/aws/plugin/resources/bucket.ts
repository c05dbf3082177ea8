import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectCommand,
  GetBucketTaggingCommand,
  HeadBucketCommand,
  ListObjectVersionsCommand,
  PutBucketTaggingCommand,
} from "@aws-sdk/client-s3";
import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";
import { text, SUFFIX_LENGTH } from "../valueRules";

const MISSING = ["NoSuchBucket", "NotFound"];

/** Directory buckets have a type of their own. */
const NAME = { matches: /^(?!.*--x-s3$)/, expected: "that is no directory bucket's" };

/** `aws.s3.Bucket`; its settings are separate resources (`aws.s3.BucketVersioning`, …). */
export const bucket: ResourceKind = {
  type: "aws:s3/bucket:Bucket",
  title: "bucket",
  regional: true,
  autoname: { maxLength: 63, property: "bucket", lowerCase: true },
  inputs: {
    bucket: { type: "string", computed: true, replaces: true, rule: text(0, 63, NAME) },
    bucketPrefix: {
      type: "string",
      computed: true,
      replaces: true,
      conflictsWith: ["bucket"],
      rule: text(0, 63 - SUFFIX_LENGTH),
    },
    forceDestroy: { type: "boolean", default: false },
  },
  outputs: ["arn", "bucketDomainName", "bucketRegionalDomainName", "tagsAll"],
  tagging: {
    change: async (context, id, { set, remove }) => {
      const kept = Object.entries(await tagsOf(context, id)).filter(
        ([key]) => !remove.includes(key),
      );
      await setTags(context, id, { ...Object.fromEntries(kept), ...set });
    },
  },

  create: async (context, inputs) => {
    const { aws, region } = context;
    const Bucket = chosenName(inputs, { property: "bucket" });
    await aws.s3.send(
      new CreateBucketCommand({
        Bucket,
        // S3 accepts no location constraint for us-east-1.
        ...(region !== "us-east-1" && {
          CreateBucketConfiguration: { LocationConstraint: region as BucketLocationConstraint },
        }),
      }),
    );
    return afterCreate(Bucket, () => setTags(context, Bucket, context.tagsOf(inputs)));
  },

  read: async (context, id) => {
    const { aws, region } = context;
    const found = await unlessMissing(MISSING, () =>
      aws.s3.send(new HeadBucketCommand({ Bucket: id })),
    );
    return (
      found && {
        bucket: id,
        arn: `arn:aws:s3:::${id}`,
        bucketDomainName: `${id}.s3.amazonaws.com`,
        bucketRegionalDomainName: `${id}.s3.${region}.amazonaws.com`,
        tagsAll: await tagsOf(context, id),
      }
    );
  },

  delete: async (context, id, state) => {
    await unlessMissing(MISSING, async () => {
      if (state.boolean("forceDestroy") === true) {
        await empty(context, id);
      }
      await context.aws.s3.send(new DeleteBucketCommand({ Bucket: id }));
    });
  },
};

async function empty({ aws }: OperationContext, Bucket: string): Promise<void> {
  for (;;) {
    const page = await aws.s3.send(new ListObjectVersionsCommand({ Bucket }));
    const all = [...(page.DeleteMarkers ?? []), ...(page.Versions ?? [])];
    for (const { Key, VersionId } of all) {
      await aws.s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    }
    if (all.length === 0) {
      return;
    }
  }
}

async function tagsOf({ aws }: OperationContext, Bucket: string): Promise<Record<string, string>> {
  const found = await unlessMissing(["NoSuchTagSet"], () =>
    aws.s3.send(new GetBucketTaggingCommand({ Bucket })),
  );
  return fromTagList(found?.TagSet);
}

/** S3 replaces all tags of a bucket at once. */
async function setTags(
  { aws }: OperationContext,
  Bucket: string,
  tags: Record<string, string>,
): Promise<void> {
  const TagSet = toTagList(tags);
  await (TagSet.length === 0
    ? aws.s3.send(new DeleteBucketTaggingCommand({ Bucket }))
    : aws.s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } })));
}
