import { get } from "node:http";
import { request as insecureRequest } from "node:https";
import { waitFor } from "../../../provider/api/waitFor";
import type { LifeCluster, PodList } from "./lifeCluster";
import { addressOf } from "./lifeWish";

const NODE_PORT = 30_080;
const labels = { app: "life" };
const MOUNTS = [
  { name: "token", mountPath: "/srv/token" },
  { name: "secret", mountPath: "/srv/secret" },
];

/** What the workload's Secret holds. */
export const SECRET_VALUE = "of the life";

/** Two pods that serve, over a node port, their service account's token and a Secret of etcd. */
export async function makeWorkloads(cluster: LifeCluster): Promise<void> {
  const create = async (path: string, body: object) => {
    await cluster.send({ method: "POST", path, body }).catch((error: unknown) => {
      if (!/already exists|already allocated/.test(String(error))) {
        throw error;
      }
    });
  };
  const core = "/api/v1/namespaces/default";
  await create(`${core}/serviceaccounts`, { metadata: { name: "life" } });
  await create(`${core}/secrets`, {
    metadata: { name: "life" },
    stringData: { value: SECRET_VALUE },
  });
  await create(`${core}/services`, {
    metadata: { name: "life" },
    spec: {
      type: "NodePort",
      selector: labels,
      ports: [{ port: 80, targetPort: 8_080, nodePort: NODE_PORT }],
    },
  });
  await create("/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
    metadata: { name: "life" },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  });
  await create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "life" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name: "life", namespace: "default" }],
  });
  await create("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "life" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: "life",
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: "life",
              image: "docker.io/library/busybox:1",
              command: ["httpd", "-f", "-p", "8080", "-h", "/srv"],
              volumeMounts: MOUNTS,
            },
          ],
          volumes: [
            {
              name: "token",
              projected: {
                sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 7_200 } }],
              },
            },
            { name: "secret", secret: { secretName: "life" } },
          ],
        },
      },
    },
  });
  await awaitWorkloads(cluster);
}

/** Waits until both pods are ready and answer. */
export async function awaitWorkloads(cluster: LifeCluster): Promise<void> {
  await waitFor<undefined>({
    what: "the workloads",
    deadlineMs: 300_000,
    isFatal: () => false,
    probe: async () => {
      const { status } = await cluster.ask<{ status: { availableReplicas?: number } }>(
        "/apis/apps/v1/namespaces/default/deployments/life",
      );
      if (status.availableReplicas !== 2) {
        return { done: false, status: `${status.availableReplicas ?? 0} pods are available` };
      }
      expect(await served(cluster, "secret/value")).toBe(SECRET_VALUE);
      return { done: true, value: undefined };
    },
  });
}

/** Restarts all pods but the static ones, as a person does who can't wait for their tokens. */
export async function restartPods(cluster: LifeCluster): Promise<void> {
  const pods = async () => {
    const { items } = await cluster.ask<PodList>("/api/v1/pods");
    return items
      .map(({ metadata }) => metadata)
      .filter(({ ownerReferences = [] }) => !ownerReferences.some(({ kind }) => kind === "Node"));
  };
  const former = (await pods()).map(({ namespace, name }) => `${namespace}/pods/${name}`);
  for (const each of former) {
    await cluster.send({ method: "DELETE", path: `/api/v1/namespaces/${each}` });
  }
  await waitFor<undefined>({
    what: "the former pods to be gone",
    deadlineMs: 300_000,
    isFatal: () => false,
    probe: async () => {
      const names = (await pods()).map(({ namespace, name }) => `${namespace}/pods/${name}`);
      const left = former.filter((each) => names.includes(each));
      return left.length === 0
        ? { done: true, value: undefined }
        : { done: false, status: left.join(", ") };
    },
  });
}

/** The token that a pod holds at the moment. */
export function tokenOfPod(cluster: LifeCluster): Promise<string> {
  return served(cluster, "token/token");
}

/** A token for a day, which is bound to no pod: the API refuses a pod's own once the pod is gone. */
export async function requestToken(cluster: LifeCluster): Promise<string> {
  const path = "/api/v1/namespaces/default/serviceaccounts/life/token";
  const body = { spec: { expirationSeconds: 86_400 } };
  const { status } = JSON.parse(await cluster.send({ method: "POST", path, body })) as {
    readonly status: { readonly token: string };
  };
  return status.token;
}

/** The status with which an API server answers a token: 200, 401. */
export function askWithToken(address: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = insecureRequest(
      {
        host: address,
        port: 6443,
        path: "/api/v1/namespaces/default/pods",
        agent: false,
        rejectUnauthorized: false,
        timeout: 10_000,
        headers: { authorization: `Bearer ${token}` },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer within 10 s")));
    sent.on("error", reject);
    sent.end();
  });
}

function served({ wish }: LifeCluster, path: string): Promise<string> {
  const host = addressOf(wish.workers[0] ?? wish.controlPlanes[0] ?? "");
  return new Promise((resolve, reject) => {
    const sent = get(
      { host, port: NODE_PORT, path: `/${path}`, agent: false, timeout: 10_000 },
      (response) => {
        let text = "";
        response.on("data", (part: Buffer) => (text += part.toString()));
        response.on("end", () =>
          response.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${path}: ${response.statusCode}`)),
        );
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer within 10 s")));
    sent.on("error", reject);
  });
}
