import type { Stack } from "@pulumi/pulumi/automation";
import {
  askAws,
  type AssumedRole,
  type AwsAccess,
  AwsRefusal,
  keysFor,
} from "../../provider/console";
import { CommandFailure } from "../commandFailure";
import type { Properties } from "../properties";
import {
  SECRET_KEY,
  type WrittenResource,
  providerUrn,
  recordedStack,
} from "../repair/pendingOperations";

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
  const settings = Object.values(recorded).some(isSecret) ? await inClear(stack, urn) : recorded;
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
      const { plaintext } = (value ?? {}) as Properties;
      return [
        name,
        isSecret(value) && typeof plaintext === "string" ? JSON.parse(plaintext) : value,
      ];
    }),
  );
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && SECRET_KEY in value;
}

function accessOf(settings: Properties): AwsAccess {
  const text = (name: string) => {
    const value = settings[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [accessKeyId, secretAccessKey] = [text("accessKey"), text("secretKey")];
  return {
    profile: text("profile"),
    assumeRoles: rolesOf(settings.assumeRoles),
    keys:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey, sessionToken: text("token") },
  };
}

/** The provider's settings of structure are JSON texts in a state. */
function rolesOf(value: unknown): readonly AssumedRole[] | undefined {
  const list: unknown = typeof value === "string" && value !== "" ? JSON.parse(value) : value;
  if (!Array.isArray(list)) {
    return undefined;
  }
  return list.flatMap((role: Partial<AssumedRole> | null) =>
    typeof role?.roleArn === "string" ? [{ ...role, roleArn: role.roleArn }] : [],
  );
}
