import { parse, stringify } from "yaml";
import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { KubernetesApi } from "../../kubernetes/kubernetesApi";
import { certificateExpiry } from "../../pki/certificateExpiry";
import { type Machine, withMachine } from "../machine";
import { askKubernetes, isKubernetesRefusal, seenOfKubernetes } from "./askKubernetes";

/** A kubeconfig with its certificate. */
export interface FetchedKubeconfig {
  /** The file. Secret. */
  readonly kubeconfig: string;
  readonly serverUrl: string;
  /** The client certificate, base64 of PEM. */
  readonly certificate: string;
  /** When it ends, RFC 3339. */
  readonly notAfter: string;
}

/** Options of a kubeconfig. */
export interface KubeconfigOptions {
  /** Replaces the cluster's endpoint. Default: unchanged. */
  readonly serverUrl: string | undefined;
  /** Whether to wait until an API server has accepted it. */
  readonly isChecked: boolean;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
}

/** The parts of a kubeconfig that are read or changed here. */
interface Kubeconfig {
  clusters: { cluster: { server: string } }[];
  users: { user: { "client-certificate-data": string } }[];
}

/**
 * Gets an administrator's kubeconfig from a control plane machine, and waits until an API server
 * accepts its user. Machines create one as soon as they have their configuration, long before
 * Kubernetes is up (Talos v1.12.1).
 *
 * @throws TalosApiError if the machine refuses, for example because it is a worker
 * @throws KubernetesApiError if the API server refuses the user
 * @throws WaitTimeoutError at the deadline
 */
export async function fetchKubeconfig(
  machine: Machine,
  { serverUrl: chosenUrl, isChecked, deadline }: KubeconfigOptions,
  { report }: Progress,
): Promise<FetchedKubeconfig> {
  const remainingMs = () => Math.max(0, deadline - clock.now());
  const text = await waitFor<string>({
    what: `machine ${machine.node} to make a kubeconfig`,
    deadlineMs: remainingMs(),
    report,
    probe: async ({ signal }) => ({
      done: true,
      value: await withMachine(machine, (client) => client.kubeconfig({ signal })),
    }),
  });
  const made = readKubeconfig(text, `machine ${machine.node}`, chosenUrl);
  if (isChecked) {
    await authenticate(new KubernetesApi(text), machine, remainingMs(), report);
  }
  return made;
}

/**
 * Reads the text of a kubeconfig with one cluster and one user.
 *
 * @param source for the error
 * @param serverUrl replaces the cluster's endpoint. Default: unchanged
 * @throws Error if a part is missing
 */
export function readKubeconfig(
  text: string,
  source: string,
  serverUrl?: string,
): FetchedKubeconfig {
  const config = parse(text) as Partial<Kubeconfig> | null;
  const cluster = config?.clusters?.[0]?.cluster;
  const certificate = config?.users?.[0]?.user["client-certificate-data"];
  if (cluster === undefined || certificate === undefined) {
    throw new Error(`${source} has no kubeconfig with a cluster and a user`);
  }
  cluster.server = serverUrl ?? cluster.server;
  const notAfter = certificateExpiry(certificate).toISOString();
  return { kubeconfig: stringify(config), serverUrl: cluster.server, certificate, notAfter };
}

/** Reads a resource that only an authenticated administrator may read. */
async function authenticate(
  api: KubernetesApi,
  machine: Machine,
  deadlineMs: number,
  report: (line: string) => void,
): Promise<void> {
  await waitFor<undefined>({
    what: "the Kubernetes API to accept the kubeconfig",
    deadlineMs,
    report,
    probe: async ({ signal }) => {
      try {
        await askKubernetes(api, machine, "/api/v1/nodes?limit=1", signal);
        return { done: true, value: undefined };
      } catch (error) {
        if (isKubernetesRefusal(error)) {
          throw error;
        }
        return { done: false, status: seenOfKubernetes(error) };
      }
    },
  });
}
