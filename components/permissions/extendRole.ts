import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { PropertyProblem } from "../problems";
import type { PolicyConditions } from "./policyDocument";

/** A statement that allows actions. */
export interface RoleStatement {
  /** For example `["s3:GetObject"]`. */
  readonly actions: readonly string[];
  /** ARNs of the resources, or `*`. */
  readonly resources: readonly pulumi.Input<string>[];
  /**
   * Conditions by operator and key, for example `{StringEquals: {"aws:RequestedRegion":
   * "us-east-1"}}`. Default: none.
   */
  readonly conditions?: PolicyConditions;
}

/** Additions to a role; see `NodeRoleArgs`. */
export interface RoleExtension {
  readonly path?: string;
  readonly permissionsBoundaryArn?: pulumi.Input<string>;
  readonly managedPolicyArns?: Readonly<Record<string, pulumi.Input<string>>>;
  readonly statements?: readonly RoleStatement[];
}

const POLICY_ARN = /^arn:aws[a-z-]*:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/;

/** What a statement may name: ARNs, with wildcards in any part, or everything. */
const RESOURCE = /^(\*|arn:[^:]+:[^:]+:[^:]*:[^:]*:.+)$/;

/** All problems of the additions to a role. */
export function checkRoleExtension(extension: RoleExtension): PropertyProblem[] {
  const { path, permissionsBoundaryArn, managedPolicyArns = {}, statements = [] } = extension;
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string) => {
    problems.push({ property, reason });
  };
  const arn = (property: string, value: unknown) => {
    if (typeof value === "string" && !POLICY_ARN.test(value)) {
      say(
        property,
        `"${value}" is no ARN of a policy: write it in full, as in "arn:aws:iam::aws:policy/ReadOnlyAccess"`,
      );
    }
  };
  if (path !== undefined && !/^\/([!-~]{1,510}\/)?$/.test(path)) {
    say("path", `"${path}" is no path: begin and end it with "/", as in "/talos/"`);
  }
  arn("permissionsBoundaryArn", permissionsBoundaryArn);
  for (const [name, value] of Object.entries(managedPolicyArns)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) {
      const reason = `"${name}" is no name: lower-case letters, digits and "-", starting with a letter`;
      say(`managedPolicyArns["${name}"]`, reason);
    }
    arn(`managedPolicyArns["${name}"]`, value);
  }
  for (const [index, { actions, resources }] of statements.entries()) {
    const at = `statements[${index}]`;
    if (actions.length === 0) {
      say(`${at}.actions`, "no action is named: name one, or leave the statement out");
    }
    if (resources.length === 0) {
      say(`${at}.resources`, `nothing is named: give ARNs, or "*" for everything`);
    }
    for (const [number, resource] of resources.entries()) {
      if (typeof resource === "string" && !RESOURCE.test(resource)) {
        const reason = `"${resource}" is no ARN, and IAM takes nothing else: write it in full, as in "arn:aws:s3:::example/*", or "*" for everything`;
        say(`${at}.resources[${number}]`, reason);
      }
    }
    for (const action of actions.filter((each) => !/^[a-z0-9-]+:[\w*?]+$/i.test(each))) {
      say(`${at}.actions`, `"${action}" is no action: write it as in "s3:GetObject"`);
    }
  }
  return problems;
}

/**
 * Adds policies to a role.
 * @returns the resources that must exist before the role is used
 */
export function extendRole(
  name: string,
  roleName: pulumi.Input<string>,
  { managedPolicyArns = {}, statements = [] }: RoleExtension,
  child: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const attached = Object.entries(managedPolicyArns).map(
    ([key, policyArn]) =>
      new aws.iam.RolePolicyAttachment(`${name}-${key}`, { role: roleName, policyArn }, child),
  );
  if (statements.length === 0) {
    return attached;
  }
  const policy = pulumi.output(statements).apply((known) =>
    JSON.stringify({
      Version: "2012-10-17",
      Statement: known.map(({ actions, resources, conditions }) => ({
        Effect: "Allow",
        Action: actions,
        Resource: resources,
        ...(conditions && { Condition: conditions }),
      })),
    }),
  );
  return [
    ...attached,
    new aws.iam.RolePolicy(`${name}-statements`, { role: roleName, policy }, child),
  ];
}
