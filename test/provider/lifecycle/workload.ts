import type { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";

const labels = { app: "web" };
const { signal } = new AbortController();

/** A Deployment `web` with its budget, as in production. */
export interface Workload {
  readonly replicas: number;
  /** Of its PodDisruptionBudget. */
  readonly minAvailable: number;
}

/** Creates a workload and waits until all its pods are healthy. */
export async function createWorkload(
  access: KubernetesAccess,
  { replicas, minAvailable }: Workload,
): Promise<void> {
  await access.send(
    {
      method: "POST",
      path: "/apis/apps/v1/namespaces/default/deployments",
      body: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              terminationGracePeriodSeconds: 1,
              containers: [
                { name: "web", image: "docker.io/library/busybox:1", command: ["sleep", "3600"] },
              ],
            },
          },
        },
      },
    },
    signal,
  );
  await access.send(
    {
      method: "POST",
      path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
      body: {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "web" },
        spec: { minAvailable, selector: { matchLabels: labels } },
      },
    },
    signal,
  );
  await eventuallyIn(`${replicas} healthy pods`, async () => {
    const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web";
    const { status } = await access.read<{ status?: { currentHealthy?: number } }>(path, signal);
    return status?.currentHealthy === replicas;
  });
}

/** Changes how many of its pods have to be healthy. */
export async function resizeBudget(access: KubernetesAccess, minAvailable: number): Promise<void> {
  const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web";
  const contentType = "application/merge-patch+json";
  const body = { spec: { minAvailable } };
  await access.send({ method: "PATCH", path, body, contentType }, signal);
}

/** Waits in real time, which simulated machines go by. */
export async function eventuallyIn(what: string, look: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < 600; count += 1) {
    if (await look()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`there never were ${what}`);
}
