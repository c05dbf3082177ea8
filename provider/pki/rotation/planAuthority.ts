import type { MachineType } from "../../config/machineConfigInput";
import type { Authority, RotationStep } from "./rotation";

/** The generations of a CA that a machine uses. */
export interface AuthorityPlan {
  /** The generation that issues certificates. */
  readonly issuing: number;
  /** The generations that are also accepted. */
  readonly accepted: readonly number[];
}

/**
 * The generations of a CA that the machines of a role have in a stage. Clients are like the control
 * plane: their certificate is from the issuing generation, and they trust all of them.
 *
 * `accept` comes before the new generation issues anything, and `drop` after all certificates of
 * the old one are replaced. So machines of neighbouring stages accept each other's certificates, in
 * both directions.
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
      // Only for the Kubernetes CA: API servers must still accept kubelets with certificates of
      // both.
      return {
        issuing: after,
        accepted: role === "worker" && authority === "kubernetesCa" ? [] : [before],
      };
    case "drop":
      return { issuing: after, accepted: [] };
  }
}

/** All generations of a cluster in a stage. */
export function generationsOf(
  authority: Authority,
  step: RotationStep | undefined,
): readonly number[] {
  const { issuing, accepted } = planAuthority(authority, step, "controlplane");
  return [issuing, ...accepted];
}
