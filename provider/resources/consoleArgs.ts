import type * as pulumi from "@pulumi/pulumi";

/** Keys for AWS. */
export interface AwsKeysArgs {
  /** The name of the keys, as in `AWS_ACCESS_KEY_ID`. */
  readonly accessKeyId: pulumi.Input<string>;
  /** What calls are signed with. Secret. */
  readonly secretAccessKey: pulumi.Input<string>;
  /** The token of keys that end. Secret. Default: none. */
  readonly sessionToken?: pulumi.Input<string | undefined>;
}

/** A role that is assumed to ask EC2. */
export interface ConsoleRoleArgs {
  /** Its ARN. */
  readonly roleArn: pulumi.Input<string>;
  /** Default: none. */
  readonly externalId?: pulumi.Input<string | undefined>;
  /** Default: `pulumi-talos-aws`. */
  readonly sessionName?: pulumi.Input<string | undefined>;
}

/**
 * Where EC2 shows what a machine prints, and as whom to ask for it. That needs `ec2:GetConsoleOutput`
 * on the instance. The components take over what Pulumi's AWS provider is given.
 */
export interface ConsoleArgs {
  /** ARN of the machine's EC2 instance: `aws.ec2.Instance.arn`. */
  readonly instanceArn: pulumi.Input<string>;
  /**
   * The profile in AWS' configuration files. Default: `AWS_PROFILE`, or what the AWS SDKs find
   * otherwise.
   */
  readonly profile?: pulumi.Input<string | undefined>;
  /** Roles to assume, each with the keys of the one before. Default: none. */
  readonly assumeRoles?: pulumi.Input<pulumi.Input<ConsoleRoleArgs>[] | undefined>;
  /** Keys for AWS. Secret. Default: those that the AWS SDKs find. */
  readonly keys?: pulumi.Input<AwsKeysArgs | undefined>;
}
