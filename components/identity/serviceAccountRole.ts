import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { problemAt } from "../argumentChecks";
import { roleNameProblem } from "../nameRules";
import { checkRoleExtension, extendRole } from "../permissions/extendRole";
import { policyText } from "../permissions/planNodePolicy";
import type { PolicyDocument } from "../permissions/policyDocument";
import { misspeltArguments, type PropertyProblem, refuse } from "../problems";
import type { ServiceAccountRoleRequest } from "./irsaArgs";
import { planServiceAccountTrust } from "./planIssuer";

/** Arguments of `ServiceAccountRole`. */
export interface ServiceAccountRoleArgs extends ServiceAccountRoleRequest {
  /** `ServiceAccountIssuer.url` of the cluster. */
  readonly issuerUrl: pulumi.Input<string>;
  /** `ServiceAccountIssuer.providerArn` of the cluster. */
  readonly providerArn: pulumi.Input<string>;
  /** Permissions besides `statements`. Default: none. */
  readonly policy?: pulumi.Input<PolicyDocument>;
}

/** Names in Kubernetes: a DNS label for namespaces, or several for service accounts. */
const NAMES = {
  namespace: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  name: /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/,
};

const TYPE = "talos-aws:index:ServiceAccountRole";

/**
 * An IAM role for the pods of one service account, and for no others. Free of charge. Annotate the
 * service account with `annotations`; the pod identity webhook then configures the AWS SDKs in new
 * pods.
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments
 */
export class ServiceAccountRole extends pulumi.ComponentResource {
  /** Name of the role. */
  readonly roleName: pulumi.Output<string>;
  /** ARN of the role. */
  readonly roleArn: pulumi.Output<string>;
  /** Annotations of the service account, in the form of `metadata.annotations`. */
  readonly annotations: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: ServiceAccountRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    const nameProblem = roleNameProblem(name);
    refuse(`the role "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...problemAt("name", nameProblem),
      ...checkRequest(args),
    ]);
    super(TYPE, name, {}, opts);
    const child = { parent: this };
    const { namespace, permissionsBoundaryArn, path, policy } = args;
    const trust = pulumi
      .all([args.providerArn, args.issuerUrl])
      .apply(([arn, url]) =>
        JSON.stringify(planServiceAccountTrust(arn, url, { namespace, name: args.name })),
      );
    const role = new aws.iam.Role(
      name,
      {
        description: `Service account ${namespace}/${args.name}`,
        assumeRolePolicy: trust,
        ...(permissionsBoundaryArn !== undefined && {
          permissionsBoundary: permissionsBoundaryArn,
        }),
        ...(path !== undefined && { path }),
        tags: pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more })),
      },
      child,
    );
    const extended = extendRole(name, role.name, args, child);
    const own =
      policy === undefined
        ? []
        : [
            new aws.iam.RolePolicy(
              name,
              { role: role.name, policy: pulumi.output(policy).apply(policyText) },
              child,
            ),
          ];
    this.roleName = role.name;
    // The output is known only when all policies are attached.
    this.roleArn = pulumi
      .all([role.arn, pulumi.all([...own, ...extended].map(({ urn }) => urn))])
      .apply(([arn]) => arn);
    this.annotations = this.roleArn.apply((arn): Record<string, string> => ({
      "eks.amazonaws.com/role-arn": arn,
    }));
    this.registerOutputs({
      roleName: this.roleName,
      roleArn: this.roleArn,
      annotations: this.annotations,
    });
  }
}

function checkRequest(args: ServiceAccountRoleArgs): PropertyProblem[] {
  const names = (["namespace", "name"] as const).flatMap((property) =>
    problemAt(
      property,
      !NAMES[property].test(args[property]) &&
        `"${args[property]}" is no name of a ${property === "name" ? "service account" : property} in Kubernetes: lower-case letters, digits and "-"`,
    ),
  );
  return [...names, ...checkRoleExtension(args)];
}
