import { type GrownCluster } from "./grownCluster";
import { type Heard, PacedProbe } from "./pacedProbe";

/** What was heard while the engine ran once. */
export interface WatchedUp {
  readonly change: string;
  readonly seconds: number;
  readonly endpoint: Heard;
  readonly etcd: Heard;
}

/**
 * Runs `up` while the Kubernetes API is asked for what is stored, through the load balancer, and etcd for its
 * members, every 100 ms each. Access is what was fetched before.
 *
 * @param change what the run is for
 */
export async function watchedUp(
  cluster: GrownCluster,
  change: string,
  up: () => Promise<void> = () => cluster.up(),
): Promise<WatchedUp> {
  const access = await cluster.access();
  const client = await cluster.etcdClient();
  const began = Date.now();
  const probes = [
    new PacedProbe(() => cluster.ask(access, "/api/v1/namespaces/default/configmaps")),
    new PacedProbe(() => client.voters()),
  ] as const;
  let heard: readonly [Heard, Heard] | undefined;
  try {
    await up();
  } finally {
    heard = await Promise.all([probes[0].stop(), probes[1].stop()]);
    client.close();
  }
  const [endpoint, etcd] = heard;
  return { change, seconds: Math.round((Date.now() - began) / 1000), endpoint, etcd };
}
