import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import type { EngineWorld } from "./engineWorld";

const ENDPOINT = "k8s.local.talos.example";

/**
 * Asks the API server that the load balancer chooses, over a connection of its own. One that ends with an
 * API server that restarts is made anew: the load balancer needs a moment to notice.
 */
export async function askEndpoint(
  { emulator }: EngineWorld,
  kubeconfig: string,
  path: string,
  tries = 50,
): Promise<string> {
  const [address = ""] = await emulator.resolve(ENDPOINT);
  const options = { address, port: 6443, timeoutMs: 60_000 };
  for (let left = tries; ; left -= 1) {
    try {
      return await new KubernetesApi(kubeconfig).get(path, options);
    } catch (error) {
      const isLost = /ECONNRESET|ECONNREFUSED|socket hang up/.test(String(error));
      if (!isLost || left === 0) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
