import { isBlockedByNodes } from "../../../provider/kubernetes/rollout";

const workload = (kind: string) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "agent", namespace: "kube-system", uid: "1" },
});
const pod = (nodeName: string, status: string, metadata: object = {}) => ({
  metadata: { ownerReferences: [{ uid: "1" }], ...metadata },
  spec: { nodeName },
  status: { conditions: [{ type: "Ready", status }] },
});
const lost = pod("lost", "False", { deletionTimestamp: "2026-11-25T00:00:00Z" });

describe("isBlockedByNodes", () => {
  const isBlocked = (kind: string, ...pods: ReturnType<typeof pod>[]) =>
    isBlockedByNodes(workload(kind), pods, ["lost"]);

  it("is true if all pods but those of the nodes are ready", () => {
    expect(isBlocked("DaemonSet", lost, pod("one", "True"))).toBe(true);
  });

  it("is false if another pod isn't ready, or ends", () => {
    expect(isBlocked("DaemonSet", lost, pod("one", "False"))).toBe(false);
    const ending = pod("one", "True", { deletionTimestamp: "2026-11-25T00:00:00Z" });
    expect(isBlocked("DaemonSet", lost, ending)).toBe(false);
  });

  it("is false if none of its pods is on the nodes", () => {
    const other = pod("lost", "False", { ownerReferences: [{ uid: "2" }] });
    expect(isBlocked("DaemonSet", other, pod("one", "True"))).toBe(false);
  });

  it("is false for a Deployment", () => {
    expect(isBlocked("Deployment", lost, pod("one", "True"))).toBe(false);
  });
});
