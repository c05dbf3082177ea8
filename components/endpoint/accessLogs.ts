import type * as pulumi from "@pulumi/pulumi";
import type { PropertyProblem } from "../problems";
import type { IngressListenerArgs } from "./ingressListeners";

/** AWS writes below this folder itself, so a prefix can't contain it. */
const LOG_FOLDER = "AWSLogs";

/** Where a load balancer's access logs go. */
export interface AccessLogsArgs {
  /**
   * Name of a bucket in the same region, encrypted with S3's own key or a KMS key of yours. Its policy must
   * let `delivery.logs.amazonaws.com` use `s3:GetBucketAcl` and `s3:PutObject`; otherwise AWS refuses the
   * logs. You pay for its storage.
   */
  readonly bucketName: pulumi.Input<string>;
  /** The folder in the bucket. Default: the bucket itself. */
  readonly prefix?: string;
}

/**
 * Access logs in the terms of Elastic Load Balancing. None are said too: the AWS provider leaves those
 * of before on when the block is missing (terraform-provider-aws v6, `elbv2/load_balancer.go`,
 * `SuppressMissingOptionalConfigurationBlock`).
 */
export function planAccessLogs(accessLogs: AccessLogsArgs | undefined) {
  if (accessLogs === undefined) {
    return { bucket: "", enabled: false };
  }
  const { bucketName, prefix = "" } = accessLogs;
  return { bucket: bucketName, enabled: true, prefix };
}

/**
 * All problems of access logs. Source: Elastic Load Balancing guide, "Access logs for your Network Load
 * Balancer".
 */
export function checkAccessLogs(
  accessLogs: AccessLogsArgs | undefined,
  listeners: Readonly<Record<string, IngressListenerArgs>>,
): PropertyProblem[] {
  if (accessLogs === undefined) {
    return [];
  }
  const { bucketName, prefix } = accessLogs;
  const reasons = {
    bucketName: [
      Object.values(listeners).some(({ certificateArn }) => certificateArn !== undefined)
        ? undefined
        : `AWS logs only TLS connections, and TLS ends in the cluster at each of these listeners: set a listener's certificateArn, leave this out, or take network.flowLogs for all connections`,
      typeof bucketName === "string" ? bucketProblem(bucketName) : undefined,
    ],
    prefix: [prefix === undefined ? undefined : prefixProblem(prefix)],
  };
  return Object.entries(reasons).flatMap(([property, each]) =>
    each.flatMap((reason) => (reason === undefined ? [] : [{ property, reason }])),
  );
}

/** An existing bucket may have an older name than new ones can. */
function bucketProblem(name: string): string | undefined {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)
    ? undefined
    : `"${name}" is no name of a bucket: write it without "s3://" and without a folder`;
}

function prefixProblem(prefix: string): string | undefined {
  const isFolder = /^[^/](.*[^/])?$/.test(prefix) && !prefix.includes(LOG_FOLDER);
  return isFolder
    ? undefined
    : `"${prefix}" is no folder for logs: write it without "/" at its ends and without "${LOG_FOLDER}", as in "ingress/web"`;
}
