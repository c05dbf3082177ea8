import type { EtcdFacts } from "../config/componentFacts";
import { startRefusal } from "../kubernetes/componentFlags";
import { pullFailure } from "../kubernetes/componentImages";
import { pullInVain } from "../machine/imagePull";
import type { ServiceBoard } from "../machine/serviceBoard";
import { serviceRecipes, startedText } from "../machine/serviceCatalog";
import type { Timers } from "../machine/timers";
import type { LogBook } from "../runtime/logBook";

/** Why etcd doesn't get up. */
export type StartProblem =
  | {
      /**
       * `arguments`: Talos refuses at once. `program`: etcd ends, and Talos starts it again forever.
       */
      readonly kind: "arguments" | "program";
      /** The end of the service's message. */
      readonly message: string;
    }
  | {
      /** Talos tries the image for a while, and then gives up. */
      readonly kind: "pull";
      readonly image: string;
      /** What containerd says. */
      readonly failure: string;
    };

/** Arguments of Talos that a configuration can't replace. */
const OWN_ARGUMENTS: readonly string[] = [
  "name",
  "data-dir",
  "auto-tls",
  "peer-auto-tls",
  "listen-peer-urls",
  "listen-client-urls",
  "client-cert-auth",
  "cert-file",
  "key-file",
  "trusted-ca-file",
  "peer-client-cert-auth",
  "peer-cert-file",
  "peer-key-file",
  "peer-trusted-ca-file",
  "experimental-initial-corrupt-check",
  "experimental-watch-progress-notify-interval",
  "experimental-compact-hash-check-enabled",
];

/**
 * Why etcd doesn't start with its configuration; undefined if it does. Source: talos v1.12.1,
 * `services/etcd.go` (`PreFunc`, `argsForControlPlane`).
 */
export function startProblem({ image, extraArgs }: EtcdFacts): StartProblem | undefined {
  const failure = pullFailure("etcd", image);
  if (failure !== undefined) {
    return { kind: "pull", image, failure };
  }
  const own = Object.keys(extraArgs).find((flag) => OWN_ARGUMENTS.includes(flag));
  if (own !== undefined) {
    return { kind: "arguments", message: `extra arg ${JSON.stringify(own)} is not allowed` };
  }
  const message = startRefusal({ program: "etcd", extraArgs, image });
  return message === undefined ? undefined : { kind: "program", message };
}

/** The machine of an etcd that doesn't get up. */
interface FailingHost {
  readonly services: ServiceBoard;
  readonly timers: Pick<Timers, "after">;
  readonly logs: Pick<LogBook, "talos">;
  readonly rerunMs: number;
}

const { etcd: recipe } = serviceRecipes;

/**
 * Gives up a start before the program runs. Only a reboot tries again, whatever the configuration
 * is by then.
 *
 * @returns cancels it
 */
export function giveUp(problem: StartProblem, host: FailingHost): () => void {
  const fail = (message: string) =>
    host.services.transition(recipe.id, "Failed", `Failed to run pre stage: ${message}`);
  if (problem.kind !== "pull") {
    return host.timers.after(0, () => fail(problem.message));
  }
  const { image, failure } = problem;
  return pullInVain({ ...host, image, failure }, (error) =>
    fail(`failed to pull image "${image}": ${error}`),
  );
}

/**
 * Lets the program end at once, whenever Talos starts it again with the arguments of its start.
 *
 * @returns cancels it
 */
export function keepCrashing(
  message: string,
  { services, timers, rerunMs }: FailingHost,
): () => void {
  let cancel: () => void = () => undefined;
  const crash = () => {
    const text = `Error running Containerd(${recipe.id}), going to restart forever: task "${recipe.id}" failed: exit code 2 (last log ${JSON.stringify(message)})`;
    services.transition(recipe.id, "Waiting", text);
    cancel = timers.after(rerunMs, () => {
      services.transition(recipe.id, "Running", startedText(recipe));
      crash();
    });
  };
  crash();
  return () => cancel();
}
