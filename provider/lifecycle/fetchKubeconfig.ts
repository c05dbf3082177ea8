import { parse, stringify } from "yaml";
import { TalosClient } from "../api/talosClient";
import { waitFor } from "../api/waitFor";
import { certificateExpiry } from "../pki/certificateExpiry";
import type { Machine } from "./machine";

/** A kubeconfig and what there is to know of it. */
export interface FetchedKubeconfig {
  /** The file. Secret. */
  readonly kubeconfig: string;
  readonly serverUrl: string;
  /** The client certificate, base64 of PEM. */
  readonly certificate: string;
  /** When it ends, RFC 3339. */
  readonly notAfter: string;
}

/** The parts of a kubeconfig that are read or changed here. */
interface Kubeconfig {
  clusters: { cluster: { server: string } }[];
  users: { user: { "client-certificate-data": string } }[];
}

/**
 * Has a control plane machine make an administrator's kubeconfig.
 *
 * @param options.serverUrl put in place of the cluster's endpoint; default: leave that
 * @param options.deadline when to give up, in milliseconds since 1970
 * @throws TalosApiError when the machine refuses, for example because it is a worker
 * @throws WaitTimeoutError at the deadline
 */
export async function fetchKubeconfig(
  machine: Machine,
  options: { readonly serverUrl: string | undefined; readonly deadline: number },
  report: (line: string) => void,
): Promise<FetchedKubeconfig> {
  const text = await waitFor<string>({
    what: `machine ${machine.node} to make a kubeconfig`,
    deadlineMs: Math.max(0, options.deadline - Date.now()),
    report,
    probe: async ({ signal }) => {
      const client = TalosClient.connect(machine);
      try {
        return { done: true, value: await client.kubeconfig({ signal }) };
      } finally {
        client.close();
      }
    },
  });
  const config = parse(text) as Kubeconfig;
  const cluster = config.clusters[0]?.cluster;
  const certificate = config.users[0]?.user["client-certificate-data"];
  if (cluster === undefined || certificate === undefined) {
    throw new Error(`machine ${machine.node} made a kubeconfig without a cluster or a user`);
  }
  const serverUrl = options.serverUrl ?? cluster.server;
  cluster.server = serverUrl;
  const notAfter = certificateExpiry(certificate).toISOString();
  return { kubeconfig: stringify(config), serverUrl, certificate, notAfter };
}
