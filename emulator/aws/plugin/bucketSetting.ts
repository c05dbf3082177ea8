import type { AwsClients } from "./awsClients";
import { unlessMissing } from "./awsErrors";
import type { Inputs } from "./inputs";
import type { PropertyTable } from "./propertyTable";
import type { ResourceKind } from "./resourceKind";
import type { Values } from "./value";
import { text, type ValueRule } from "./valueRules";

/** A bucket's name, as some of its settings judge it. */
export const bucketName: ValueRule = text(1, 63);

/** One setting of a bucket, which AWS reads and writes as a whole. */
export interface BucketSetting {
  readonly type: string;
  readonly title: string;
  /** Properties of the setting, without the bucket's name. */
  readonly inputs: PropertyTable;
  /** What the provider demands of the bucket's name. Default: nothing. */
  readonly nameRule?: ValueRule;
  /** AWS' error codes for a bucket without the setting, besides `NoSuchBucket`. */
  readonly missing: readonly string[];
  readonly put: (aws: AwsClients, bucket: string, inputs: Inputs) => Promise<unknown>;
  /** The live setting. Undefined when there is none. */
  readonly get: (aws: AwsClients, bucket: string) => Promise<Values | undefined>;
  readonly remove: (aws: AwsClients, bucket: string) => Promise<unknown>;
}

/** The resource kind of a bucket's setting. Its id is the bucket's name. */
export function bucketSetting(setting: BucketSetting): ResourceKind {
  const { type, title, inputs, nameRule, missing, put, get, remove } = setting;
  const codes = ["NoSuchBucket", ...missing];
  return {
    type,
    title,
    regional: true,
    inputs: {
      bucket: {
        type: "string",
        required: true,
        replaces: true,
        ...(nameRule && { rule: nameRule }),
      },
      ...inputs,
    },
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
