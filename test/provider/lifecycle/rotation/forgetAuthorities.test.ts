import { builtIn } from "../../../../emulator/talos/kubernetes/objectStore";
import {
  forgetAuthorities,
  dropsPublished,
} from "../../../../provider/lifecycle/rotation/forgetAuthorities";
import type { RotationStage } from "../../../../provider/pki/rotation/rotation";
import { SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { silent } from "../../progress";
import { machineAt } from "../deliveries";

describe("dropsPublished", () => {
  const step = (stage: RotationStage) => ({ to: 2, stage });

  it("is true when API servers have dropped a CA of clients or of the aggregator", () => {
    for (const [before, after] of [
      [{ kubernetesCa: step("renew") }, { kubernetesCa: step("drop") }],
      [{ aggregatorCa: step("issue") }, { aggregatorCa: step("drop") }],
      [{ aggregatorCa: step("accept") }, undefined],
    ] as const) {
      expect(dropsPublished(before, after)).toBe(true);
    }
    for (const [before, after] of [
      [undefined, undefined],
      [undefined, { kubernetesCa: step("accept") }],
      [{ kubernetesCa: step("issue") }, { kubernetesCa: step("renew") }],
      [{ kubernetesCa: step("drop") }, { kubernetesCa: step("drop") }],
      [{ talosCa: step("issue") }, { talosCa: step("drop") }],
    ] as const) {
      expect(dropsPublished(before, after)).toBe(false);
    }
  });
});

describe("forgetAuthorities", () => {
  it("has API servers publish anew what they accept, also if nothing is published", async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const node = await cluster.add(cluster.config("controlplane"));
      await cluster.bootstrap(node, 1);
      const store = await cluster.kubernetes();
      const dropped = "-----BEGIN CERTIFICATE-----\nZHJvcHBlZA==\n-----END CERTIFICATE-----\n";
      store.publishAuthorities([dropped], [dropped]);
      const published = () =>
        JSON.stringify(store.objects.list(builtIn("configmaps"))).includes("ZHJvcHBlZA==");
      expect(published()).toBe(true);
      const machine = await machineAt(cluster, node.address);
      await forgetAuthorities([machine], Date.now() + 60_000, silent);
      expect(published()).toBe(false);
      await forgetAuthorities([machine], Date.now() + 60_000, silent);
    } finally {
      await cluster.stop();
    }
  });
});
