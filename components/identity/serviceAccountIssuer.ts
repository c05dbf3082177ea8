import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { JsonWebKeySet } from "../../provider";
import { bucketNameProblem } from "../bucketNameProblem";
import { refuse } from "../problems";
import {
  AWS_AUDIENCE,
  DISCOVERY_PATH,
  discoveryDocument,
  issuerUrl,
  KEYS_PATH,
  planIssuerBucketPolicy,
} from "./planIssuer";

export interface ServiceAccountIssuerArgs {
  /** Name of the bucket; see `IssuerBucketArgs`. */
  readonly bucketName: string;
  /** The public keys by which tokens are verified. */
  readonly keySet: pulumi.Input<JsonWebKeySet>;
  /** Pulumi refuses to delete or replace the bucket. Default: false. */
  readonly protect?: boolean;
  /** More tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * What has AWS take the tokens of a cluster's service accounts: two documents in a bucket that everybody may
 * read, which say by which public keys they are verified, and a provider in IAM that points there. No
 * secret is in them. An account that blocks public access to all its buckets has to let this one be.
 *
 * Costs cents a month: AWS reads the documents now and then.
 *
 * @throws pulumi.InputPropertiesError for a name that no bucket can have
 */
export class ServiceAccountIssuer extends pulumi.ComponentResource {
  /** The issuer that tokens name, a URL. */
  public readonly url: pulumi.Output<string>;
  /** Where the public keys are, a URL. */
  public readonly keysUrl: pulumi.Output<string>;
  /** ARN of the provider in IAM, for trust policies. */
  public readonly providerArn: pulumi.Output<string>;

  constructor(
    name: string,
    args: ServiceAccountIssuerArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    const { bucketName, protect = false } = args;
    const reason = bucketNameProblem(bucketName);
    refuse(`the issuer "${name}"`, reason ? [{ property: "bucketName", reason }] : []);
    super("talos-aws:index:ServiceAccountIssuer", name, {}, opts);
    const child = { parent: this };
    const tags = pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more }));
    const { region } = aws.getRegionOutput({}, child);
    // Known before the bucket is made, so that a preview knows the machines' configuration.
    this.url = region.apply((where) => issuerUrl(bucketName, where));
    this.keysUrl = this.url.apply((url) => `${url}/${KEYS_PATH}`);
    const { bucket, arn } = new aws.s3.Bucket(
      name,
      { bucket: bucketName, tags },
      { ...child, protect },
    );
    const open = new aws.s3.BucketPublicAccessBlock(
      name,
      {
        bucket,
        blockPublicAcls: true,
        ignorePublicAcls: true,
        blockPublicPolicy: false,
        restrictPublicBuckets: false,
      },
      child,
    );
    const policy = new aws.s3.BucketPolicy(
      name,
      { bucket, policy: arn.apply((known) => JSON.stringify(planIssuerBucketPolicy(known))) },
      { ...child, dependsOn: open },
    );
    const keySet = pulumi.output(args.keySet);
    const write = (suffix: string, key: string, content: pulumi.Output<string>) =>
      new aws.s3.BucketObjectv2(
        `${name}-${suffix}`,
        { bucket, key, content, contentType: "application/json" },
        child,
      );
    const documents = [
      write(
        "discovery",
        DISCOVERY_PATH,
        pulumi.all([this.url, keySet]).apply(([url, keys]) => discoveryDocument(url, keys)),
      ),
      write(
        "keys",
        KEYS_PATH,
        keySet.apply((keys) => JSON.stringify(keys)),
      ),
    ];
    // IAM looks at the issuer when it gets to know it.
    const provider = new aws.iam.OpenIdConnectProvider(
      name,
      { url: this.url, clientIdLists: [AWS_AUDIENCE], tags },
      { ...child, dependsOn: [policy, ...documents] },
    );
    this.providerArn = provider.arn;
    this.registerOutputs({
      url: this.url,
      keysUrl: this.keysUrl,
      providerArn: this.providerArn,
    });
  }
}
