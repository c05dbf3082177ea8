import { cilium } from "../../../../components/addOns/cilium/cilium";
import { ownObjects } from "../../../../components/addOns/ownObjects";
import { reportOf, storeOf } from "./storeClient";

const scope = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 1,
  recordName: "k8s.example.com",
};

describe("a node whose Talos installs no pod network", () => {
  it("becomes ready once there is a DaemonSet that does", () => {
    const store = storeOf();
    store.report({ ...reportOf("one", true), awaitsPodNetwork: true }, 40_000);
    store.report(reportOf("two"), 40_000);
    const ready = () => ["one", "two"].filter((name) => store.node(name)?.isReady);
    ["one", "two"].forEach((name) => store.setReady(name, true));
    expect(ready()).toEqual([]);
    const [others, daemonSet] = [false, true].map((isDaemonSet) =>
      ownObjects(cilium, scope, {}).filter(({ kind }) => (kind === "DaemonSet") === isDaemonSet),
    );
    store.install((others ?? []) as Parameters<typeof store.install>[0]);
    expect(ready()).toEqual([]);
    store.install((daemonSet ?? []) as Parameters<typeof store.install>[0]);
    expect(ready()).toEqual(["one", "two"]);
  });

  it("needs none where Talos brings one, or fetches it", () => {
    const store = storeOf("one");
    expect(store.node("one")?.isReady).toBe(true);
  });
});
