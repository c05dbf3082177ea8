import type { PolicyConditions } from "../../components/permissions";

export interface Grant {
  /** In full, such as `ec2:CreateVpc`. */
  readonly actions: readonly string[];
  /** ARNs, which may have wildcards; `*` for actions that IAM ties to no resource. */
  readonly resources: readonly string[];
  readonly conditions?: PolicyConditions;
}

/** Where a stack's resources are. What isn't known is `*`. */
export interface AccountScope {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** What the table of permissions reads of a resource. */
export interface GrantedResource {
  readonly scope: AccountScope;
  /**
   * A text among its properties, by its path; `*` when it is unknown. A name that Pulumi made ends with `*`,
   * because a replacement gets another one.
   */
  readonly text: (property: string) => string;
  /** Whether a property is set, or will be. */
  readonly has: (property: string) => boolean;
  /** The ARNs among the texts of a property, at any depth. */
  readonly arns: (property: string) => readonly string[];
  /** Whether a field of that name in a property, at any depth, is known only later. */
  readonly hasUnknown: (property: string, field: string) => boolean;
}

/** Every grant that the real AWS plugin needs to create, read, change and delete a resource. */
export type GrantsOf = (resource: GrantedResource) => readonly Grant[];

/** The ARN of something regional. */
export function arn({ scope }: GrantedResource, service: string, path: string): string {
  return `arn:${scope.partition}:${service}:${scope.region}:${scope.account}:${path}`;
}

/** The ARN of something that belongs to no region, such as a role. */
export function globalArn({ scope }: GrantedResource, service: string, path: string): string {
  return `arn:${scope.partition}:${service}::${scope.account}:${path}`;
}

export function grant(
  service: string,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: PolicyConditions,
): Grant {
  return {
    actions: actions.map((action) => `${service}:${action}`),
    resources,
    ...(conditions && { conditions }),
  };
}

/** Actions that IAM ties to no resource. */
export function anywhere(service: string, ...actions: readonly string[]): Grant {
  return grant(service, actions, ["*"]);
}

export function passRole(resource: GrantedResource, role: string, service: string): Grant {
  const name = `${service}.amazonaws.com`;
  // In China EC2 has a name of its own, besides the usual one.
  const isOfChina = resource.scope.partition === "aws-cn" && service === "ec2";
  return grant("iam", ["PassRole"], [role], {
    StringEquals: { "iam:PassedToService": isOfChina ? [name, `${name}.cn`] : name },
  });
}

/** Lets AWS create the role of a service, once per account. */
export function serviceRole(resource: GrantedResource, service: string): Grant {
  return grant(
    "iam",
    ["CreateServiceLinkedRole"],
    [globalArn(resource, "iam", `role/aws-service-role/${service}.amazonaws.com/*`)],
    { StringEquals: { "iam:AWSServiceName": `${service}.amazonaws.com` } },
  );
}
