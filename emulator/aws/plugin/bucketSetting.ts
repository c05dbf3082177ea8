import { unlessMissing } from "./awsErrors";
import type { AwsClients } from "./awsClients";
import type { Inputs } from "./inputs";
import type { PropertyTable } from "./propertyTable";
import type { ResourceKind } from "./resourceKind";
import type { Values } from "./value";

/** One thing that is said of a bucket as a whole, which AWS takes and tells as a whole. */
export interface BucketSetting {
  readonly type: string;
  readonly title: string;
  /** What is said, without the name of the bucket. */
  readonly inputs: PropertyTable;
  /** Codes by which AWS says that nothing is said of the bucket; `NoSuchBucket` is one anyway. */
  readonly missing: readonly string[];
  readonly put: (aws: AwsClients, bucket: string, inputs: Inputs) => Promise<unknown>;
  /** What is said; undefined: nothing. */
  readonly get: (aws: AwsClients, bucket: string) => Promise<Values | undefined>;
  readonly remove: (aws: AwsClients, bucket: string) => Promise<unknown>;
}

/** The kind of resource that a bucket's setting is; its id is the bucket's name. */
export function bucketSetting(setting: BucketSetting): ResourceKind {
  const { type, title, inputs, missing, put, get, remove } = setting;
  const codes = ["NoSuchBucket", ...missing];
  return {
    type,
    title,
    regional: true,
    inputs: { bucket: { type: "string", required: true, replaces: true }, ...inputs },
    outputs: [],
    create: async ({ aws }, given) => {
      const bucket = given.requiredString("bucket");
      await put(aws, bucket, given);
      return bucket;
    },
    read: async ({ aws }, bucket) => {
      const live = await unlessMissing(codes, () => get(aws, bucket));
      return live && { bucket, ...live };
    },
    update: async ({ aws }, bucket, { news }) => {
      await put(aws, bucket, news);
    },
    delete: async ({ aws }, bucket) => {
      await unlessMissing(codes, () => remove(aws, bucket));
    },
  };
}
