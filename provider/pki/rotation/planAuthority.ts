import type { MachineType } from "../../config/machineConfigInput";
import type { Authority, RotationStep } from "./rotation";

/** Which generations of an authority count for somebody. */
export interface AuthorityPlan {
  /** What certificates are issued by. */
  readonly issuing: number;
  /** What is accepted besides. */
  readonly accepted: readonly number[];
}

/**
 * Which generations of an authority the machines of a role have in a stage. Clients are as the control plane:
 * they show a certificate of what issues, and trust all of it.
 *
 * `accept` comes before anything is issued by the new one, and `drop` after nothing of the old one is left. So a
 * machine of one stage accepts what a machine of the stage before or after shows, in both directions.
 *
 * @param step undefined for a cluster that was never rotated
 */
export function planAuthority(
  authority: Authority,
  step: RotationStep | undefined,
  role: MachineType,
): AuthorityPlan {
  if (step === undefined) {
    return { issuing: 1, accepted: [] };
  }
  const [before, after] = [step.to - 1, step.to];
  switch (step.stage) {
    case "accept":
      return { issuing: before, accepted: [after] };
    case "issue":
      return { issuing: after, accepted: [before] };
    case "renew":
      // Of the Kubernetes CA alone: the API servers have to take kubelets of both kinds still.
      return {
        issuing: after,
        accepted: role === "worker" && authority === "kubernetesCa" ? [] : [before],
      };
    case "drop":
      return { issuing: after, accepted: [] };
  }
}

/** All generations that a cluster has in a stage. */
export function generationsOf(
  authority: Authority,
  step: RotationStep | undefined,
): readonly number[] {
  const { issuing, accepted } = planAuthority(authority, step, "controlplane");
  return [issuing, ...accepted];
}
