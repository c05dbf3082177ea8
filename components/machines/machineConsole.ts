import * as pulumi from "@pulumi/pulumi";
import type { AwsKeysArgs, ConsoleArgs, ConsoleRoleArgs } from "../../provider";
import { defined } from "../defined";
import { logBeside } from "../logBeside";

/** All values of `FirstContactChoice`. */
export const FIRST_CONTACTS = ["console", "firstAnswer"] as const;

/** By what a new machine that waits for its configuration is trusted; see `ClusterControlPlaneArgs`. */
export type FirstContactChoice = (typeof FIRST_CONTACTS)[number];

const INSTANCE = "aws:ec2/instance:Instance";

/**
 * Where EC2 shows what a machine prints, as the AWS provider of its resources would ask. The provider itself has no call
 * for that (pulumi-aws 7.48).
 *
 * @param owner a parent of the machine, to find that provider
 */
export function machineConsole(
  instanceArn: pulumi.Output<string>,
  owner: pulumi.Resource | undefined,
): ConsoleArgs {
  const setting = settingsOf(owner);
  const roles = setting("assumeRoles");
  const [accessKey, secretKey] = [setting("accessKey"), setting("secretKey")];
  return defined({
    instanceArn,
    profile: setting("profile")?.apply(textOf),
    assumeRoles: roles?.apply(readRoles),
    keys:
      accessKey &&
      secretKey &&
      pulumi
        .all([accessKey, secretKey, setting("token")])
        .apply(([id, secret, token]) => keysOf(textOf(id), textOf(secret), textOf(token))),
  });
}

/** Warns, in each run, of control plane machines that are trusted without a proof. */
export function warnOfUnproven(names: readonly string[], owner: pulumi.Resource | undefined): void {
  if (names.length > 0 && owner !== undefined) {
    const line = `controlPlane.firstContact is "firstAnswer": when ${names.join(" or ")} is new, whoever answers first at its address gets all keys of the cluster`;
    void logBeside(owner, line, { severity: "warn" });
  }
}

/** Reads settings of the provider: of the program's own one, or else of the stack's configuration. */
function settingsOf(
  owner: pulumi.Resource | undefined,
): (name: string) => pulumi.Output<unknown> | undefined {
  const provider = owner?.getProvider(INSTANCE);
  if (provider === undefined) {
    const config = new pulumi.Config("aws");
    return (name) => config.getSecret(name);
  }
  // Its type has only some of its properties. A provider of another program, as the plugin gets it, has none.
  return (name) => {
    const value: unknown = Reflect.get(provider, name);
    return pulumi.Output.isInstance(value) ? value : undefined;
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function keysOf(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
): AwsKeysArgs | undefined {
  return accessKeyId === undefined || secretAccessKey === undefined
    ? undefined
    : { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Roles as the provider has them: a list, or its JSON. */
function readRoles(value: unknown): ConsoleRoleArgs[] | undefined {
  const list: unknown = typeof value === "string" && value !== "" ? JSON.parse(value) : value;
  if (!Array.isArray(list)) {
    return undefined;
  }
  return list.flatMap((role: unknown) => {
    const fields: Readonly<Record<string, unknown>> =
      typeof role === "object" && role !== null ? { ...role } : {};
    const roleArn = textOf(fields.roleArn);
    return roleArn === undefined
      ? []
      : [
          defined({
            roleArn,
            externalId: textOf(fields.externalId),
            sessionName: textOf(fields.sessionName),
          }),
        ];
  });
}
