import type { PreviewSummary } from "../preview";
import { CommandFailure } from "./commandFailure";

/** Risks with which a change can't end well, because of control plane machines that AWS no longer has. */
const REFUSED: readonly PreviewSummary["risks"][number]["code"][] = [
  "etcdLost",
  "lostMachineFirst",
];

/**
 * Refuses a change that lost control plane machines make impossible: etcd has no majority, or an earlier
 * step waits for a machine that a later one replaces.
 *
 * @throws CommandFailure with the ways out
 */
export function refuseLostMachines({ risks, stack }: PreviewSummary): void {
  const refused = risks.find(({ code }) => REFUSED.includes(code));
  if (refused !== undefined) {
    const { code, subject, reason } = refused;
    const text = code === "etcdLost" ? reason : `${subject}: ${reason}`;
    throw new CommandFailure(text.replace("<stack>", stack));
  }
}
