import type { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import { ask, reportOf, storeOf } from "./storeClient";

// What a real kube-apiserver v1.35.0 answered (Talos v1.12.1, one control plane and two workers) is what is
// compared here word for word, but for names and times.

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const pods = "/api/v1/namespaces/default/pods";
const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

const deployment = (replicas: number, image = "busybox:1") => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "m", image }] },
    },
  },
});
const budget = (spec: object) => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, ...spec },
});
const eviction = (name: string) => ({
  apiVersion: "policy/v1",
  kind: "Eviction",
  metadata: { name, namespace: "default" },
});

interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string; readonly conditions?: readonly object[] };
}

const podsOf = (store: KubernetesStore) => ask(store, "GET", pods).object.items as Pod[];
const nodesOf = (store: KubernetesStore) => podsOf(store).map(({ spec }) => spec.nodeName);
const evict = (store: KubernetesStore, name = "") =>
  ask(store, "POST", `${pods}/${name}/eviction`, eviction(name));

/** Lets the controllers see what changed, at once. */
async function settle(store: KubernetesStore): Promise<void> {
  store.wake();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

async function storeWithWeb(replicas: number, ...nodes: readonly string[]) {
  const store = storeOf(...nodes);
  expect(ask(store, "POST", deployments, deployment(replicas)).code).toBe(201);
  await settle(store);
  return store;
}

describe("a Deployment's pods", () => {
  test("are spread over schedulable nodes, and move when a node is not schedulable any more", async () => {
    const store = await storeWithWeb(2, "a", "b", "c");
    expect(new Set(nodesOf(store)).size).toBe(2);
    const [first] = podsOf(store);
    const node = first?.spec.nodeName ?? "";
    const cordon = { spec: { unschedulable: true } };
    const type = "application/strategic-merge-patch+json";
    expect(ask(store, "PATCH", `/api/v1/nodes/${node}`, cordon, type)).toMatchObject({
      code: 200,
      object: { spec: { unschedulable: true } },
    });
    expect(evict(store, first?.metadata.name)).toEqual({
      code: 201,
      object: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
    });
    await settle(store);
    expect(nodesOf(store)).toHaveLength(2);
    expect(nodesOf(store)).not.toContain(node);
  });

  test("stay pending without a schedulable node, with the scheduler's message", async () => {
    const store = storeOf("a");
    store.setMetadata("a", { labels: {}, annotations: {}, taints: [], isCordoned: true });
    ask(store, "POST", deployments, deployment(1));
    await settle(store);
    expect(podsOf(store)).toMatchObject([
      {
        status: {
          phase: "Pending",
          conditions: [
            {
              type: "PodScheduled",
              status: "False",
              reason: "Unschedulable",
              message: expect.stringContaining(
                "0/1 nodes are available: 1 node(s) were unschedulable",
              ) as string,
            },
          ],
        },
      },
    ]);
  });

  test("move when their node is deleted", async () => {
    const store = await storeWithWeb(2, "a", "b");
    store.delete("a");
    await settle(store);
    expect(nodesOf(store)).toEqual(["b", "b"]);
  });

  test("are replaced when the template changes, and the Deployment reports its progress", async () => {
    const store = await storeWithWeb(3, "a", "b");
    ask(store, "PUT", `${deployments}/web`, deployment(3, "busybox:2"));
    await settle(store);
    await settle(store);
    expect(ask(store, "GET", `${deployments}/web`).object).toMatchObject({
      metadata: { generation: 2 },
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3 },
    });
  });

  test("are deleted with it", async () => {
    const store = await storeWithWeb(2, "a");
    expect(ask(store, "DELETE", `${deployments}/web`).code).toBe(200);
    await settle(store);
    expect(podsOf(store)).toEqual([]);
  });
});

describe("a PodDisruptionBudget", () => {
  test("prevents evictions, with the server's message", async () => {
    const store = await storeWithWeb(2, "a", "b");
    ask(store, "POST", budgets, budget({ minAvailable: 2 }));
    await settle(store);
    expect(ask(store, "GET", `${budgets}/web`).object.status).toMatchObject({
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 2,
      desiredHealthy: 2,
      expectedPods: 2,
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
    });
    expect(evict(store, podsOf(store)[0]?.metadata.name)).toEqual({
      code: 429,
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        reason: "TooManyRequests",
        details: {
          causes: [
            {
              reason: "DisruptionBudget",
              message: "The disruption budget web needs 2 healthy pods and has 2 currently",
            },
          ],
        },
        code: 429,
      },
    });
    const name = podsOf(store)[0]?.metadata.name ?? "";
    expect(ask(store, "DELETE", `${pods}/${name}`).code).toBe(200);
  });

  test("decrements its allowance with each eviction, until the pod is back", async () => {
    const store = await storeWithWeb(3, "a", "b");
    store.pace = { controllerMs: 0, startMs: 60_000, stopMs: 0 };
    ask(store, "POST", budgets, budget({ maxUnavailable: 1 }));
    await settle(store);
    const allowed = () => ask(store, "GET", `${budgets}/web`).object.status;
    expect(allowed()).toMatchObject({ disruptionsAllowed: 1, expectedPods: 3, desiredHealthy: 2 });
    const [one, two] = podsOf(store).map(({ metadata }) => metadata.name);
    expect(evict(store, one).code).toBe(201);
    await settle(store);
    expect(evict(store, two)).toMatchObject({
      code: 429,
      object: {
        details: {
          causes: [
            { message: "The disruption budget web needs 2 healthy pods and has 2 currently" },
          ],
        },
      },
    });
  });

  test("makes evictions wait until the controller has observed it", async () => {
    const store = await storeWithWeb(1, "a");
    ask(store, "POST", budgets, budget({ minAvailable: 0 }));
    expect(evict(store, podsOf(store)[0]?.metadata.name)).toMatchObject({
      code: 429,
      object: {
        details: {
          retryAfterSeconds: 10,
          causes: [
            { message: "The disruption budget web is still being processed by the server." },
          ],
        },
      },
    });
  });

  test("is rejected with both limits", () => {
    const both = budget({ minAvailable: 2, maxUnavailable: 1 });
    expect(ask(storeOf(), "POST", budgets, both)).toMatchObject({
      code: 422,
      object: {
        message:
          'PodDisruptionBudget.policy "web" is invalid: spec: Invalid value: {"MinAvailable":2,"Selector":{"matchLabels":{"app":"web"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      },
    });
  });
});

describe("an eviction", () => {
  test("of a missing pod, or with another name, is rejected", () => {
    const store = storeOf();
    expect(evict(store, "nope")).toMatchObject({
      code: 404,
      object: { message: 'pods "nope" not found', details: { name: "nope", kind: "pods" } },
    });
    expect(ask(store, "POST", `${pods}/one/eviction`, eviction("two"))).toMatchObject({
      code: 400,
      object: { message: "name in URL does not match name in Eviction object" },
    });
    expect(ask(store, "GET", `${pods}/one/eviction`).code).toBe(405);
  });

  test("gives a pod its grace period; on a silent node, the pod stays", async () => {
    const store = await storeWithWeb(1, "a");
    const [pod] = podsOf(store);
    store.setLost("a");
    expect(evict(store, pod?.metadata.name).code).toBe(201);
    await settle(store);
    const gone = podsOf(store).find(({ metadata }) => metadata.name === pod?.metadata.name);
    expect(gone?.metadata.deletionTimestamp).toEqual(expect.any(String));
    store.report(reportOf("a"), 40_000);
    await settle(store);
    expect(podsOf(store).map(({ metadata }) => metadata.name)).not.toContain(pod?.metadata.name);
  });
});
