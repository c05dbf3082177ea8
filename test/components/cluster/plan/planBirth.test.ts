import type { TalosClusterArgs } from "../../../../components";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import { acceptedOfMachines, planBirth } from "../../../../components/cluster/plan/planBirth";

const standard: TalosClusterArgs = {
  environment: "sandbox",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  network: { zones: ["us-east-1a"] },
};

describe("what a cluster keeps from its birth", () => {
  it("is its name, its address, its ranges and its pod network, with the defaults", () => {
    expect(planBirth("demo", chooseAddOns(standard)).values).toEqual({
      environment: "sandbox",
      domain: "example.com",
      clusterName: "demo",
      podCidrs: "10.244.0.0/16",
      serviceCidrs: "10.96.0.0/12",
      cni: "flannel",
    });
    const both = { ...standard, clusterName: "other", podCidrs: ["10.1.0.0/16", "fd00::/48"] };
    expect(planBirth("demo", chooseAddOns(both)).values).toMatchObject({
      clusterName: "other",
      podCidrs: "10.1.0.0/16, fd00::/48",
    });
  });

  it("has a reason for each, and a way back", () => {
    const { values, reasons, born } = planBirth("demo", chooseAddOns(standard));
    expect(Object.keys(reasons)).toEqual(Object.keys(values));
    expect(born).toEqual(Object.keys(values));
  });

  it("may change in the machines' configurations if the argument may", () => {
    expect(acceptedOfMachines(chooseAddOns(standard), undefined)).toBeUndefined();
    const acceptedChanges = {
      podCidrs: "10.1.0.0/16, fd00::/48",
      serviceCidrs: "10.97.0.0/16",
      clusterName: "other",
      environment: "prod",
      "cluster.network.dnsDomain": "k8s.example",
    };
    const changed = chooseAddOns({ ...standard, environment: "prod", acceptedChanges });
    expect(acceptedOfMachines(changed, undefined)).toEqual({
      ...acceptedChanges,
      "cluster.network.podSubnets": "10.1.0.0/16, fd00::/48",
      "cluster.network.serviceSubnets": "10.97.0.0/16",
      "cluster.clusterName": "other",
      "cluster.controlPlane.endpoint": "https://k8s.prod.example.com:6443",
    });
  });

  it.each<[Partial<TalosClusterArgs>, string, string]>([
    [{ cni: "none" }, "none", "none"],
    [{ cni: "calico", cniManifests: ["https://example.com/calico.yaml"] }, "calico", "custom"],
    [{ addOns: { cilium: true } }, "cilium", "none"],
    [{ addOns: { cilium: false } }, "flannel", "flannel"],
  ])(
    "is the pod network of %j, which machines may get if it is accepted",
    (change, cni, ofMachine) => {
      const accepting = (value: string) =>
        chooseAddOns({ ...standard, ...change, acceptedChanges: { cni: value } });
      expect(planBirth("demo", accepting(cni)).values).toMatchObject({ cni });
      expect(acceptedOfMachines(accepting(cni), undefined)).toEqual({
        cni,
        "cluster.network.cni": ofMachine,
      });
      // An entry for another change stays in the program.
      expect(acceptedOfMachines(accepting("weave"), undefined)).toEqual({ cni: "weave" });
    },
  );
});
