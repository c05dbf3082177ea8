import type { MachineChange, MachineEffect } from "./machineChange";
import type { ScalingGroupChange } from "./scalingGroupChange";

/**
 * Minutes that a machine is away, or until a new one is there, without its drain. Rules of thumb for
 * EC2, not measurements: it stops an instance within a minute, boots it in one to two, and Talos
 * settles in half a minute. An upgrade also pulls and installs an image of 200 MB.
 */
const MINUTES: Readonly<Record<MachineEffect, number>> = {
  configured: 3,
  live: 0.5,
  reboot: 2,
  open: 2,
  upgrade: 4,
  restart: 4,
  replaced: 5,
  removed: 1,
  forgotten: 0,
};

/** Minutes until AWS has replaced machines of a group: a boot, and the warm-up of two minutes. */
const REFRESH_MINUTES = 5;

/** What takes time. */
export interface TimedChanges {
  readonly machines: readonly MachineChange[];
  readonly scalingGroups: readonly ScalingGroupChange[];
}

/**
 * About how long a change of machines takes. Control plane machines change one after another. A
 * preview does not know the number of workers' batches, so it says the time of one.
 *
 * @returns undefined if no machine changes
 */
export function describeDuration({ machines, scalingGroups }: TimedChanges): string | undefined {
  const minutesOf = (role: MachineChange["role"]) =>
    machines.filter((each) => each.role === role).map(({ effect }) => MINUTES[effect]);
  const controlPlane = minutesOf("controlplane").reduce((sum, each) => sum + each, 0);
  const batch = Math.max(0, ...minutesOf("worker"));
  const isRefreshed = scalingGroups.some(({ effect }) => effect === "refreshed");
  const parts = [
    ...(controlPlane > 0 ? [`${minutes(controlPlane)} for the control plane`] : []),
    ...(batch > 0 ? [`${minutes(batch)} for each batch of workers`] : []),
    ...(isRefreshed ? [`${minutes(REFRESH_MINUTES)} for each batch of an auto scaling group`] : []),
  ];
  const hasDrains =
    isRefreshed ||
    machines.some(
      ({ effect, isDrained }) => effect === "upgrade" || effect === "restart" || isDrained === true,
    );
  const drains = hasDrains ? ", besides drains" : "";
  return parts.length === 0 ? undefined : `about ${parts.join(", then ")}${drains} (rule of thumb)`;
}

function minutes(count: number): string {
  const whole = Math.ceil(count);
  return whole === 1 ? "1 minute" : `${whole} minutes`;
}
