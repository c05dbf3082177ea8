import { parseEndpoint } from "../../api/endpoint";
import { TalosApiError } from "../../api/talosApiError";
import { askInTurn, serverAt, type ServerPlace } from "../../kubernetes/askInTurn";
import {
  type KubernetesApi,
  KubernetesApiError,
  type TimedRequest,
} from "../../kubernetes/kubernetesApi";
import type { Machine } from "../machine";

const TIMEOUT_MS = 5_000;

/** Node's error codes for an unreachable machine, for example behind a firewall. */
const OUT_OF_REACH = new Set(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);

/**
 * Asks the API server at the address of a control plane machine's Talos API, and then the
 * kubeconfig's server if the first is unreachable. The first is known to work for the Talos API,
 * while a name may not have reached DNS yet.
 *
 * @param machine a control plane machine; through an endpoint that serves several, any of them
 * answers
 * @param path to get
 * @throws KubernetesApiError if the server refuses
 * @throws Error that names both servers if neither is reachable
 */
export function askKubernetes(
  api: KubernetesApi,
  machine: Pick<Machine, "endpoint">,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  return callKubernetes(api, machine, { method: "GET", path }, signal);
}

/**
 * As `askKubernetes`, for any request. A request without an answer may be sent twice, so it must be
 * idempotent.
 *
 * @param machine undefined for the kubeconfig's server alone
 */
export function callKubernetes(
  api: KubernetesApi,
  machine: Pick<Machine, "endpoint"> | undefined,
  request: TimedRequest,
  signal: AbortSignal,
): Promise<string> {
  const { timeoutMs = TIMEOUT_MS } = request;
  const places: readonly ServerPlace[] = [
    ...(machine === undefined ? [] : [serverAt(parseEndpoint(machine.endpoint).host)]),
    {},
  ];
  return askInTurn(
    places,
    (place) => api.send(request, { ...place, timeoutMs, signal }),
    isOutOfReach,
  );
}

/**
 * Asks the API server at one address, and no other. Its certificate must still be one of the cluster,
 * for the name or address of the kubeconfig's server.
 *
 * @returns the body of the answer; undefined if the address can't be reached from here, for example
 *   behind a firewall
 * @throws KubernetesApiError if the server refuses
 * @throws Error with a `code` of Node's, for example if nothing listens there
 */
export async function askApiServer(
  api: KubernetesApi,
  address: string,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await api.get(path, { ...serverAt(address), timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (isOutOfReach(error)) {
      return undefined;
    }
    throw error;
  }
}

function isOutOfReach(error: unknown): boolean {
  return OUT_OF_REACH.has(String((error as NodeJS.ErrnoException).code));
}

/** The state of the server according to an error, in a few words. */
export function seenOfKubernetes(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isAnswer = error instanceof KubernetesApiError || error instanceof TalosApiError;
  if (isAnswer || code === undefined) {
    return message;
  }
  return `the Kubernetes API can't be reached: ${message === "" ? code : message}`;
}

/** Whether waiting is useless: the server knows the client and refuses it. */
export function isKubernetesRefusal(error: unknown): boolean {
  return error instanceof KubernetesApiError && error.status === 403;
}
