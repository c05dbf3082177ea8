import type { EtcdLook } from "../../provider/lifecycle/lookAtEtcd";
import type { RestoreTarget } from "./restoreTarget";
import type { SnapshotFacts } from "./snapshotFacts";

/** What was found of a control plane machine. */
export interface SeenMachine {
  readonly name: string;
  /** Its EC2 instance id; empty for a machine that is none. */
  readonly machineId: string;
  /** Whether AWS, or the state after it, has no such instance any more. */
  readonly isGone: boolean;
  readonly look: EtcdLook;
}

/** What a person allows a restore to lose. */
export interface RestoreConsent {
  /** `--discard-running-etcd`. */
  readonly discardRunningEtcd: boolean;
  /** `--accept-other-cluster`. */
  readonly acceptOtherCluster: boolean;
}

/** What a restore does. */
export type RestorePlan =
  | { readonly kind: "refused"; readonly reason: string }
  /** Begins, or begins again with what the first run didn't wipe. */
  | {
      readonly kind: "begin";
      /** Names of machines whose etcd is wiped. */
      readonly wiped: readonly string[];
      /** Names of machines that are made anew. */
      readonly lost: readonly string[];
    }
  /** Goes on where no machine holds the old etcd any more. */
  | { readonly kind: "goOn" }
  /** etcd came back before; machines may be missing. */
  | { readonly kind: "finish" };

/** Where a restore from this snapshot stands by what is recorded, before any machine is asked. */
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

/** Plans a restore, or says why it can't be. Pure. */
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
      reason: `"${snapshot.path}" is of another cluster: the Kubernetes API that it names has another authority. What another cluster's keys have signed or encrypted can't be read here; say --accept-other-cluster where the authority was only rotated since`,
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
        ? `etcd has come back from this snapshot and has its majority (${members}): "talos-aws up ${stack} --refresh" does what the run before may have left`
        : `etcd has its majority (${members}), so nothing is lost yet: "talos-aws up ${stack} --refresh" makes a machine that is gone anew, and etcd brings it up to date`;
    return {
      kind: "refused",
      reason: `${found}. To go back to the snapshot and lose all that was written since, say --discard-running-etcd`,
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

/** Whether a machine holds etcd, or may: one that starts has yet to say. */
export function isToBeWiped({ look }: Pick<SeenMachine, "look">): boolean {
  return look.kind === "holding" || look.kind === "starting";
}

/** Whether etcd doesn't run and won't before its machine is wiped, as after a recovery that failed. */
function isBroken({ state }: { readonly state: string }): boolean {
  return state === "Failed" || state === "Finished";
}

function describeSilent(silent: readonly SeenMachine[]): string {
  const names = silent.map(({ name, machineId }) =>
    machineId === "" ? name : `${name} (${machineId})`,
  );
  const ids = silent.map(({ machineId }) => machineId).filter((id) => id !== "");
  const reasons = silent.map(({ look }) => (look.kind === "silent" ? look.reason : ""));
  const terminate =
    ids.length === 0
      ? "take it out of the program"
      : `terminate it with "aws ec2 terminate-instances --instance-ids ${ids.join(" ")}"`;
  return `${names.join(" and ")} can't be asked: ${[...new Set(reasons)].join("; ")}. A machine that only this computer doesn't reach may serve etcd, and would go on beside the restored one: bring it back, or ${terminate}. Then run the same command again`;
}
