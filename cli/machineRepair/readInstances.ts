import type { AwsAccount } from "./awsAccount";
import type { Impairment, ScheduledEnd } from "./workerFacts";
import { elementAt, listAt, readXml, textAt, timeAt, type XmlElement } from "./xmlTree";

export interface InstanceFacts {
  readonly instanceId: string;
  /** For example `running`. */
  readonly state: string;
  readonly zone: string;
  readonly privateAddress: string;
  readonly launchedAt: Date | undefined;
  readonly impairments: readonly Impairment[];
  readonly scheduledEnd: ScheduledEnd | undefined;
}

/** A call takes 100 ids (EC2 API, `DescribeInstanceStatus`); an answer of 50 instances has a quarter of a megabyte. */
const MOST_AT_ONCE = 50;

const VERSION = "2016-11-15";

/** Where an answer has each check. Source: EC2 API, `InstanceStatus`. */
const CHECKS: Readonly<Record<Impairment["of"], string>> = {
  instance: "instanceStatus",
  system: "systemStatus",
  volumes: "attachedEbsStatus",
};

/**
 * Asks EC2 for instances, and for the results of its checks. Needs `ec2:DescribeInstances` and
 * `ec2:DescribeInstanceStatus`.
 *
 * @returns those that EC2 still has
 * @throws CommandFailure if AWS refuses it
 */
export async function readInstances(
  aws: AwsAccount,
  ids: readonly string[],
): Promise<readonly InstanceFacts[]> {
  const found: InstanceFacts[] = [];
  for (let first = 0; first < ids.length; first += MOST_AT_ONCE) {
    found.push(...(await readSome(aws, ids.slice(first, first + MOST_AT_ONCE))));
  }
  return found;
}

async function readSome(aws: AwsAccount, ids: readonly string[]): Promise<InstanceFacts[]> {
  // A filter, because EC2 refuses a call that names an instance which it no longer has.
  const named = { "Filter.1.Name": "instance-id", ...numbered("Filter.1.Value", ids) };
  const answer = readXml(
    await aws.ask("ec2", { Action: "DescribeInstances", Version: VERSION, ...named }),
  );
  const reservations = listAt(answer, ["DescribeInstancesResponse", "reservationSet"], "item");
  const instances = reservations.flatMap((each) => listAt(each, ["instancesSet"], "item"));
  const running = instances.flatMap((each) =>
    textAt(each, "instanceState", "name") === "running" ? (textAt(each, "instanceId") ?? []) : [],
  );
  const statuses = await readStatuses(aws, running);
  return instances.map((instance) => {
    const instanceId = textAt(instance, "instanceId") ?? "";
    return {
      instanceId,
      state: textAt(instance, "instanceState", "name") ?? "",
      zone: textAt(instance, "placement", "availabilityZone") ?? "",
      privateAddress: textAt(instance, "privateIpAddress") ?? "",
      launchedAt: timeAt(instance, "launchTime"),
      ...(statuses.get(instanceId) ?? WELL),
    };
  });
}

type InstanceStatus = Pick<InstanceFacts, "impairments" | "scheduledEnd">;

const WELL: InstanceStatus = { impairments: [], scheduledEnd: undefined };

async function readStatuses(
  aws: AwsAccount,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InstanceStatus>> {
  if (ids.length === 0) {
    return new Map();
  }
  const answer = readXml(
    await aws.ask("ec2", {
      Action: "DescribeInstanceStatus",
      Version: VERSION,
      ...numbered("InstanceId", ids),
    }),
  );
  const path = ["DescribeInstanceStatusResponse", "instanceStatusSet"];
  return new Map(
    listAt(answer, path, "item").map((status) => [
      textAt(status, "instanceId") ?? "",
      { impairments: impairmentsOf(status), scheduledEnd: scheduledEndOf(status) },
    ]),
  );
}

function impairmentsOf(status: XmlElement): readonly Impairment[] {
  return (["instance", "system", "volumes"] as const).flatMap((of) => {
    const check = elementAt(status, CHECKS[of]);
    if (check === undefined || textAt(check, "status") !== "impaired") {
      return [];
    }
    const [since] = listAt(check, ["details"], "item").flatMap(
      (detail) => timeAt(detail, "impairedSince") ?? [],
    );
    return [{ of, since }];
  });
}

/** Reboots and maintenance leave the machine; one that has ended or was cancelled is still described for a week. */
function scheduledEndOf(status: XmlElement): ScheduledEnd | undefined {
  return listAt(status, ["eventsSet"], "item").flatMap((event): ScheduledEnd[] => {
    const code = textAt(event, "code");
    const isOver = /^\[(Completed|Canceled)\]/.test(textAt(event, "description") ?? "");
    return isOver || (code !== "instance-retirement" && code !== "instance-stop")
      ? []
      : [{ code, notBefore: timeAt(event, "notBefore") }];
  })[0];
}

/** The members of a list, as AWS' query APIs take them. */
export function numbered(name: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => [`${name}.${index + 1}`, value]));
}
