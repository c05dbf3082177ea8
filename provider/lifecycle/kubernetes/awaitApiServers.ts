import { parseEndpoint } from "../../api/endpoint";
import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { KubernetesApi } from "../../kubernetes/kubernetesApi";
import { parseAnswer } from "../../kubernetes/parseAnswer";
import { type Machine, withMachine } from "../machine";
import { tagOf } from "../upgrade/controlPlaneImages";
import { askApiServer, isKubernetesRefusal, seenOfKubernetes } from "./askKubernetes";

/**
 * Waits until API servers say themselves that they run the Kubernetes of an image. It asks the one
 * at the endpoint of the machine's Talos API, and each member's own at its address for etcd. Those
 * addresses are only dialled if the machine itself is dialled at one: otherwise they are private,
 * and may belong to anybody here. A server that can't be reached from here is left to the verdict
 * about its machine (`awaitWell`), and a line says so.
 *
 * @param nodes the members' addresses
 * @param image of all API servers. Without a release in its tag, nothing is awaited
 * @throws KubernetesApiError if a server refuses the administrator
 * @throws WaitTimeoutError at the deadline, with the servers and what they run
 */
export async function awaitApiServers(
  machine: Machine,
  nodes: readonly string[],
  image: string,
  { deadline, progress }: { readonly deadline: number; readonly progress: Progress },
): Promise<void> {
  const wanted = releaseIn(tagOf(image));
  if (wanted === undefined) {
    return;
  }
  const endpoint = parseEndpoint(machine.endpoint).host;
  const addresses = new Set([endpoint, ...(nodes.includes(machine.node) ? nodes : [])]);
  const unreachable = new Set<string>();
  await waitFor<undefined>({
    what: `every API server to run Kubernetes v${wanted}`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    isFatal: isKubernetesRefusal,
    probe: async ({ signal }) => {
      const kubeconfig = await withMachine(machine, (client) => client.kubeconfig({ signal }));
      const api = new KubernetesApi(kubeconfig);
      const problems = await Promise.all(
        [...addresses].map(async (address) => {
          try {
            const answer = await askApiServer(api, address, "/version", signal);
            if (answer === undefined) {
              unreachable.add(address);
              return [];
            }
            const { gitVersion = "" } = parseAnswer(answer) as { readonly gitVersion?: string };
            return releaseIn(gitVersion) === wanted ? [] : [`${address} runs ${gitVersion}`];
          } catch (error) {
            if (isKubernetesRefusal(error)) {
              throw error;
            }
            return [`${address}: ${seenOfKubernetes(error)}`];
          }
        }),
      );
      const seen = problems.flat();
      return seen.length === 0
        ? { done: true, value: undefined }
        : { done: false, status: seen.join("; ") };
    },
  });
  for (const address of unreachable) {
    progress.report(
      `the API server at ${address} can't be reached from here: its machine says it is upgraded`,
    );
  }
}

/** The release in a tag or a version, without what a vendor has added: `1.35.0`. */
function releaseIn(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+)/.exec(text)?.[1];
}
