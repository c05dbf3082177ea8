import type { PreviewSummary } from "../preview";
import { CommandFailure } from "./commandFailure";

/**
 * Refuses a change that begins with an etcd without its majority: no update brings it back.
 *
 * @throws CommandFailure with the ways out
 */
export function refuseLostEtcd({ risks, stack }: PreviewSummary): void {
  const lost = risks.find(({ code }) => code === "etcdLost");
  if (lost !== undefined) {
    throw new CommandFailure(lost.reason.replace("<stack>", stack));
  }
}
