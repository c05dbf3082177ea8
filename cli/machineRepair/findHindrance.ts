import { DRAINED_FOR_REPAIR, type GroupFacts, KEEP_MARK, type WorkerFacts } from "./workerFacts";

/** Why a machine isn't replaced, however broken it is. */
export interface Hindrance {
  readonly because: string;
  /** What is said of the machine if nothing else is wrong with it. Undefined: then it is healthy. */
  readonly alone?: string;
}

/**
 * Processes without which a group doesn't replace a machine. Source: EC2 Auto Scaling user guide, "Suspend
 * and resume Amazon EC2 Auto Scaling processes".
 */
const NEEDED_PROCESSES = ["Launch", "Terminate", "HealthCheck", "ReplaceUnhealthy"];

/** States in which a machine is off, or gone. Source: EC2 API, `InstanceState`. */
const OFF = ["stopping", "stopped"];
const GONE = ["shutting-down", "terminated"];

/** What keeps a machine from its replacement, whatever the others are. */
export function findHindrance(
  { instanceId, state, node, means }: WorkerFacts,
  { endsVolumes }: { readonly endsVolumes: boolean },
): Hindrance | undefined {
  if (node?.isKept === true) {
    return { because: `a person keeps it: its node has the mark ${KEEP_MARK}` };
  }
  if (node?.cordonedFor !== undefined && node.cordonedFor !== DRAINED_FOR_REPAIR) {
    return {
      because: `an update has drained it (${node.cordonedFor}): let that end, or run it again`,
      alone: "its node is cordoned",
    };
  }
  if (means.kind === "group") {
    return hindranceOfGroup(means.lifecycleState, means.group);
  }
  if (GONE.includes(state)) {
    return {
      because: 'the next "talos-aws up" makes another one',
      alone: "AWS no longer has it",
    };
  }
  if (OFF.includes(state)) {
    return {
      because: `somebody has stopped it: start it with "aws ec2 start-instances --instance-ids ${instanceId}"`,
      alone: `it is ${state} in EC2`,
    };
  }
  if (means.urn === undefined) {
    return { because: "the stack's state doesn't have it" };
  }
  if (means.isProtected) {
    return { because: "it is protected: set terminationProtection or protect to false first" };
  }
  if (means.dataVolumes.length === 0 || endsVolumes) {
    return undefined;
  }
  return {
    because: `its data volumes (${means.dataVolumes.join(", ")}) would end with it: restart it with "talosctl reboot", or stop and start it in EC2, which moves it to another host; --end-volumes replaces it all the same`,
  };
}

function hindranceOfGroup(
  lifecycleState: string,
  { name, suspended, isRefreshing }: GroupFacts,
): Hindrance | undefined {
  if (/standby/i.test(lifecycleState)) {
    return { because: `somebody has put it on standby in its group ${name}` };
  }
  if (lifecycleState !== "InService") {
    return { because: `its group ${name} has it in ${lifecycleState}` };
  }
  const missing = NEEDED_PROCESSES.filter((process) => suspended.includes(process));
  if (missing.length > 0) {
    return { because: `somebody has suspended ${missing.join(", ")} of its group ${name}` };
  }
  return isRefreshing
    ? { because: `an instance refresh of its group ${name} is in progress` }
    : undefined;
}
