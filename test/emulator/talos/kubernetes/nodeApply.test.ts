import type { Taint } from "../../../../emulator/talos/config/machineFacts";
import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import { applyNode } from "../../../../emulator/talos/kubernetes/nodeApply";
import type { NodeMetadata, NodeReport } from "../../../../emulator/talos/kubernetes/nodeRecord";

const batch: Taint = { key: "dedicated", value: "batch", effect: "NoSchedule" };
const nothing: NodeMetadata = { labels: {}, annotations: {}, taints: [] };

function storeWith(registeredTaints: readonly Taint[] = []): KubernetesStore {
  const report: NodeReport = {
    name: "one",
    isControlPlane: false,
    internalAddress: "10.0.0.1",
    externalAddress: undefined,
    architecture: "amd64",
    kubeletVersion: "v1.35.0",
    talosVersion: "v1.12.1",
    instanceId: "i-1",
    instanceType: "m6i.large",
    region: "us-east-1",
    zone: "us-east-1a",
    bootId: "b",
    machineId: "m",
    registeredTaints,
    staticPods: {},
  };
  const store = new KubernetesStore({ written: () => undefined });
  store.report(report, 0);
  return store;
}

const asAdministrator = (store: KubernetesStore, wanted: Partial<NodeMetadata>) =>
  applyNode(store, "one", { ...nothing, ...wanted }, false);
const asKubelet = (store: KubernetesStore, wanted: Partial<NodeMetadata>) =>
  applyNode(store, "one", { ...nothing, ...wanted }, true);
const noTaints = 'nodes "one" is forbidden: node "one" is not allowed to modify taints';

describe("Talos, which labels and taints its node", () => {
  test("sets its labels and taints, records them, and removes those it no longer has", () => {
    const store = storeWith();
    asAdministrator(store, {
      labels: { a: "1", b: "2" },
      annotations: { c: "3" },
      taints: [batch],
    });
    expect(store.node("one")).toMatchObject({
      labels: { a: "1", b: "2" },
      annotations: {
        c: "3",
        "talos.dev/owned-labels": '["a","b"]',
        "talos.dev/owned-annotations": '["c"]',
        "talos.dev/owned-taints": '["dedicated"]',
      },
      taints: [batch],
    });
    asAdministrator(store, { labels: { a: "9" } });
    expect(store.node("one")).toMatchObject({
      labels: { a: "9" },
      annotations: { "talos.dev/owned-labels": '["a"]' },
      taints: [],
    });
    expect(Object.keys(store.node("one")?.annotations ?? {})).toEqual(["talos.dev/owned-labels"]);
  });

  test("keeps labels and taints of others", () => {
    const store = storeWith();
    store.setMetadata("one", {
      labels: { a: "theirs" },
      annotations: { c: "theirs" },
      taints: [{ ...batch, value: "theirs" }],
    });
    asAdministrator(store, { labels: { a: "mine" }, annotations: { c: "mine" }, taints: [batch] });
    asAdministrator(store, {});
    expect(store.node("one")).toMatchObject({
      labels: { a: "theirs" },
      annotations: { c: "theirs" },
      taints: [{ ...batch, value: "theirs" }],
    });
  });

  test("as a worker changes labels and annotations", () => {
    const store = storeWith();
    expect(asKubelet(store, { labels: { "example.com/a": "1" } })).toBeUndefined();
    expect(asKubelet(store, { labels: { "example.com/a": "2" } })).toBeUndefined();
    expect(store.node("one")?.labels).toEqual({ "example.com/a": "2" });
  });

  test("as a worker changes nothing while its taints differ from the node's", () => {
    const store = storeWith();
    expect(asKubelet(store, { labels: { "example.com/a": "1" }, taints: [batch] })).toBe(noTaints);
    expect(store.node("one")).toMatchObject({ labels: {}, annotations: {}, taints: [] });
    expect(asKubelet(store, { labels: { "example.com/a": "1" } })).toBeUndefined();
    expect(store.node("one")?.labels).toEqual({ "example.com/a": "1" });
  });

  test("as a worker takes over the taints of registration, and can't change them", () => {
    const store = storeWith([batch]);
    expect(asKubelet(store, { taints: [batch] })).toBeUndefined();
    expect(store.node("one")?.annotations).toEqual({ "talos.dev/owned-taints": '["dedicated"]' });
    expect(asKubelet(store, { taints: [{ ...batch, value: "other" }] })).toBe(noTaints);
    expect(asKubelet(store, { labels: { "example.com/a": "1" } })).toBe(noTaints);
    expect(store.node("one")).toMatchObject({ labels: {}, taints: [batch] });
  });

  test("as a worker sets no label that Kubernetes reserves", () => {
    const store = storeWith();
    const labels = { "node-role.kubernetes.io/worker": "", "example.com/a": "1" };
    expect(asKubelet(store, { labels })).toBe(
      'nodes "one" is forbidden: node "one" is not allowed to modify labels: node-role.kubernetes.io/worker',
    );
    expect(store.node("one")?.labels).toEqual({});
  });

  test("cordons a node that stops, and uncordons it unless someone else had cordoned it", () => {
    const store = storeWith();
    const cordoned = () => {
      const { isCordoned, annotations } = store.node("one") ?? {};
      return [isCordoned, annotations];
    };
    asAdministrator(store, { isCordoned: true });
    expect(cordoned()).toEqual([true, { "talos.dev/cordoned": "true" }]);
    asAdministrator(store, {});
    expect(cordoned()).toEqual([true, { "talos.dev/cordoned": "true" }]);
    asAdministrator(store, { isCordoned: false });
    expect(cordoned()).toEqual([false, {}]);
    store.setMetadata("one", { ...nothing, isCordoned: true });
    asAdministrator(store, { isCordoned: true });
    asAdministrator(store, { isCordoned: false });
    expect(cordoned()).toEqual([true, {}]);
  });

  test("as a worker with taints can't uncordon itself, because that is the same update", () => {
    const store = storeWith();
    asKubelet(store, { isCordoned: true });
    expect(asKubelet(store, { isCordoned: false, taints: [batch] })).toBe(noTaints);
    expect(store.node("one")?.isCordoned).toBe(true);
  });
});
