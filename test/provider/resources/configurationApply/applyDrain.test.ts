import { UNKNOWN } from "../../../../provider/base/unknown";
import { KubernetesAccess } from "../../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { cordonNode, findNode } from "../../../../provider/lifecycle/kubernetes/kubernetesNode";
import {
  checkDrain,
  isOtherDrain,
  NodeDrain,
} from "../../../../provider/resources/configurationApply/applyDrain";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import { eventuallyIn } from "../../lifecycle/workload";
import { silent } from "../../progress";

describe("the settings of a drain", () => {
  it("report all problems at once", () => {
    expect(checkDrain({ timeoutSeconds: 0, whenBlocked: "ignore" as never })).toEqual([
      {
        property: "drain.timeoutSeconds",
        reason: "0 is no valid time to drain a node: give 1 to 86400 seconds",
      },
      { property: "drain.whenBlocked", reason: '"ignore" is none of fail, proceed' },
    ]);
    expect(checkDrain({})).toEqual([]);
    expect(checkDrain(undefined)).toEqual([]);
  });

  it("are recorded when they change, but not only because an older release recorded none", () => {
    expect(isOtherDrain(undefined, { timeoutSeconds: 60 })).toBe(false);
    expect(isOtherDrain({ timeoutSeconds: 60 }, { timeoutSeconds: 60 })).toBe(false);
    expect(isOtherDrain({ timeoutSeconds: 60 }, { timeoutSeconds: 90 })).toBe(true);
    expect(isOtherDrain({ timeoutSeconds: 60 }, UNKNOWN as never)).toBe(true);
    expect(isOtherDrain({ timeoutSeconds: 60 }, undefined)).toBe(true);
  });

  it("are kept while the recorded control plane machine exists", () => {
    const drain = (...controlPlanes: string[]) => ({ controlPlanes, removeNode: true });
    expect(isOtherDrain(drain("10.0.0.4"), drain("10.0.0.4", "10.0.1.4"))).toBe(false);
    expect(isOtherDrain(drain("10.0.0.4", "10.0.1.4"), drain(UNKNOWN, "10.0.1.4"))).toBe(false);
    expect(isOtherDrain(drain("10.0.0.4"), drain("10.0.0.9"))).toBe(true);
    expect(isOtherDrain(drain("10.0.0.4"), drain(UNKNOWN))).toBe(false);
    const unknown = { controlPlanes: UNKNOWN as never, removeNode: true };
    expect(isOtherDrain(drain("10.0.0.4"), unknown)).toBe(false);
    expect(isOtherDrain(drain("10.0.0.4"), { ...drain("10.0.0.4"), removeNode: false })).toBe(true);
  });
});

describe("a node that a killed run left cordoned", () => {
  it("is uncordoned if its machine reports that, or reports nothing although it was up", async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
      const { address, privateAddress } = node;
      await cluster.bootstrap(node, 1);
      const machine = await machineAt(cluster, address);
      const { signal } = new AbortController();
      const access = await KubernetesAccess.open([machine], signal);
      const read = async () => {
        const found = await findNode(access, privateAddress, signal);
        return found ?? { name: "", isCordoned: false };
      };
      const isCordoned = async () => (await read()).isCordoned;
      await eventuallyIn("a node", async () => (await read()).name !== "");
      const end = async (endpoint: string, wasUp: boolean) => {
        const drain = { controlPlanes: [address] };
        await new NodeDrain({ ...machine, endpoint, privateAddress, drain }, wasUp, silent).end();
      };
      await cordonNode(access, await read(), "change", signal);
      // Nobody answers there.
      await end("127.0.0.9", false);
      expect(await isCordoned()).toBe(true);
      await end("127.0.0.9", true);
      expect(await isCordoned()).toBe(false);
      await cordonNode(access, await read(), "change", signal);
      await end(address, false);
      expect(await isCordoned()).toBe(false);
    } finally {
      await cluster.stop();
    }
  });
});
