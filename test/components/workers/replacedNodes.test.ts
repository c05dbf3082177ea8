import { markReplaced, removeReplaced } from "../../../components/workers/replacedNodes";
import type { SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { type ObservedCluster, startObservedCluster } from "./observedCluster";

const TEMPLATE = "lt-1";

describe("nodes of machines that AWS replaces", () => {
  let observed: ObservedCluster;

  beforeEach(async () => {
    observed = await startObservedCluster();
  });
  afterEach(() => observed.cluster.stop());

  const oldOf = ({ privateAddress }: SimulatedNode) => [{ instanceId: "i-1", privateAddress }];
  const none = () => Promise.resolve(new Set<string>());

  it("are removed once no machine has their address, by any later run", async () => {
    const { observer, workers } = observed;
    const [one, other] = workers;
    await markReplaced(observer, TEMPLATE, oldOf(one));
    await removeReplaced(observer, TEMPLATE, (asked) => {
      expect(asked).toEqual([one.privateAddress]);
      return Promise.resolve(new Set(asked));
    });
    expect(await observed.addresses()).toContain(one.privateAddress);
    await removeReplaced(observer, TEMPLATE, none);
    expect(await observed.addresses()).not.toContain(one.privateAddress);
    expect(await observed.addresses()).toContain(other.privateAddress);
  });

  it("stay if they were marked for another pool, or not at all", async () => {
    const { observer, workers } = observed;
    const [one] = workers;
    await markReplaced(observer, "lt-2", oldOf(one));
    const asked = vi.fn(none);
    await removeReplaced(observer, TEMPLATE, asked);
    expect(asked).not.toHaveBeenCalled();
    expect(await observed.addresses()).toContain(one.privateAddress);
  });

  it("don't block a run if Kubernetes doesn't answer", async () => {
    const { observer, workers } = observed;
    const silent = { ...observer, endpoint: "127.0.0.1:1", kubeconfig: "" };
    await markReplaced(silent, TEMPLATE, oldOf(workers[0]));
    await removeReplaced(undefined, TEMPLATE, none);
    expect(await observed.addresses()).toHaveLength(3);
  });
});
