import { ROTATION_FOLLOWINGS, type StageFollowing, whoReboots } from "./followings";

/**
 * The secrets that can be rotated, with their stages in order. Machines of a stage are compatible
 * with those of the stage before, so a run may stop at any time.
 *
 * Source for the CAs of Talos and Kubernetes: Talos v1.12.1, `pkg/rotate/pki/talos/talos.go` and
 * `pkg/rotate/pki/kubernetes/kubernetes.go`, which accept, issue and drop. The stage `renew` is our
 * own. In Talos, a kubelet keeps its client certificate of the old CA until its machine drops that
 * CA (`refreshKubeletCerts` in `controllers/k8s/kubelet_service.go`). API servers that dropped it
 * earlier refuse that kubelet until then. In a large cluster this takes longer than pods are
 * tolerated on its node.
 *
 * Talos has no procedure for the others. How machines accept two of them, and the sources:
 *
 * - `etcdCa`: `config/generate/acceptedAuthorities.ts` and `config/etcdTrust.ts`
 * - `aggregatorCa`: `config/generate/keyDocuments.ts`, from Talos v1.14 on
 * - `serviceAccountKey`: the same, before `config/generate/acceptedServiceAccountKeys.ts`
 * - `secretboxKey`: the same, before `config/generate/acceptedSecretboxKeys.ts`; and
 *   `lifecycle/rewriteSecrets.ts`
 * - `bootstrapToken`: `config/generate/acceptedBootstrapTokens.ts`
 * - `trustdToken`: `planTrustdToken.ts`
 * - `discoveryIdentity`, the cluster's id and secret, is never accepted beside another one:
 *   `config/identityPath.ts`
 */
