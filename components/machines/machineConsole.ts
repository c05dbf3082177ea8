import * as pulumi from "@pulumi/pulumi";
import type { ConsoleArgs } from "../../provider";
import { defined } from "../defined";
import { logBeside } from "../logBeside";
import { keySettings, roleSettings, textSetting } from "./awsProviderSettings";

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
  const [accessKey, secretKey] = [setting("accessKey"), setting("secretKey")];
  return defined({
    instanceArn,
    profile: setting("profile")?.apply(textSetting),
    assumeRoles: setting("assumeRoles")?.apply(roleSettings),
    keys:
      accessKey &&
      secretKey &&
      pulumi
        .all([accessKey, secretKey, setting("token")])
        .apply((settings) => keySettings(...settings)),
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
