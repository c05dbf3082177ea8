import {
  type DrainablePod,
  planEviction,
  podName,
} from "../../../provider/kubernetes/planEviction";

const controlled = (kind: string) => [{ kind, controller: true }];
const pod = (
  name: string,
  more: Partial<DrainablePod["metadata"]> = {},
  phase = "Running",
): DrainablePod => ({ metadata: { name, namespace: "default", ...more }, status: { phase } });

describe("planEviction", () => {
  it("evicts pods that a controller replaces, and names those that none replaces", () => {
    const { evict, ending, unmanaged } = planEviction([
      pod("web", { ownerReferences: controlled("ReplicaSet") }),
      pod("db", { ownerReferences: controlled("StatefulSet") }),
      pod("job", { ownerReferences: controlled("Job") }),
      pod("by-hand"),
      pod("owned", { ownerReferences: [{ kind: "Node", controller: null }] }),
    ]);
    expect(evict.map(podName)).toEqual(["default/web", "default/db", "default/job"]);
    expect(ending).toEqual([]);
    expect(unmanaged.map(podName)).toEqual(["default/by-hand", "default/owned"]);
  });

  it("skips pods that only run on this node, and ended ones", () => {
    const mirror = { "kubernetes.io/config.mirror": "0123456789abcdef" };
    expect(
      planEviction([
        pod("proxy", { ownerReferences: controlled("DaemonSet") }),
        pod("etcd", { annotations: mirror }),
        pod("done", { ownerReferences: controlled("Job") }, "Succeeded"),
        pod("broken", {}, "Failed"),
      ]),
    ).toEqual({ evict: [], ending: [], unmanaged: [] });
  });

  it.each(["Running", "Failed", "Succeeded"])("waits for deleted pods that are %s", (phase) => {
    const metadata = {
      deletionTimestamp: "2026-11-23T20:00:00Z",
      ownerReferences: controlled("ReplicaSet"),
    };
    const going = pod("web", metadata, phase);
    expect(planEviction([going])).toEqual({ evict: [], ending: [going], unmanaged: [] });
  });
});
