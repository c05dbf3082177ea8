/** The states of EC2 instances that are off and may be started. Source: EC2 API, `InstanceState`. */
export const STOPPED_STATES = ["stopping", "stopped"] as const;

/** A machine that is off. */
export interface StoppedMachine {
  /** Its name in the stack. */
  readonly name: string;
  readonly instanceId: string;
  readonly state: (typeof STOPPED_STATES)[number];
}

/** Whether a state of an instance is one of `STOPPED_STATES`. */
export function isStoppedState(state: unknown): state is StoppedMachine["state"] {
  return STOPPED_STATES.some((each) => each === state);
}

/** Which machines are off, for example `c-web-1 (i-0abc) is stopped`. */
export function describeStopped(machines: readonly StoppedMachine[]): string {
  return machines
    .map(({ name, instanceId, state }) => `${name} (${instanceId}) is ${state}`)
    .join(" and ");
}

/** The command that starts machines. EC2 starts no machine that is still stopping. */
export function startCommand(machines: readonly Pick<StoppedMachine, "instanceId">[]): string {
  return `"aws ec2 start-instances --instance-ids ${idsOf(machines)}"`;
}

/** What to do for machines that are off, as sentences. */
export function wayToStart(machines: readonly StoppedMachine[]): string {
  const isStopping = machines.some(({ state }) => state === "stopping");
  const one = machines.length === 1;
  const [it, once] = one ? ["it", "Once it is stopped"] : ["them", "Once they are stopped"];
  const start = `${isStopping ? `${once}, start` : "Start"} ${it} with ${startCommand(machines)}, then run the command again with --refresh.`;
  const replaced = one ? "an empty machine in its place" : "empty machines in their place";
  const replace = `For ${replaced}, run "aws ec2 terminate-instances --instance-ids ${idsOf(machines)}" before that instead.`;
  return `${start} ${replace}`;
}

function idsOf(machines: readonly Pick<StoppedMachine, "instanceId">[]): string {
  return machines.map(({ instanceId }) => instanceId).join(" ");
}
