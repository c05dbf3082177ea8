import type { AwsAccount } from "./awsAccount";
import { numbered } from "./readInstances";
import type { GroupFacts } from "./workerFacts";
import { listAt, readXml, textAt, type XmlElement } from "./xmlTree";

export interface GroupMachine {
  readonly instanceId: string;
  readonly zone: string;
  /** Source: EC2 Auto Scaling API, `LifecycleState`. */
  readonly lifecycleState: string;
  readonly isHealthyToGroup: boolean;
}

export interface ScalingGroup extends GroupFacts {
  readonly machines: readonly GroupMachine[];
}

const VERSION = "2011-01-01";

/** A call names 50 groups at most (EC2 Auto Scaling API, `DescribeAutoScalingGroups`, `MaxRecords`). */
const MOST_AT_ONCE = 50;

/** Source: EC2 Auto Scaling API, `InstanceRefreshStatus`. */
const REFRESHING = ["Pending", "InProgress", "Cancelling", "RollbackInProgress", "Baking"];

/**
 * Asks AWS for auto scaling groups. Needs `autoscaling:DescribeAutoScalingGroups` and
 * `autoscaling:DescribeInstanceRefreshes`.
 *
 * @throws CommandFailure if AWS refuses it
 */
export async function readScalingGroups(
  aws: AwsAccount,
  names: readonly string[],
): Promise<readonly ScalingGroup[]> {
  const groups: ScalingGroup[] = [];
  for (let first = 0; first < names.length; first += MOST_AT_ONCE) {
    const some = names.slice(first, first + MOST_AT_ONCE);
    const answer = await ask(aws, "DescribeAutoScalingGroups", {
      ...numbered("AutoScalingGroupNames.member", some),
      MaxRecords: String(MOST_AT_ONCE),
    });
    const found = listAt(answer, ["AutoScalingGroups"], "member");
    groups.push(...(await Promise.all(found.map((group) => readGroup(aws, group)))));
  }
  return groups;
}

async function readGroup(aws: AwsAccount, group: XmlElement): Promise<ScalingGroup> {
  const name = textAt(group, "AutoScalingGroupName") ?? "";
  const machines = listAt(group, ["Instances"], "member").map((machine) => ({
    instanceId: textAt(machine, "InstanceId") ?? "",
    zone: textAt(machine, "AvailabilityZone") ?? "",
    lifecycleState: textAt(machine, "LifecycleState") ?? "",
    isHealthyToGroup: textAt(machine, "HealthStatus")?.toLowerCase() === "healthy",
  }));
  const refreshes = await ask(aws, "DescribeInstanceRefreshes", { AutoScalingGroupName: name });
  return {
    name,
    suspended: listAt(group, ["SuspendedProcesses"], "member").flatMap(
      (each) => textAt(each, "ProcessName") ?? [],
    ),
    isRefreshing: listAt(refreshes, ["InstanceRefreshes"], "member").some((each) =>
      REFRESHING.includes(textAt(each, "Status") ?? ""),
    ),
    missing: Math.max(0, Number(textAt(group, "DesiredCapacity") ?? 0) - machines.length),
    machines,
  };
}

/**
 * Tells a group that a machine is unhealthy. The group ends it and launches another one, in its own order and with
 * its lifecycle hooks. A machine whose processes are suspended, or that is in standby, stays. Needs
 * `autoscaling:SetInstanceHealth`.
 *
 * @throws CommandFailure if AWS refuses it
 */
export async function callUnhealthy(aws: AwsAccount, instanceId: string): Promise<void> {
  await aws.ask("autoscaling", {
    Action: "SetInstanceHealth",
    Version: VERSION,
    InstanceId: instanceId,
    HealthStatus: "Unhealthy",
    ShouldRespectGracePeriod: "false",
  });
}

async function ask(
  aws: AwsAccount,
  action: string,
  parameters: Readonly<Record<string, string>>,
): Promise<XmlElement> {
  const answer = readXml(
    await aws.ask("autoscaling", { Action: action, Version: VERSION, ...parameters }),
  );
  const [[, response] = []] = answer.children;
  const result = response?.children.find(([name]) => name === `${action}Result`)?.[1];
  if (result === undefined) {
    throw new Error(`AWS has answered ${action} without a result`);
  }
  return result;
}
