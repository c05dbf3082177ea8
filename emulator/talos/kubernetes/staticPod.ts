import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { startRefusal } from "./componentFlags";
import { pullFailure } from "./componentImages";
import type { ContainerExit, ContainerStatus } from "./containerStatus";
import { seconds } from "./nodeObject";
import type { RestartPace } from "./restartPace";
import type { StaticPodDefinition } from "./staticPodDefinitions";

/** The node's interface for a static pod. */
export interface StaticPodHost {
  readonly nodename: string;
  readonly pace: RestartPace;
  /** Whether the node's own API server answers, which the other components need. */
  readonly hasApi: () => boolean;
  /** Whether the disk has space. Without it, the kubelet creates no container, and says nothing. */
  readonly hasSpace: () => boolean;
  /** Runs an action after a delay. Returns a function that cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void;
  /** Called when the pod's status or availability has changed. */
  readonly changed: () => void;
}

/** What a container wrote before it ended. */
export interface DeadContainerLog {
  readonly id: string;
  readonly lines: readonly string[];
}

/**
 * Once a minute, the kubelet removes the dead containers of a pod, except the last (kubernetes v1.35.0,
 * `ContainerGCPeriod`). So a status that is some seconds old still names one whose log is there.
 */
const KEPT_DEAD = 8;

/** The first back-off of a failed container is 10 s; it doubles each time, up to 5 min. */
const FIRST_BACK_OFF_SECONDS = 10;
const LONGEST_BACK_OFF_SECONDS = 300;

/**
 * A static pod of a node's kubelet, from its creation until it is replaced. It pulls the image,
 * starts the container, and restarts it after failures.
 *
 * A container of a real API server is ready as soon as it runs, before it answers. Talos gives it
 * no readiness probe (v1.12.1, `k8s/control_plane_static_pod.go`).
 */
export class StaticPod {
  readonly definition: StaticPodDefinition;
  private readonly host: StaticPodHost;
  private readonly uid: string;
  private readonly startedAt: string;
  private currentStatus: ContainerStatus;
  private currentAnswers = false;
  private failures = 0;
  private deadLogs: readonly DeadContainerLog[] = [];
  /** Cancels the kubelet's next step. */
  private cancelKubelet: () => void = () => undefined;
  /** Cancels the container's next step. */
  private cancelContainer: () => void = () => undefined;

  constructor(definition: StaticPodDefinition, host: StaticPodHost) {
    this.definition = definition;
    this.host = host;
    this.startedAt = seconds(new Date());
    this.uid = createHash("md5")
      .update(JSON.stringify([host.nodename, definition]))
      .digest("hex");
    this.currentStatus = {
      image: definition.image,
      podUid: this.uid,
      podStartedAt: this.startedAt,
      annotations: definition.annotations,
      state: undefined,
      restartCount: 0,
      started: false,
      ready: false,
      readyChangedAt: this.startedAt,
    };
  }

  /** Its status as the kubelet reports it. */
  get status(): ContainerStatus {
    return this.currentStatus;
  }

  /** Whether its container runs and works. */
  get answers(): boolean {
    return this.currentAnswers;
  }

  /** The logs of its containers that have ended, the last one first. */
  get logsOfDead(): readonly DeadContainerLog[] {
    return this.deadLogs;
  }

  /** Creates the container immediately, if possible. */
  create(): void {
    this.currentCreate(0);
  }

  /** Creates the container with the delay of a running node. */
  createLater(): void {
    this.cancelKubelet = this.host.after(this.host.pace.stopMs, () =>
      this.currentCreate(this.host.pace.answerMs),
    );
  }

  /** The kubelet stops. The container keeps running but isn't restarted after a failure. */
  leaveAlone(): void {
    this.cancelKubelet();
  }

  /** The kubelet is back and continues with a pod whose container doesn't run. */
  takeUp(): void {
    const { state } = this.currentStatus;
    if (state === undefined || !("running" in state)) {
      this.currentCreate(this.host.pace.answerMs);
    }
  }

  /** The API server was away for too long: a component that needs it ends. */
  loseApi(): void {
    const { app } = this.definition;
    const { state } = this.currentStatus;
    if (app === "kube-apiserver" || state === undefined || !("running" in state)) {
      return;
    }
    this.cancelContainer();
    this.crashed(state.running.startedAt, "leaderelection lost");
  }

  /** The program ends while it works, with these lines in its log. */
  fail(lines: readonly string[]): void {
    const { state } = this.currentStatus;
    if (this.currentAnswers && state !== undefined && "running" in state) {
      this.exited(state.running.startedAt, lines);
    }
  }