export const ROTATION_STAGES = {
  talosCa: ["accept", "issue", "drop"],
  kubernetesCa: ["accept", "issue", "renew", "drop"],
  etcdCa: ["accept", "issue", "drop"],
  aggregatorCa: ["accept", "issue", "drop"],
  serviceAccountKey: ["accept", "issue", "drop"],
  secretboxKey: ["accept", "issue", "drop"],
  bootstrapToken: ["accept", "issue", "drop"],
  trustdToken: ["accept", "issue", "drop"],
  discoveryIdentity: ["accept", "issue", "drop"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A secret that can be rotated. */
export type RotatableSecret = keyof typeof ROTATION_STAGES;

/** All secrets that can be rotated. */
export const ROTATABLE_SECRETS = Object.keys(ROTATION_STAGES) as readonly RotatableSecret[];

/** The certificate authorities among them. */
export const AUTHORITIES = ["talosCa", "kubernetesCa", "etcdCa", "aggregatorCa"] as const;

/** A CA that can be rotated. */
export type Authority = (typeof AUTHORITIES)[number];

/** The keys and tokens among them: text without a certificate. An identity is an id and a secret. */
export const KEYS_AND_TOKENS = [
  "serviceAccountKey",
  "secretboxKey",
  "bootstrapToken",
  "trustdToken",
  "discoveryIdentity",
] as const;

/** A key or token that can be rotated. */
export type KeyOrToken = (typeof KEYS_AND_TOKENS)[number];

/** A stage of a rotation. */
export type RotationStage = (typeof ROTATION_STAGES)[RotatableSecret][number];

/** The state of one secret's rotation. */
export interface RotationStep {
  /**
   * The target generation, for example 2: the cluster was created with 1. The number stays in the program after the rotation.
   */
  readonly to: number;
  /**
   * One stage per `up`:
   * - `accept`: machines accept the new one beside the old one.
   * - `issue`: the new one is used, and both are accepted.
   * - `renew` (only `kubernetesCa`): workers drop the old CA, and their kubelets get new
   *   certificates.
   * - `drop`: the old one is refused.
   */
  readonly stage: RotationStage;
}

/** The rotations of a cluster, current and completed ones. */
export type Rotation = Readonly<Partial<Record<RotatableSecret, RotationStep>>>;

/** Their names in sentences. */
const names: Readonly<Record<RotatableSecret, string>> = {
  talosCa: "the Talos CA",
  kubernetesCa: "the Kubernetes CA",
  etcdCa: "the etcd CA",
  aggregatorCa: "the aggregator CA",
  serviceAccountKey: "the service account key",
  secretboxKey: "the secretbox key",
  bootstrapToken: "the bootstrap token",
  trustdToken: "the trustd token",
  discoveryIdentity: "the discovery identity",
};

/** The effect of a stage, for previews. */
const meanings: Readonly<Record<RotationStage, string>> = {
  accept: "machines accept the new one beside the old one, which still issues",
  issue: "the new one issues certificates, and machines still accept the old one",
  renew:
    "workers drop the old one and their kubelets get new certificates; the control plane still accepts both",
  drop: "machines refuse the old one and its certificates",
};

/** The effect where it is another one. Who reboots for it is in `ROTATION_FOLLOWINGS`. */
const ownMeanings: Readonly<
  Partial<Record<RotatableSecret, Readonly<Partial<Record<RotationStage, string>>>>>
> = {
  etcdCa: {
    accept: "etcd accepts the new one beside the old one, which still issues",
    drop: "etcd refuses the old one and its certificates",
  },
  aggregatorCa: {
    accept: "API servers accept requests of the new one beside the old one, which still issues",
    issue: "the new one issues, and API servers still accept requests of the old one",
    drop: "API servers refuse requests of the old one",
  },
  serviceAccountKey: {
    accept: "API servers accept tokens of both keys; the old one still signs",
    issue: "the new one signs tokens, and API servers still accept those of the old one",
    drop: "API servers refuse tokens of the old one. It begins only when the kubelets have renewed the tokens of all pods, for most an hour after the stage before",
  },
  secretboxKey: {
    accept: "API servers read Secrets of both keys; the old one still encrypts",
    issue: "the new one encrypts, and API servers still read Secrets of the old one",
    drop: "every Secret is written again; then API servers read only Secrets of the new one",
  },
  bootstrapToken: {
    accept: "Kubernetes accepts the new one beside the old one, which kubelets still use",
    issue: "kubelets use the new one, and Kubernetes still accepts the old one",
    drop: "Kubernetes refuses the old one",
  },
  trustdToken: {
    accept: "the first control plane machine accepts the new one, the others the old one",
    issue: "workers use the new one, which the first control plane machine accepts",
    drop: "the other control plane machines accept the new one instead of the old one",
  },
  discoveryIdentity: {
    accept: "the new one is created, and no machine has it yet",
    issue:
      "one machine after another takes the new one. Until the last one has it, discovery shows each machine only those with the same one; etcd and both APIs don't need it",
    drop: "no machine changes, and the old one is given up",
  },
};

function meaningOf(secret: RotatableSecret, stage: RotationStage): string {
  const meaning = ownMeanings[secret]?.[stage] ?? meanings[stage];
  const [before, after] = (["until13", "from14"] as const).map((talos) => {
    const stages: Readonly<Partial<Record<RotationStage, StageFollowing>>> =
      ROTATION_FOLLOWINGS[secret][talos];
    const following = stages[stage];
    return following && whoReboots(following);
  });
  if (after !== undefined) {
    return `${after}, and ${meaning}`;
  }
  return before === undefined ? meaning : `${meaning}. Up to Talos v1.13, ${before} for it`;
}

/** A stage for people, with the next one. */
export function describeStep(secret: RotatableSecret, { to, stage }: RotationStep): string {
  const stages: readonly RotationStage[] = ROTATION_STAGES[secret];
  const next = stages[stages.indexOf(stage) + 1];
  const what = `rotation of ${names[secret]} to generation ${to}, stage "${stage}"`;
  const meaning = meaningOf(secret, stage);
  return next === undefined
    ? `${what}: ${meaning}. This is the last stage`
    : `${what}: ${meaning}. The next stage is "${next}"`;
}

/** The stages of all secrets that changed. */
export function describeRotation(
  before: Rotation | undefined,
  after: Rotation | undefined,
): readonly string[] {
  return ROTATABLE_SECRETS.flatMap((secret) => {
    const [from, step] = [before?.[secret], after?.[secret]];
    if (position(secret, from) === position(secret, step)) {
      return [];
    }
    return step === undefined
      ? [`rotation of ${names[secret]} is reverted: machines no longer accept the new one`]
      : [describeStep(secret, step)];
  });
}

/** The stages in a short, canonical form: `talosCa 2 issue`. */
export function labelOf(
  rotation: Rotation,
  secrets: readonly RotatableSecret[],
): string | undefined {
  const parts = secrets.flatMap((secret) => {
    const step = rotation[secret];
    return step === undefined ? [] : [`${secret} ${step.to} ${step.stage}`];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/**
 * The number of stages that a secret has completed since the cluster was created. The last stage of one
 * generation comes right before the first of the next.
 */
export function position(secret: RotatableSecret, step: RotationStep | undefined): number {
  if (step === undefined) {
    return 0;
  }
  const stages: readonly RotationStage[] = ROTATION_STAGES[secret];
  return (step.to - 2) * stages.length + stages.indexOf(step.stage) + 1;
}

/** The step at a position; undefined for a cluster that was never rotated. */
export function stepAt(secret: RotatableSecret, place: number): RotationStep | undefined {
  const stages: readonly RotationStage[] = ROTATION_STAGES[secret];
  const stage = stages[(place - 1) % stages.length];
  return place <= 0 || stage === undefined
    ? undefined
    : { to: Math.floor((place - 1) / stages.length) + 2, stage };
}

/** The name of a secret in a sentence. */
export function nameOf(secret: RotatableSecret): string {
  return names[secret];
}
