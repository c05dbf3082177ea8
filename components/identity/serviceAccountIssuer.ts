import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { JsonWebKeySet } from "../../provider";
import { bucketNameProblem } from "../nameRules";
import { misspeltArguments, refuse } from "../problems";
import {
  AWS_AUDIENCE,
  DISCOVERY_PATH,
  discoveryDocument,
  issuerUrl,
  KEYS_PATH,
  planIssuerBucketPolicy,
} from "./planIssuer";

/** Arguments of `ServiceAccountIssuer`. */
export interface ServiceAccountIssuerArgs {
  /** Name of the bucket; see `IssuerBucketArgs`. */
  readonly bucketName: string;
  /** The public keys of the cluster's service account tokens. */
  readonly keySet: pulumi.Input<JsonWebKeySet>;
  /** Pulumi refuses to delete or replace the bucket. Default: false. */
  readonly protect?: boolean;
  /** Additional tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

const TYPE = "talos-aws:index:ServiceAccountIssuer";

/**
 * Makes AWS trust the service account tokens of a cluster: a bucket with two public documents (OIDC
 * discovery and public keys) and an IAM OIDC provider that refers to it. The documents contain no
 * secret. An account that blocks public access to all buckets must exempt this one.
 *
 * Costs a few cents a month: AWS reads the documents from time to time.
 *
 * @throws pulumi.InputPropertiesError if no bucket can have the name
 */
export class ServiceAccountIssuer extends pulumi.ComponentResource {
  /** URL of the issuer, as tokens contain it. */
  readonly url: pulumi.Output<string>;
  /** URL of the public keys. */
  readonly keysUrl: pulumi.Output<string>;
  /** ARN of the IAM OIDC provider, for trust policies. */
  readonly providerArn: pulumi.Output<string>;

  constructor(
    name: string,
    args: ServiceAccountIssuerArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    const { bucketName, protect = false } = args;
    const reason = bucketNameProblem(bucketName);
    refuse(`the issuer "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...(reason ? [{ property: "bucketName", reason }] : []),
    ]);
    super(TYPE, name, {}, opts);
    const child = { parent: this };
    const tags = pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more }));
    const { region } = aws.getRegionOutput({}, child);
    // Known before the bucket exists, so that a preview knows the machines' configuration.
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
    // IAM reads the documents when the provider is created.
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