  /** Ends the container. */
  end(): void {
    this.cancelKubelet();
    this.cancelContainer();
    this.currentAnswers = false;
  }

  private currentCreate(answerMs: number): void {
    const { app, image } = this.definition;
    const { pace, after, hasSpace } = this.host;
    if (!hasSpace()) {
      this.cancelKubelet = after(pace.backOffMs(1), () => this.currentCreate(pace.answerMs));
      return;
    }
    const failure = pullFailure(app, image);
    if (failure === undefined) {
      this.start(answerMs);
    } else {
      this.failToPull(failure);
    }
  }

  private failToPull(message: string): void {
    const { pace, after } = this.host;
    this.put({ state: { waiting: { reason: "ErrImagePull", message } } });
    this.cancelKubelet = after(pace.stopMs, () => {
      const { image } = this.definition;
      const backOff = `Back-off pulling image "${image}": ErrImagePull: ${message}`;
      this.put({ state: { waiting: { reason: "ImagePullBackOff", message: backOff } } });
      this.cancelKubelet = after(pace.backOffMs(1), () => this.currentCreate(pace.answerMs));
    });
  }

  private start(answerMs: number): void {
    const { app, image, extraArgs, fileFault, refusedFile } = this.definition;
    const { pace, after, hasApi } = this.host;
    const startedAt = seconds(new Date());
    // The API server has no probes; the other components have.
    const isReady = app === "kube-apiserver" || answerMs === 0;
    this.put({ state: { running: { startedAt } }, started: isReady, ready: isReady });
    const refusal = startRefusal({ program: app, extraArgs, image });
    const isLost = app !== "kube-apiserver" && answerMs > 0 && !hasApi();
    const reason =
      refusal ?? refusedFile ?? fileFault ?? (isLost ? "leaderelection lost" : undefined);
    if (reason !== undefined) {
      this.cancelContainer = after(pace.crashMs, () => this.crashed(startedAt, reason));
      return;
    }
    const answer = () => {
      this.currentAnswers = true;
      this.put({ started: true, ready: true });
    };
    if (answerMs === 0) {
      answer();
    } else {
      this.cancelContainer = after(answerMs, answer);
    }
  }

  private crashed(startedAt: string, reason: string): void {
    const { app } = this.definition;
    this.exited(startedAt, ["Usage:", `  ${app} [flags]`, "", `Error: ${reason}`]);
  }

  private exited(startedAt: string, words: readonly string[]): void {
    const { nodename, pace, after } = this.host;
    const { app } = this.definition;
    const now = new Date();
    const id = createHash("sha256").update(`${this.uid} ${this.failures}`).digest("hex");
    const lines = words.map((line) => `${now.toISOString()} stderr F ${line}`);
    this.deadLogs = [{ id, lines }, ...this.deadLogs].slice(0, KEPT_DEAD);
    const exit: ContainerExit = {
      exitCode: 1,
      reason: "Error",
      startedAt,
      finishedAt: seconds(now),
      containerID: `containerd://${id}`,
    };
    this.failures += 1;
    this.currentAnswers = false;
    const backOffMs = pace.backOffMs(this.failures);
    const backOffSeconds = Math.min(
      LONGEST_BACK_OFF_SECONDS,
      FIRST_BACK_OFF_SECONDS * 2 ** Math.max(0, this.failures - 2),
    );
    const message = `back-off ${durationText(backOffSeconds)} restarting failed container=${app} pod=${app}-${nodename}_kube-system(${this.uid})`;
    this.put({ state: { terminated: exit }, started: false, ready: false });
    this.cancelKubelet = after(backOffMs / 2, () => {
      this.put({ state: { waiting: { reason: "CrashLoopBackOff", message } }, lastExit: exit });
      this.cancelKubelet = after(backOffMs / 2, () => {
        this.currentStatus = {
          ...this.currentStatus,
          restartCount: this.currentStatus.restartCount + 1,
        };
        this.start(pace.answerMs);
      });
    });
  }

  private put(change: Partial<ContainerStatus>): void {
    const before = this.currentStatus;
    const next = { ...before, ...change };
    this.currentStatus =
      next.ready === before.ready ? next : { ...next, readyChangedAt: seconds(new Date()) };
    if (!isDeepStrictEqual(before, this.currentStatus) || change.ready === true) {
      this.host.changed();
    }
  }
}

/** A duration in Go's notation: `10s`, `1m20s`. */
function durationText(totalSeconds: number): string {
  const minutes = Math.floor(totalSeconds / 60);
  return minutes === 0 ? `${totalSeconds}s` : `${minutes}m${totalSeconds % 60}s`;
}
