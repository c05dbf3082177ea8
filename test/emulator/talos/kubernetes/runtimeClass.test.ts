import { nvidiaDevicePlugin } from "../../../../components/addOns/nvidiaDevicePlugin";
import { ownObjects } from "../../../../components/addOns/ownObjects";
import type { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import type { NodeReport } from "../../../../emulator/talos/kubernetes/nodeRecord";
import { builtIn } from "../../../../emulator/talos/kubernetes/objectStore";
import { eventually } from "../../support/eventually";
import { ask, reportOf, storeOf } from "./storeClient";

const scope = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 1,
  recordName: "k8s.example.com",
};
const labels = { "nvidia.com/gpu.present": "true" };
const taints = [{ key: "nvidia.com/gpu", effect: "NoSchedule" }];
const PODS = "/api/v1/namespaces/kube-system/pods";

/** A cluster with the device plugin, a node without a GPU, and one that says that it has one. */
function withPlugin(gpuNode: Partial<NodeReport> = {}): KubernetesStore {
  const store = storeOf("plain");
  store.install(ownObjects(nvidiaDevicePlugin, scope, {}) as Parameters<typeof store.install>[0]);
  store.report({ ...reportOf("gpu"), registeredTaints: taints, ...gpuNode }, 40_000);
  store.setMetadata("gpu", { labels, annotations: {}, taints });
  store.setReady("gpu", true);
  return store;
}

interface PodList {
  readonly items: readonly {
    readonly spec: { readonly nodeName?: string; readonly tolerations?: readonly object[] };
    readonly status: { readonly phase: string };
  }[];
}

const podsOf = (store: KubernetesStore) =>
  (ask(store, "GET", PODS).object as unknown as PodList).items;
const states = (store: KubernetesStore) =>
  podsOf(store).map(({ spec, status }) => `${spec.nodeName} ${status.phase}`);

const pod = (spec: object, name = "one") => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "kube-system" },
  spec: { containers: [{ name: "one", image: "example.com/one:1" }], ...spec },
});

describe("a pod with a RuntimeClass", () => {
  it("starts on a node whose image has that runtime", async () => {
    const store = withPlugin();
    await eventually(() => states(store).join() === "gpu Running");
  });

  it.each<[string, Partial<NodeReport>]>([
    ["an official image", { hasOfficialImage: true }],
    ["Talos v1.14", { talosVersion: "v1.14.1" }],
  ])("waits on a node with %s, which hasn't, until it has", async (_name, gpuNode) => {
    const store = withPlugin(gpuNode);
    await eventually(() => states(store).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(states(store)).toEqual(["gpu Pending"]);
    store.report({ ...reportOf("gpu"), registeredTaints: taints }, 40_000);
    await eventually(() => states(store).join() === "gpu Running");
  });

  it("gets the nodes and tolerations of the class, and clashes with others", async () => {
    const store = withPlugin();
    expect(ask(store, "POST", PODS, pod({ runtimeClassName: "nvidia" })).code).toBe(201);
    await eventually(() => states(store).join() === "gpu Running,gpu Running");
    const nodeSelector = { "nvidia.com/gpu.present": "false" };
    const { code, object } = ask(
      store,
      "POST",
      PODS,
      pod({ runtimeClassName: "nvidia", nodeSelector }, "two"),
    );
    expect([code, object.message]).toEqual([
      403,
      'pods "two" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[nvidia.com/gpu.present] = true; pod.spec.nodeSelector[nvidia.com/gpu.present] = false',
    ]);
  });

  it("is refused without the class, also one of a DaemonSet", async () => {
    const store = storeOf("plain");
    const { code, object } = ask(store, "POST", PODS, pod({ runtimeClassName: "nvidia" }));
    expect([code, object.message]).toEqual([
      403,
      'pods "one" is forbidden: pod rejected: RuntimeClass "nvidia" not found',
    ]);
    const early = withPlugin();
    early.objects.remove(builtIn("runtimeclasses"), { namespace: "", name: "nvidia" });
    early.wake();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(states(early)).toEqual([]);
  });
});
