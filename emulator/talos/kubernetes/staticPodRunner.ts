import { isDeepStrictEqual } from "node:util";
import type { Timers } from "../machine/timers";
import type { ContainerStatus } from "./containerStatus";
import type { RestartPace } from "./restartPace";
import { StaticPod } from "./staticPod";
import type { StaticPodApp, StaticPodDefinition } from "./staticPodDefinitions";

/** The node's interface for running static pods. */
export interface StaticPodRunnerHost {
  readonly timers: Pick<Timers, "after">;
  readonly pace: RestartPace;
  readonly nodename: () => string;
  /** Whether the machine's disk has space. */
  readonly hasSpace: () => boolean;
  /** Called when a pod has changed. */
  readonly changed: () => void;
}

/**
 * Runs the static pods of a node like its kubelet. The first pods after a boot run at once. A
 * changed definition is noticed after a delay. The old container ends before the new pod is
 * created, even if that can't run.
 */
export class StaticPodRunner {
  private readonly host: StaticPodRunnerHost;
  private readonly pods = new Map<StaticPodApp, StaticPod>();
  private wanted: readonly StaticPodDefinition[] = [];
  private isRunning = false;
  private cancelNotice: () => void = () => undefined;
  private cancelLoss: () => void = () => undefined;
  private hadApi = false;

  constructor(host: StaticPodRunnerHost) {
    this.host = host;
  }

  /** The kubelet's status of each pod, by app. */
  get statuses(): Readonly<Partial<Record<StaticPodApp, ContainerStatus>>> {
    return Object.fromEntries([...this.pods].map(([app, { status }]) => [app, status]));
  }

  /** The pod of an app whose container runs and works. */
  answering(app: StaticPodApp): StaticPodDefinition | undefined {
    const pod = this.pods.get(app);
    return pod?.answers === true ? pod.definition : undefined;
  }

  /** The log of the last container of an app that has ended, if its id begins so. */
  deadLog(app: string, idPrefix: string): readonly string[] | undefined {
    const [, pod] = [...this.pods].find(([name]) => name === app) ?? [];
    return pod?.logsOfDead.find(({ id }) => id.startsWith(idPrefix))?.lines;
  }

  /** The program of an app ends while it works, with these lines in its log. */
  fail(app: StaticPodApp, lines: readonly string[]): void {
    this.pods.get(app)?.fail(lines);
  }

  /** Sets the pods to run. */
  want(definitions: readonly StaticPodDefinition[]): void {
    if (isDeepStrictEqual(this.wanted, definitions)) {
      return;
    }
    this.wanted = definitions;
    if (!this.isRunning) {
      return;
    }
    if (this.pods.size === 0) {
      this.look();
    } else {
      this.lookLater();
    }
  }

  /** The kubelet starts: it creates the wanted pods. */
  start(): void {
    if (this.isRunning) {
      return;
    }
    this.isRunning = true;
    for (const pod of this.pods.values()) {
      pod.takeUp();
    }
    this.look();
  }

  /** The kubelet stops; its containers keep running. */
  stop(): void {
    this.isRunning = false;
    this.cancelNotice();
    for (const pod of this.pods.values()) {
      pod.leaveAlone();
    }
  }

  /** Ends every container. */
  end(): void {
    this.stop();
    this.cancelLoss();
    for (const pod of this.pods.values()) {
      pod.end();
    }
    this.pods.clear();
    this.wanted = [];
  }

  private lookLater(): void {
    this.cancelNotice();
    this.cancelNotice = this.host.timers.after(this.host.pace.noticeMs, () => this.look());
  }

  private look(): void {
    for (const [app, pod] of this.pods) {
      if (this.wanted.some((wanted) => wanted.app === app)) {
        continue;
      }
      pod.end();
      this.pods.delete(app);
      this.changed();
    }
    for (const definition of this.wanted) {
      this.make(definition);
    }
  }

  private make(definition: StaticPodDefinition): void {
    const old = this.pods.get(definition.app);
    if (old && isDeepStrictEqual(old.definition, definition)) {
      return;
    }
    old?.end();
    const { pace, timers, nodename, hasSpace } = this.host;
    const pod = new StaticPod(definition, {
      nodename: nodename(),
      pace,
      hasApi: () => this.answering("kube-apiserver") !== undefined,
      hasSpace,
      after: (delayMs, action) => timers.after(delayMs, action),
      changed: () => this.changed(),
    });
    this.pods.set(definition.app, pod);
    if (old) {
      pod.createLater();
    } else {
      pod.create();
    }
    this.changed();
  }

  /** The other components end if their API server is away for a while. */
  private changed(): void {
    const hasApi = this.answering("kube-apiserver") !== undefined;
    if (hasApi !== this.hadApi) {
      this.hadApi = hasApi;
      this.cancelLoss();
      const { timers, pace } = this.host;
      if (!hasApi) {
        this.cancelLoss = timers.after(pace.loseMs, () => {
          for (const pod of this.pods.values()) {
            pod.loseApi();
          }
        });
      }
    }
    this.host.changed();
  }
}
