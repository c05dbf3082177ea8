import type { RotatableSecret, ROTATION_STAGES } from "./rotation";

/**
 * How machines follow a stage:
 * - `none`: their configuration stays the same;
 * - `live`: Talos follows it, and restarts what reads it;
 * - `reboot`: they reboot, drained, one after another.
 */
export type Following = "none" | "live" | "reboot";

/** How each role follows a stage. */
export interface StageFollowing {
  readonly controlplane: Following;
  /** The first control plane machine. Default: as the others. */
  readonly firstControlPlane?: Following;
  readonly worker: Following;
}

/** How the stages of a secret are followed by machines of a Talos. */
type Stages<Secret extends RotatableSecret> = Readonly<
  Record<(typeof ROTATION_STAGES)[Secret][number], StageFollowing>
>;

/** The columns of the table, by the Talos of the machines. */
export type TalosColumn = "until13" | "from14";

const nobody: StageFollowing = { controlplane: "none", worker: "none" };
const everywhere: StageFollowing = { controlplane: "live", worker: "live" };
const controlPlane: StageFollowing = { controlplane: "live", worker: "none" };
const workers: StageFollowing = { controlplane: "none", worker: "live" };
const reboots: StageFollowing = { controlplane: "reboot", worker: "none" };

const inFiles = { accept: reboots, issue: controlPlane, drop: reboots };
const atOnce = { accept: controlPlane, issue: controlPlane, drop: controlPlane };

/**
 * How machines follow each stage of each rotation, with Talos up to v1.13 and from v1.14 on. A test
 * derives the same from the configurations of the stages, for every cell.
 *
 * From v1.14 on, only etcd's CAs need a reboot, because etcd reads them when it starts. Further keys of
 * API servers are in documents there, in files before: `config/generate/acceptedAuthorities.ts`. A
 * changed trustd token has Talos up to v1.13 reboot (v1.12.1, `CanApplyImmediate`).
 */
export const ROTATION_FOLLOWINGS: {
  readonly [Secret in RotatableSecret]: Readonly<Record<TalosColumn, Stages<Secret>>>;
} = {
  talosCa: both({ accept: everywhere, issue: everywhere, drop: everywhere }),
  kubernetesCa: both({
    accept: everywhere,
    issue: everywhere,
    renew: workers,
    drop: controlPlane,
  }),
  etcdCa: both(inFiles),
  aggregatorCa: both(atOnce),
  serviceAccountKey: { until13: inFiles, from14: atOnce },
  secretboxKey: { until13: inFiles, from14: atOnce },
  bootstrapToken: both({ accept: controlPlane, issue: everywhere, drop: controlPlane }),
  discoveryIdentity: both({ accept: nobody, issue: everywhere, drop: nobody }),
  trustdToken: {
    until13: {
      accept: { firstControlPlane: "reboot", controlplane: "none", worker: "none" },
      issue: { firstControlPlane: "none", controlplane: "none", worker: "reboot" },
      drop: { firstControlPlane: "none", controlplane: "reboot", worker: "none" },
    },
    from14: {
      accept: { firstControlPlane: "live", controlplane: "none", worker: "none" },
      issue: { firstControlPlane: "none", controlplane: "none", worker: "live" },
      drop: { firstControlPlane: "none", controlplane: "live", worker: "none" },
    },
  },
};

function both<Row>(stages: Row): Readonly<Record<TalosColumn, Row>> {
  return { until13: stages, from14: stages };
}

/** Who reboots in a stage, in a sentence; undefined if nobody does. */
export function whoReboots({
  controlplane,
  firstControlPlane = controlplane,
  worker,
}: StageFollowing): string | undefined {
  const [others, first] = [controlplane === "reboot", firstControlPlane === "reboot"];
  if (others || first) {
    return others && first
      ? "control plane machines reboot one after another"
      : first
        ? "the first control plane machine reboots"
        : "the other control plane machines reboot";
  }
  return worker === "reboot" ? "workers reboot" : undefined;
}
