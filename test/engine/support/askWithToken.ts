import { request } from "node:https";
import type { EngineWorld } from "./engineWorld";

const ENDPOINT = "k8s.local.talos.example";

/**
 * Asks the API server that the load balancer chooses as a service account, over a connection of its
 * own. One that ends with an API server that restarts is made anew.
 *
 * @returns the HTTP status: 401 for a token that it refuses, 403 for an account without permissions
 */
export async function askWithToken(
  { emulator }: EngineWorld,
  token: string,
  tries = 50,
): Promise<number> {
  const [host = ""] = await emulator.resolve(ENDPOINT);
  for (let left = tries; ; left -= 1) {
    try {
      return await statusOf(host, token);
    } catch (error) {
      const isLost = /ECONNRESET|ECONNREFUSED|socket hang up/.test(String(error));
      if (!isLost || left === 0) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function statusOf(host: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host,
        port: 6443,
        path: "/api/v1/namespaces",
        headers: { authorization: `Bearer ${token}` },
        agent: false,
        // Other tests look at the server's certificate.
        rejectUnauthorized: false,
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
        response.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}
