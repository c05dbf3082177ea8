import type { KubernetesCall } from "./kubernetesApi";

/** Where an API server is dialled. Without an address: at the kubeconfig's server. */
export type ServerPlace = Pick<KubernetesCall, "address" | "port">;

/** Where every control plane machine of Talos serves the Kubernetes API. */
const API_SERVER_PORT = 6443;

/** The API server of the control plane machine at an address. */
export function serverAt(address: string): Required<ServerPlace> {
  return { address, port: API_SERVER_PORT };
}

/**
 * Asks one place after another, until one answers.
 *
 * @param goesOn is told each failure, and decides whether the next place is asked
 * @throws the failure of the place that was asked last
 */
export async function askInTurn<Place, Answer>(
  places: readonly Place[],
  ask: (place: Place) => Promise<Answer>,
  goesOn: (error: unknown, place: Place) => boolean,
): Promise<Answer> {
  let last: unknown = new Error("there is no place to ask");
  for (const place of places) {
    try {
      return await ask(place);
    } catch (error) {
      last = error;
      if (!goesOn(error, place)) {
        break;
      }
    }
  }
  throw last;
}
