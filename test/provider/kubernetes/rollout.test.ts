import {
  hasOldPods,
  isBlockedByNodes,
  isRolledOut,
  missingOfRollout,
} from "../../../provider/kubernetes/rollout";

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

describe("the rollout of a StatefulSet", () => {
  const complete = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const setWith = (status: object, spec: object = {}) => ({
    ...workload("StatefulSet"),
    metadata: { ...workload("StatefulSet").metadata, generation: 2 },
    spec: { replicas: 3, ...spec },
    status: { ...complete, ...status },
  });

  it.each<[string, object, object, string | undefined]>([
    ["is complete", {}, {}, undefined],
    ["isn't seen yet", { observedGeneration: 1 }, {}, "its controller hasn't seen it yet"],
    ["has old pods", { updatedReplicas: 1 }, {}, "1 of 3 pods are new"],
    ["has pods that aren't available", { availableReplicas: 2 }, {}, "2 of 3 pods are available"],
    [
      "keeps pods below its partition",
      { updatedReplicas: 1 },
      { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
      undefined,
    ],
    [
      "replaces no pod by itself",
      { updatedReplicas: 0 },
      { updateStrategy: { type: "OnDelete" } },
      undefined,
    ],
  ])("%s", (_, status, spec, missing) => {
    const set = setWith(status, spec);
    expect(isRolledOut(set)).toBe(true);
    const said = missing && `StatefulSet kube-system/agent: ${missing}`;
    expect(missingOfRollout(set)).toBe(said);
    expect(hasOldPods(set)).toBe(missing?.includes("new") === true);
  });

  it("isn't that of a Job, which may take any time", () => {
    const job = { ...workload("Job"), apiVersion: "batch/v1" };
    expect(isRolledOut(job)).toBe(false);
  });
});
