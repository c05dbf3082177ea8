import { type ProbeResult, waitFor } from "../../api/waitFor";
import type { Progress } from "../../base/progress";
import { askInTurn } from "../../kubernetes/askInTurn";
import { KubernetesApi, type TimedRequest } from "../../kubernetes/kubernetesApi";
import { parseAnswer } from "../../kubernetes/parseAnswer";
import { type Machine, withMachine } from "../machine";
import { ApiServers } from "./apiServers";
import { callKubernetes, isKubernetesRefusal, seenOfKubernetes } from "./askKubernetes";

/** A machine that is off must not delay the next. */
const LOOK_TIMEOUT_MS = 5_000;

/** A cluster's Kubernetes API as its administrator. */
export class KubernetesAccess {
  /**
   * @param through the control plane machine whose API server is asked; undefined for the
   *   kubeconfig's server
   */
  constructor(
    private readonly api: KubernetesApi,
    private readonly through: Pick<Machine, "endpoint"> | undefined,
  ) {}

  /**
   * Gets a kubeconfig from a control plane machine, keeps it in memory, and checks that its API
   * server is ready. If none is, the kubeconfig's own server is asked: a load balancer may lead to
   * an API server whose machine can't be reached from here.
   *
   * @param controlPlanes asked one after another
   * @throws Error with the reason of each machine
   */
  static async open(
    controlPlanes: readonly Machine[],
    signal: AbortSignal,
  ): Promise<KubernetesAccess> {
    const problems: string[] = [];
    let api: KubernetesApi | undefined;
    const open = async (through: Machine | undefined) => {
      api = through === undefined ? api : new KubernetesApi(await kubeconfigOf(through, signal));
      if (api === undefined) {
        throw new Error("no machine has given a kubeconfig");
      }
      const access = new KubernetesAccess(api, through);
      await access.send({ method: "GET", path: "/readyz" }, signal);
      return access;
    };
    try {
      return await askInTurn([...controlPlanes, undefined], open, (error, through) => {
        problems.push(...(through ? [`${through.node}: ${seenOfKubernetes(error)}`] : []));
        return true;
      });
    } catch {
      throw new Error(`no control plane machine serves Kubernetes: ${problems.join("; ")}`);
    }
  }

  /**
   * @returns the body of the answer
   * @throws KubernetesApiError when the server refuses
   */
  send(request: TimedRequest, signal: AbortSignal): Promise<string> {
    return callKubernetes(this.api, this.through, request, signal);
  }

  /** Reads an object or a list. */
  async read<Value>(path: string, signal: AbortSignal): Promise<Value> {
    return parseAnswer(await this.send({ method: "GET", path }, signal)) as Value;
  }
}

function kubeconfigOf(machine: Machine, signal: AbortSignal): Promise<string> {
  return withMachine(machine, (client) =>
    client.kubeconfig({ signal, timeoutMs: LOOK_TIMEOUT_MS }),
  );
}

/** No API server of a cluster has run for a while, as its machines report. */
export class ApiServersDownError extends Error {
  override readonly name = "ApiServersDownError";
}

/** A wait for a state in Kubernetes. */
export interface KubernetesWait {
  /** Completes "waiting for …". */
  readonly what: string;
  /** Asked one after another, again at each check. */
  readonly controlPlanes: readonly Machine[];
  readonly deadlineMs: number;
  /**
   * How long no API server may run, as the machines report, before the wait ends. Default: the
   * whole wait
   */
  readonly downMs?: number;
  readonly progress: Progress;
  /** Ends the wait early. */
  readonly signal?: AbortSignal;
  readonly look: (access: KubernetesAccess, signal: AbortSignal) => Promise<ProbeResult<undefined>>;
}

/**
 * Checks until the state is reached. It continues while no control plane machine answers.
 *
 * @throws ApiServersDownError if no API server runs for `downMs`
 * @throws KubernetesApiError if the server refuses the administrator
 * @throws WaitTimeoutError at the deadline
 */
export function waitForKubernetes(wait: KubernetesWait): Promise<undefined> {
  const { what, controlPlanes, deadlineMs, downMs, progress, signal: ended, look } = wait;
  const servers = downMs === undefined ? undefined : new ApiServers(controlPlanes, downMs);
  return waitFor<undefined>({
    what,
    deadlineMs,
    report: progress.report,
    ...(ended && { signal: ended }),
    isFatal: (error) => isKubernetesRefusal(error) || error instanceof ApiServersDownError,
    probe: async ({ signal }) => {
      try {
        const result = await look(await KubernetesAccess.open(controlPlanes, signal), signal);
        servers?.answered();
        return result;
      } catch (error) {
        if (isKubernetesRefusal(error)) {
          throw error;
        }
        if ((await servers?.areDown(signal)) === true) {
          throw new ApiServersDownError(seenOfKubernetes(error), { cause: error });
        }
        return { done: false, status: seenOfKubernetes(error) };
      }
    },
  });
}
