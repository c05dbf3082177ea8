import { messageOfError } from "../base/messageOfError";
import { askAws, AwsRefusal, elementOf } from "./askAws";
import { type AwsAccess, keysFor } from "./awsAccess";

/** The console of an EC2 instance, and as whom to read it. */
export interface InstanceConsole extends AwsAccess {
  /** ARN of the instance, which names its region. */
  readonly instanceArn: string;
}

/** What EC2 shows of a console. */
export interface ConsoleOutput {
  /** The last 64 KB. Empty while EC2 has none. */
  readonly text: string;
  /**
   * Whether it is what the console shows now. Otherwise EC2 keeps what it showed a few minutes after the instance was last
   * started, stopped or rebooted. Source: EC2's API reference, `GetConsoleOutput`.
   */
  readonly isLive: boolean;
}

/** EC2 doesn't show the console. */
export class ConsoleError extends Error {
  override readonly name = "ConsoleError";

  constructor(
    message: string,
    /** Whether another attempt meets it too. */
    readonly isLasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Refusals that end: of calls that come too often, and of an instance that not all of EC2 knows yet. */
const PASSING: readonly string[] = [
  "InvalidInstanceID.NotFound",
  "RequestLimitExceeded",
  "Throttling",
  "ThrottlingException",
];

/** EC2's answer for an instance type without the Nitro hypervisor, which has no live console. */
const NOT_LIVE = "UnsupportedOperation";

/** The instance that an ARN names. Undefined if it names none. */
export function parseInstanceArn(arn: string) {
  const found = /^arn:(aws[a-z-]*):ec2:([a-z0-9-]+):\d{12}:instance\/(i-[0-9a-f]+)$/.exec(arn);
  const [, partition, region, instanceId] = found ?? [];
  return partition === undefined || region === undefined || instanceId === undefined
    ? undefined
    : { partition, region, instanceId };
}

/**
 * Reads an instance's console from EC2. That needs the permission `ec2:GetConsoleOutput`.
 *
 * @throws ConsoleError if EC2 doesn't show it, or can't be asked
 */
export async function readConsole(
  { instanceArn, ...access }: InstanceConsole,
  signal: AbortSignal | undefined,
): Promise<ConsoleOutput> {
  const place = parseInstanceArn(instanceArn);
  if (place === undefined) {
    throw new ConsoleError(`"${instanceArn}" is no ARN of an EC2 instance`, true);
  }
  const { region, partition, instanceId } = place;
  const keys = await keysFor(access, { region, partition }, signal).catch((error: unknown) => {
    throw explained("there are no keys to ask EC2 with", error);
  });
  const ask = async (isLive: boolean): Promise<ConsoleOutput> => {
    const parameters = {
      Action: "GetConsoleOutput",
      Version: "2016-11-15",
      InstanceId: instanceId,
      ...(isLive && { Latest: "true" }),
    };
    const xml = await askAws({ service: "ec2", region, partition, parameters, keys }, signal);
    const encoded = elementOf(xml, "output") ?? "";
    return { text: Buffer.from(encoded, "base64").toString("utf8"), isLive };
  };
  try {
    return await ask(true).catch((error: unknown) => {
      if (error instanceof AwsRefusal && error.code === NOT_LIVE) {
        return ask(false);
      }
      throw error;
    });
  } catch (error) {
    throw explained("EC2 does not show its console", error);
  }
}

function explained(what: string, error: unknown): ConsoleError {
  const reason = messageOfError(error);
  const isRefused = error instanceof AwsRefusal && error.status < 500;
  const isMissing = error instanceof Error && error.name === "CredentialsProviderError";
  const isLasting = isMissing || (isRefused && !PASSING.includes(error.code));
  return new ConsoleError(`${what}: ${reason}`, isLasting, { cause: error });
}
