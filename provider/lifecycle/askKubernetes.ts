import { parseEndpoint } from "../api/endpoint";
import { TalosApiError } from "../api/talosApiError";
import {
  type KubernetesApi,
  KubernetesApiError,
  type KubernetesRequest,
} from "../kubernetes/kubernetesApi";
import type { Machine } from "./machine";

/** Where every control plane machine of Talos serves the Kubernetes API. */
const API_SERVER_PORT = 6443;

const TIMEOUT_MS = 5_000;

/** What Node says where a machine can't be reached at all, as behind a firewall. */
const OUT_OF_REACH = new Set(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);

/**
 * Asks the API server where the Talos API of a control plane machine is dialled, and the server of the
 * kubeconfig when that is out of reach from here. The former comes first because it is known to work
 * for the Talos API, while a name may still have to make its way through DNS.
 *
 * @param machine a control plane machine; through an endpoint that serves several any one answers
 * @param path what to get
 * @throws KubernetesApiError when the server refuses
 * @throws Error that names both when neither is reached
 */
export function askKubernetes(
  api: KubernetesApi,
  machine: Pick<Machine, "endpoint">,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  return callKubernetes(api, machine, { method: "GET", path }, signal);
}

/** As `askKubernetes`, for any request. One that gets no answer may be sent twice, so it has to bear that. */
export async function callKubernetes(
  api: KubernetesApi,
  { endpoint }: Pick<Machine, "endpoint">,
  request: KubernetesRequest,
  signal: AbortSignal,
): Promise<string> {
  const call = { timeoutMs: TIMEOUT_MS, signal };
  try {
    return await api.send(request, {
      ...call,
      address: parseEndpoint(endpoint).host,
      port: API_SERVER_PORT,
    });
  } catch (error) {
    if (!OUT_OF_REACH.has(String((error as NodeJS.ErrnoException).code))) {
      throw error;
    }
    return api.send(request, call);
  }
}

/** What an error of the API says of its server, in a few words. */
export function seenOfKubernetes(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isAnswer = error instanceof KubernetesApiError || error instanceof TalosApiError;
  if (isAnswer || code === undefined) {
    return message;
  }
  return `the Kubernetes API can't be reached: ${message === "" ? code : message}`;
}

/** Whether waiting may help: not when the server knows the client and refuses it. */
export function isKubernetesRefusal(error: unknown): boolean {
  return error instanceof KubernetesApiError && error.status === 403;
}
