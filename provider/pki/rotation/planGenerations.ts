import type { MachineType } from "../../config/machineBasics";
import type { RotatableSecret, RotationStep } from "./rotation";

/** The generations of a secret that a machine uses. */
export interface GenerationPlan {
  /** The generation that issues certificates, signs or is shown to others. */
  readonly issuing: number;
  /** The generations that are also accepted. */
  readonly accepted: readonly number[];
}

/**
 * The generations of a secret that the machines of a role have in a stage. Clients are like the
 * control plane: their certificate is from the issuing generation, and they trust all of them.
 *
 * `accept` comes before the new generation issues anything, and `drop` after everything of the old
 * one is replaced. So machines of neighbouring stages accept each other, in both directions.
 *
 * A machine can't accept two trustd tokens: `planTrustdToken` says which machine has which one.
 *
 * @param step undefined for a cluster that was never rotated
 */
export function planGenerations(
  secret: RotatableSecret,
  step: RotationStep | undefined,
  role: MachineType,
): GenerationPlan {
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
        accepted: role === "worker" && secret === "kubernetesCa" ? [] : [before],
      };
    case "drop":
      return { issuing: after, accepted: [] };
  }
}

/** All generations of a cluster in a stage, the older one first. */
export function generationsOf(
  secret: RotatableSecret,
  step: RotationStep | undefined,
): readonly number[] {
  const { issuing, accepted } = planGenerations(secret, step, "controlplane");
  return [issuing, ...accepted].sort((one, other) => one - other);
}
