import { startCommand } from "../../components/machines";
import type { EtcdLook } from "../../provider/lifecycle";
import type { RestoreTarget } from "./restoreTarget";
import type { SnapshotFacts } from "./snapshotFacts";

export interface SeenMachine {
  readonly name: string;
  /** Its EC2 instance id; empty for a machine outside EC2. */
  readonly machineId: string;
  /** Whether the instance no longer exists, according to AWS or the refreshed state. */
  readonly isGone: boolean;
  readonly look: EtcdLook;
}

/** What a restore may lose with a person's consent. */
export interface RestoreConsent {
  /** `--discard-running-etcd`. */
  readonly discardRunningEtcd: boolean;
  /** `--accept-other-cluster`. */
  readonly acceptOtherCluster: boolean;
}

export type RestorePlan =
  | { readonly kind: "refused"; readonly reason: string }
  /** Starts the restore, or starts it again with the machines that the first run didn't wipe. */
  | {
      readonly kind: "begin";
      /** Names of machines whose etcd will be wiped. */
      readonly wiped: readonly string[];
      /** Names of machines that will be recreated. */
      readonly lost: readonly string[];
    }
  /** Continues, because no machine holds the old etcd any more. */
  | { readonly kind: "goOn" }
  /** etcd is restored; machines may be missing. */
  | { readonly kind: "finish" };

/** The recorded stage of a restore from this snapshot, before any machine is asked. */
export function recordedStage(
  { begun, done, isDoneWell }: Pick<RestoreTarget, "begun" | "done" | "isDoneWell">,
  { sha256 }: Pick<SnapshotFacts, "sha256">,
): "wiping" | "recovering" | "finishing" | "done" | "none" {
  if (begun?.sha256 === sha256) {
    return begun.phase;
  }
  if (begun !== undefined || done?.sha256 !== sha256) {
    return "none";
  }
  return isDoneWell ? "done" : "finishing";
}

/** Plans a restore, or says why it is impossible. Pure. */
export function planRestore(
  stack: string,
  stage: ReturnType<typeof recordedStage>,
  snapshot: Pick<SnapshotFacts, "path" | "cluster">,
  machines: readonly SeenMachine[],
  consent: RestoreConsent,
): RestorePlan {
  if (snapshot.cluster === "another" && !consent.acceptOtherCluster) {
    return {
      kind: "refused",
      reason: `"${snapshot.path}" is from another cluster: its Kubernetes API has another CA. Data that another cluster's keys have signed or encrypted can't be read here. Use --accept-other-cluster if the CA was only rotated since`,
    };
  }
  const holding = machines.flatMap(({ look }) => (look.kind === "holding" ? [look] : []));
  const serving = holding.find(({ members }) => members !== undefined);
  if (stage === "recovering" && (serving !== undefined || !holding.some(isBroken))) {
    return { kind: "goOn" };
  }
  if (stage === "finishing" && serving !== undefined && !consent.discardRunningEtcd) {
    return { kind: "finish" };
  }
  const silent = machines.filter(({ isGone, look }) => !isGone && look.kind === "silent");
  const [first] = silent;
  if (first !== undefined) {
    return { kind: "refused", reason: describeSilent(silent) };
  }
  const isOver = stage === "none" || stage === "done";
  if (serving !== undefined && isOver && !consent.discardRunningEtcd) {
    const members = serving.members?.join(", ") ?? "";
    const found =
      stage === "done"
        ? `etcd has come back from this snapshot and has its majority (${members}): "talos-aws up ${stack} --refresh" completes the rest`
        : `etcd has its majority (${members}), so nothing is lost yet: "talos-aws up ${stack} --refresh" recreates a lost machine, and etcd copies its data to it`;
    return {
      kind: "refused",
      reason: `${found}. To return to the snapshot and lose everything that was written since, use --discard-running-etcd`,
    };
  }
  return {
    kind: "begin",
    wiped: machines.filter(isToBeWiped).map(({ name }) => name),
    lost: machines
      .filter(({ isGone, look }) => isGone && look.kind === "silent")
      .map(({ name }) => name),
  };
}

/** Whether a machine holds etcd data, or may: a starting one is not known yet. */
export function isToBeWiped({ look }: Pick<SeenMachine, "look">): boolean {
  return look.kind === "holding" || look.kind === "starting";
}

/**
 * Whether etcd doesn't run and can't until its machine is wiped, for example after a failed
 * recovery.
 */
function isBroken({ state }: { readonly state: string }): boolean {
  return state === "Failed" || state === "Finished";
}

function describeSilent(silent: readonly SeenMachine[]): string {
  const names = silent.map(({ name, machineId }) =>
    machineId === "" ? name : `${name} (${machineId})`,
  );
  const ids = silent.map(({ machineId }) => machineId).filter((id) => id !== "");
  const reasons = silent.map(({ look }) => (look.kind === "silent" ? look.reason : ""));
  const start =
    ids.length === 0
      ? ""
      : `if it is stopped, start it with ${startCommand(ids.map((instanceId) => ({ instanceId })))}; otherwise `;
  const terminate =
    ids.length === 0
      ? "remove it from the program"
      : `terminate it with "aws ec2 terminate-instances --instance-ids ${ids.join(" ")}"`;
  return `${names.join(" and ")} can't be reached: ${[...new Set(reasons)].join("; ")}. Such a machine may still serve etcd to others, beside the restored one: ${start}restart it, or ${terminate}. Then run the same command again`;
}
