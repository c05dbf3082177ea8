/**
 * The CAs that can be rotated, with their stages in order. Machines of a stage are compatible with
 * those of the stage before, so a run may stop at any time.
 *
 * Source: Talos v1.12.1, `pkg/rotate/pki/talos/talos.go` and
 * `pkg/rotate/pki/kubernetes/kubernetes.go`, which accept, issue and drop. The stage `renew` is our
 * own. In Talos, a kubelet keeps its client certificate of the old CA until its machine drops that
 * CA (`refreshKubeletCerts` in `controllers/k8s/kubelet_service.go`). API servers that dropped it
 * earlier refuse that kubelet until then. In a large cluster this takes longer than pods are
 * tolerated on its node.
 */
export const ROTATION_STAGES = {
  talosCa: ["accept", "issue", "drop"],
  kubernetesCa: ["accept", "issue", "renew", "drop"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A CA that can be rotated. */
export type Authority = keyof typeof ROTATION_STAGES;

/** A stage of a rotation. */
export type RotationStage = (typeof ROTATION_STAGES)[Authority][number];

/** The state of one CA's rotation. */
export interface RotationStep {
  /**
   * The target generation. The cluster was created with 1, so it is 2 for the first rotation. The
   * number stays in the program after the rotation.
   */
  readonly to: number;
  /**
   * One stage per `up`:
   * - `accept`: machines accept the new CA beside the old one.
   * - `issue`: the new CA issues certificates, and both are accepted.
   * - `renew` (only `kubernetesCa`): workers drop the old CA, and their kubelets get new
   *   certificates.
   * - `drop`: the old CA is refused.
   */
  readonly stage: RotationStage;
}

/** The rotations of a cluster, current and completed ones. */
export type Rotation = Readonly<Partial<Record<Authority, RotationStep>>>;

/** All CAs that can be rotated. */
export const AUTHORITIES = Object.keys(ROTATION_STAGES) as readonly Authority[];

/** Their names in sentences. */
const names: Readonly<Record<Authority, string>> = {
  talosCa: "the Talos CA",
  kubernetesCa: "the Kubernetes CA",
};

/** The effect of a stage, for previews. */
const meanings: Readonly<Record<RotationStage, string>> = {
  accept: "machines accept the new one beside the old one, which still issues",
  issue: "the new one issues certificates, and machines still accept the old one",
  renew:
    "workers drop the old one and their kubelets get new certificates; the control plane still accepts both",
  drop: "machines refuse the old one and its certificates",
};

/** A stage for people, with the next one. */
export function describeStep(authority: Authority, { to, stage }: RotationStep): string {
  const stages: readonly RotationStage[] = ROTATION_STAGES[authority];
  const next = stages[stages.indexOf(stage) + 1];
  const what = `rotation of ${names[authority]} to generation ${to}, stage "${stage}"`;
  return next === undefined
    ? `${what}: ${meanings[stage]}. This is the last stage`
    : `${what}: ${meanings[stage]}. The next stage is "${next}"`;
}

/** The stages of all CAs that changed. */
export function describeRotation(
  before: Rotation | undefined,
  after: Rotation | undefined,
): readonly string[] {
  return AUTHORITIES.flatMap((authority) => {
    const [from, step] = [before?.[authority], after?.[authority]];
    if (position(authority, from) === position(authority, step)) {
      return [];
    }
    return step === undefined
      ? [`rotation of ${names[authority]} is reverted: machines no longer accept the new one`]
      : [describeStep(authority, step)];
  });
}

/** The stages in a short, canonical form: `talosCa 2 issue`. */
export function labelOf(rotation: Rotation, authorities: readonly Authority[]): string | undefined {
  const parts = authorities.flatMap((authority) => {
    const step = rotation[authority];
    return step === undefined ? [] : [`${authority} ${step.to} ${step.stage}`];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/**
 * The number of stages that a CA has completed since the cluster was created. The last stage of one
 * generation comes right before the first of the next.
 */
export function position(authority: Authority, step: RotationStep | undefined): number {
  if (step === undefined) {
    return 0;
  }
  const stages: readonly RotationStage[] = ROTATION_STAGES[authority];
  return (step.to - 2) * stages.length + stages.indexOf(step.stage) + 1;
}

/** The step at a position; undefined for a cluster that was never rotated. */
export function stepAt(authority: Authority, place: number): RotationStep | undefined {
  const stages: readonly RotationStage[] = ROTATION_STAGES[authority];
  const stage = stages[(place - 1) % stages.length];
  return place <= 0 || stage === undefined
    ? undefined
    : { to: Math.floor((place - 1) / stages.length) + 2, stage };
}

/** The name of an authority in a sentence. */
export function nameOf(authority: Authority): string {
  return names[authority];
}
