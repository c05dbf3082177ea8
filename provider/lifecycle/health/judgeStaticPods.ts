import type {
  ContainerEnd,
  ContainerStatusSpec,
  StaticPodStatusSpec,
} from "../../api/kubeletResources";
import { judgeRendering, type RenderingFacts } from "./judgeRendering";
import type { MachineFacts, StaticPod } from "./machineFacts";

/** The problems of static pods, one per pod. */
export interface StaticPodVerdict {
  /** What Talos has not rendered from what is configured now: `judgeRendering`. */
  readonly unrendered: readonly string[];
  readonly problems: readonly string[];
  /**
   * Ready pods that were changed, but need no restart if the change was reverted before the kubelet
   * noticed it. Talos marks those of the control plane, so this can't happen to them.
   */
  readonly unseen: readonly string[];
  /** How containers have ended that don't run. */
  readonly crashes: readonly ContainerCrash[];
  /** Changes when a container was restarted. */
  readonly starts: string;
}

/** A container that has ended by itself. */
export interface ContainerCrash {
  readonly name: string;
  /** Its id for logs of Talos: `<namespace>/<pod>:<container>:<id>`. */
  readonly logId: string;
}

/** The length of the part of a container's id that Talos shows. */
const SHORT_ID = 12;

/**
 * Judges the static pods of a control plane machine. A pod is healthy when all its containers are
 * ready and were started after Talos last changed it. Talos must also have rendered it from what is
 * configured now. Talos asks the kubelet every 15 s, and the kubelet asks Talos every 20 s. So a
 * ready pod may be the old one. Both times are the machine's own; the kubelet's have whole seconds.
 */
export function judgeStaticPods(
  facts: Pick<MachineFacts, "pods" | "podStatuses" | "nodename" | keyof RenderingFacts>,
): StaticPodVerdict {
  const { pods, podStatuses, nodename = "" } = facts;
  const problems: string[] = [];
  const unseen: string[] = [];
  const crashes: ContainerCrash[] = [];
  for (const pod of pods) {
    const id = `${pod.namespace}/${pod.name}-${nodename.toLowerCase()}`;
    const status = podStatuses.get(id);
    if (status === undefined) {
      problems.push(`pod ${id}: the kubelet doesn't show it yet`);
      continue;
    }
    const problem = judgePod(status);
    if (problem !== undefined) {
      problems.push(`pod ${id}: ${problem}`);
      crashes.push(...status.containers.flatMap((container) => crashOf(id, container)));
    } else if (isOlder(pod, status)) {
      const line = `pod ${id}: the kubelet still runs the one before its last change`;
      (pod.versions === undefined ? unseen : problems).push(line);
    }
  }
  const starts = [...podStatuses.values()].flatMap(startsOf).join(" ");
  return { unrendered: judgeRendering(facts, pods), problems, unseen, crashes, starts };
}

function crashOf(podId: string, { name, ready, terminated, lastEnd }: ContainerStatusSpec) {
  const { containerId = "" } = terminated ?? lastEnd ?? {};
  const [, id = ""] = containerId.split("://");
  return ready || id === "" ? [] : [{ name, logId: `${podId}:${name}:${id.slice(0, SHORT_ID)}` }];
}

function judgePod(status: StaticPodStatusSpec): string | undefined {
  const { phase, reason, message, ready } = status;
  if (phase === "Succeeded") {
    return undefined;
  }
  const broken = status.containers.flatMap(describeContainer);
  if (broken.length > 0) {
    return broken.join(", ");
  }
  if (phase === "Running" && ready) {
    return undefined;
  }
  const seen = phase === "Running" ? "it is not ready" : `it is ${phase}`;
  return [seen, reason, message].filter((each) => each !== "").join(": ");
}

/** The problem of a container, with the kubelet's message and its last end. */
function describeContainer(container: ContainerStatusSpec): string[] {
  const { name, ready, startedAt, waiting, terminated, lastEnd } = container;
  if (ready) {
    return [];
  }
  const end = terminated ?? lastEnd;
  const seen =
    startedAt !== undefined
      ? "runs, but is not ready"
      : waiting !== undefined
        ? ["is waiting", waiting.reason, waiting.message].filter((each) => each !== "").join(": ")
        : "doesn't run";
  return [`container ${name} ${seen}${end === undefined ? "" : `; ${describeEnd(end)}`}`];
}

function describeEnd({ exitCode, reason, message }: ContainerEnd): string {
  const why = [reason, message.trim()].filter((each) => each !== "").join(": ");
  return `it ended with exit code ${exitCode}${why === "" ? "" : ` (${why})`}`;
}

/** Whether a container was started before the pod was last changed. */
function isOlder({ updatedAt }: StaticPod, status: StaticPodStatusSpec): boolean {
  const changedAt = updatedAt === undefined ? 0 : wholeSecond(updatedAt);
  return startsOf(status).some((startedAt) => wholeSecond(startedAt) < changedAt);
}

function startsOf({ containers }: StaticPodStatusSpec): string[] {
  return containers.flatMap(({ startedAt }) => startedAt ?? []);
}

function wholeSecond(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
