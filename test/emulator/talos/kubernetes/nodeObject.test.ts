import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import {
  nodeCells,
  nodeObject,
  readinessOf,
} from "../../../../emulator/talos/kubernetes/nodeObject";
import type { NodeReport } from "../../../../emulator/talos/kubernetes/nodeRecord";

const report: NodeReport = {
  name: "one",
  isControlPlane: false,
  internalAddress: "10.0.0.1",
  externalAddress: "127.0.0.2",
  architecture: "arm64",
  kubeletVersion: "v1.35.0",
  talosVersion: "v1.12.1",
  instanceId: "i-1",
  instanceType: "t4g.small",
  region: "us-east-1",
  zone: "us-east-1a",
  bootId: "b",
  machineId: "m",
  registeredTaints: [{ key: "dedicated", value: "batch", effect: "NoSchedule" }],
  staticPods: {},
};

function recordOf(change: (store: KubernetesStore) => void = () => undefined) {
  const store = new KubernetesStore({ written: () => undefined });
  store.report(report, 40_000);
  change(store);
  const record = store.node("one");
  if (!record) {
    throw new Error("the node was reported");
  }
  return record;
}

describe("a Kubernetes node", () => {
  test("is not ready when it registers, and ready when it reports so", () => {
    expect(readinessOf(recordOf(), new Date()).status).toBe("False");
    expect(
      readinessOf(
        recordOf((store) => store.setReady("one", true)),
        new Date(),
      ),
    ).toMatchObject({
      status: "True",
      reason: "KubeletReady",
    });
  });

  test("is unknown some time after its kubelet's last report", () => {
    const lost = recordOf((store) => {
      store.setReady("one", true);
      store.setLost("one");
    });
    const after = (ms: number) => readinessOf(lost, new Date((lost.lostAt?.getTime() ?? 0) + ms));
    expect(after(39_999).status).toBe("True");
    expect(after(40_000)).toMatchObject({ status: "Unknown", reason: "NodeStatusUnknown" });
  });

  test("keeps its identity when it comes back", () => {
    const store = new KubernetesStore({ written: () => undefined });
    store.report(report, 0);
    store.setReady("one", true);
    const before = store.node("one");
    store.setLost("one");
    store.report({ ...report, bootId: "c" }, 0);
    expect(store.node("one")).toMatchObject({
      uid: before?.uid,
      createdAt: before?.createdAt,
      isReady: true,
      lostAt: undefined,
      bootId: "c",
    });
  });

  test("keeps the taints of its registration", () => {
    const store = new KubernetesStore({ written: () => undefined });
    store.report(report, 0);
    store.report({ ...report, registeredTaints: [{ key: "other", effect: "NoExecute" }] }, 0);
    const record = store.node("one");
    expect(record && nodeObject(record, new Date()).spec.taints).toEqual([
      { key: "dedicated", value: "batch", effect: "NoSchedule" },
    ]);
  });

  test.each([
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [303, "5m3s"],
    [600, "10m"],
    [3 * 3600 - 1, "179m"],
    [3 * 3600, "3h"],
    [5 * 3600 + 120, "5h2m"],
    [8 * 3600 + 120, "8h"],
    [47 * 3600, "47h"],
    [48 * 3600, "2d"],
    [49 * 3600, "2d1h"],
    [9 * 86_400 + 3600, "9d"],
  ])("of %d seconds has the age %s", (ageSeconds, expected) => {
    const record = recordOf();
    const now = new Date(record.createdAt.getTime() + ageSeconds * 1000);
    expect(nodeCells(record, now)[3]).toBe(expected);
  });
});
