import type { ComponentFacts } from "../config/componentFacts";
import { startRefusal } from "../kubernetes/componentFlags";
import { pullFailure } from "../kubernetes/componentImages";
import type { RestartPace } from "../kubernetes/restartPace";
import type { LogBook } from "../runtime/logBook";
import { pullInVain } from "./imagePull";
import type { ServiceBoard } from "./serviceBoard";
import {
  beginStart,
  finishStart,
  pidOf,
  serviceRecipes,
  startedText,
  stopService,
} from "./serviceCatalog";
import type { Timers } from "./timers";

/** The node of the kubelet's service. */
export interface KubeletServiceHost {
  readonly services: ServiceBoard;
  readonly timers: Pick<Timers, "after">;
  readonly logs: Pick<LogBook, "talos">;
  readonly pace: RestartPace;
  readonly facts: () => ComponentFacts;
  /** Whether a fault keeps it from running. */
  readonly isHeld: () => boolean;
  /** Called when the kubelet has started to work. */
  readonly began: () => void;
  /** Called when it has ended. */
  readonly ended: () => void;
}

const recipe = serviceRecipes.kubelet;
const { id } = recipe;

/**
 * The kubelet as a service of Talos. A change of its configuration restarts it, a failing program
 * is restarted forever, and a failing image pull is abandoned after a while. Talos starts an
 * abandoned kubelet only when its configuration changes. Source: talos v1.12.1,
 * `k8s/kubelet_service.go`, `services/kubelet.go`, `runner/restart`, `containers/image`.
 */
export class KubeletService {
  private readonly host: KubeletServiceHost;
  private currentIsWorking = false;
  private cancel: () => void = () => undefined;

  constructor(host: KubeletServiceHost) {
    this.host = host;
  }

  /** Whether the program runs and works. */
  get isWorking(): boolean {
    return this.currentIsWorking;
  }

  /** Starts at once, as during a boot. */
  start(): void {
    const { services, isHeld } = this.host;
    if (isHeld()) {
      return;
    }
    beginStart(services, recipe);
    if (this.failure() !== undefined) {
      this.prepare();
      return;
    }
    finishStart(services, recipe);
    this.begin();
  }

  /** Stops. */
  stop(): void {
    const { services } = this.host;
    const state = services.find(id)?.state;
    this.end();
    if (state === "Waiting" || state === "Preparing") {
      services.transition(id, "Stopping", "Aborting restart sequence");
      services.transition(id, "Finished", "Service finished successfully");
    } else {
      stopService(services, recipe);
    }
  }

  /** Restarts with the latest configuration. It takes a while. */
  restart(): void {
    this.stop();
    const { timers, pace, services, isHeld } = this.host;
    this.cancel = timers.after(pace.stopMs, () => {
      if (isHeld()) {
        return;
      }
      beginStart(services, recipe);
      this.prepare();
    });
  }

  /** Stops when a fault keeps it from running, and starts when none does. */
  followHold(): void {
    const { services, isHeld } = this.host;
    const state = services.find(id)?.state;
    if (state === undefined) {
      return;
    }
    if (!isHeld()) {
      if (state === "Finished") {
        this.restart();
      }
    } else if (state !== "Finished") {
      this.stop();
    }
  }

  private prepare(): void {
    const { services, timers, pace, facts, logs } = this.host;
    const { image } = facts();
    const failure = pullFailure(id, image);
    services.transition(id, "Preparing", "Running pre state");
    if (failure === undefined) {
      services.transition(id, "Preparing", "Creating service runner");
      this.cancel = timers.after(pace.stopMs / 2, () => this.run());
      return;
    }
    this.cancel = pullInVain({ image, failure, timers, logs, rerunMs: pace.rerunMs }, (error) =>
      services.transition(id, "Failed", `Failed to run pre stage: ${error}`),
    );
  }

  private run(): void {
    const { services, timers, pace, facts } = this.host;
    services.transition(id, "Running", startedText(recipe));
    const refusal = startRefusal({ program: id, ...facts() });
    if (refusal !== undefined) {
      this.cancel = timers.after(pace.crashMs, () => this.crashed(refusal));
      return;
    }
    this.begin();
    this.cancel = timers.after(pace.answerMs, () => services.checked(id));
  }

  private crashed(refusal: string): void {
    const { services, timers, pace } = this.host;
    const at = new Date().toISOString();
    const stamp = `E${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}000`;
    // Gates come with the configuration file, after the flags.
    const failure = refusal.includes("feature gate")
      ? `failed to set feature gates from initial flags-based config: ${refusal}`
      : `failed to parse kubelet flag: ${refusal}`;
    const lastLog = `${stamp}     ${pidOf(id)} run.go:72] "command failed" err=${JSON.stringify(failure)}`;
    services.transition(
      id,
      "Waiting",
      `Error running Containerd(${id}), going to restart forever: task "${id}" failed: exit code 1 (last log ${JSON.stringify(lastLog)})`,
    );
    this.cancel = timers.after(pace.rerunMs, () => this.run());
  }

  private failure(): string | undefined {
    const facts = this.host.facts();
    return pullFailure(id, facts.image) ?? startRefusal({ program: id, ...facts });
  }

  private begin(): void {
    this.currentIsWorking = true;
    this.host.began();
  }

  private end(): void {
    this.cancel();
    if (!this.currentIsWorking) {
      return;
    }
    this.currentIsWorking = false;
    this.host.ended();
  }
}
