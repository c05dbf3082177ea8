import type { Stack } from "@pulumi/pulumi/automation";
import { keySettings, roleSettings, textSetting } from "../../components/machines";
import { askAws, type AwsAccess, AwsRefusal, keysFor } from "../../provider/console";
import { CommandFailure } from "../commandFailure";
import type { Properties } from "../properties";
import { type WrittenResource, providerUrn, recordedStack } from "../repair/pendingOperations";
import { isStateSecret, plaintextOf } from "../stateSecret";

export interface AwsAccount {
  /**
   * Makes one call.
   *
   * @param parameters with `Action` and `Version`
   * @returns the answer, which is XML
   * @throws CommandFailure if AWS refuses it
   */
  readonly ask: (
    service: "ec2" | "autoscaling",
    parameters: Readonly<Record<string, string>>,
  ) => Promise<string>;
}

/**
 * The account of a stack, as the AWS provider of its machines knows it. The engine can't be asked here: that
 * provider has no call for EC2's checks, and none for a machine's health in its group (pulumi-aws 7.48).
 *
 * @param resources of the exported state
 * @throws CommandFailure if the state has no machine
 */
export async function accountOfStack(
  stack: Pick<Stack, "name" | "exportStack">,
  resources: readonly WrittenResource[],
  signal: AbortSignal,
): Promise<AwsAccount> {
  const machine = resources.find(({ outputs }) => placeOf(outputs) !== undefined);
  const place = placeOf(machine?.outputs);
  if (machine === undefined || place === undefined) {
    throw new CommandFailure(`the state of "${stack.name}" has no machine of EC2`);
  }
  const urn = providerUrn(machine.provider ?? "");
  const recorded = resources.find((each) => each.urn === urn)?.inputs ?? {};
  const settings = Object.values(recorded).some(isStateSecret)
    ? await inClear(stack, urn)
    : recorded;
  const access = accessOf(settings);
  return {
    ask: async (service, parameters) => {
      const keys = await keysFor(access, place, signal);
      try {
        return await askAws({ service, ...place, parameters, keys }, signal);
      } catch (error) {
        throw error instanceof AwsRefusal
          ? refused(`${service}:${parameters.Action ?? ""}`, error)
          : error;
      }
    },
  };
}

function refused(permission: string, { message }: AwsRefusal): CommandFailure {
  return new CommandFailure(
    `AWS refuses a question about machines: ${message}. It needs the permission ${permission}`,
  );
}

/** Instances and groups have an ARN, which names the region. */
function placeOf(outputs: unknown) {
  const { arn }: Properties = typeof outputs === "object" && outputs !== null ? { ...outputs } : {};
  const found =
    typeof arn === "string"
      ? /^arn:(aws[a-z-]*):(?:ec2|autoscaling):([a-z0-9-]+):\d{12}:(?:instance\/|autoScalingGroup:)/.exec(
          arn,
        )
      : null;
  const [, partition, region] = found ?? [];
  return partition === undefined || region === undefined ? undefined : { partition, region };
}

async function inClear(stack: Pick<Stack, "exportStack">, urn: string): Promise<Properties> {
  const { resources } = recordedStack(await stack.exportStack());
  const inputs = resources.find((each) => each.urn === urn)?.inputs ?? {};
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const plaintext = plaintextOf(value);
      return [name, plaintext === undefined ? value : JSON.parse(plaintext)];
    }),
  );
}

function accessOf(settings: Properties): AwsAccess {
  const { profile, assumeRoles, accessKey, secretKey, token } = settings;
  return {
    profile: textSetting(profile),
    assumeRoles: roleSettings(assumeRoles),
    keys: keySettings(accessKey, secretKey, token),
  };
}
