import {
  checkPodNetwork,
  planPodNetwork,
  type PodNetworkChoices,
  type PodNetworkPlan,
} from "../../../../components/cluster/plan/planPodNetwork";

const cniManifests = ["https://example.com/cilium.yaml"];

describe("planPodNetwork", () => {
  it.each<[PodNetworkChoices, PodNetworkPlan]>([
    [{}, { cni: undefined, healthGates: undefined }],
    [{ cni: "flannel" }, { cni: { name: "flannel" }, healthGates: undefined }],
    [{ cni: "cilium" }, { cni: { name: "none" }, healthGates: ["etcd", "apiServer"] }],
    [{ cni: "none" }, { cni: { name: "none" }, healthGates: ["etcd", "apiServer"] }],
    [
      { cni: "calico", cniManifests },
      { cni: { name: "custom", urls: cniManifests }, healthGates: undefined },
    ],
  ])("turns %j into Talos' settings", (choices, plan) => {
    expect(planPodNetwork(choices)).toEqual(plan);
  });
});

describe("checkPodNetwork", () => {
  it("rejects manifests for Talos' own pod network", () => {
    expect(checkPodNetwork({ cniManifests })).toMatchObject([{ property: "cniManifests" }]);
    expect(checkPodNetwork({ cni: "cilium", cniManifests })).toEqual([]);
    expect(checkPodNetwork({ cni: "flannel" })).toEqual([]);
  });
});
