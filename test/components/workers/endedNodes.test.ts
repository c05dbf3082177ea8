import { removeEnded } from "../../../components/workers/endedNodes";
import { expectDocumented } from "../../documented";
import { eventuallyIn } from "../../provider/lifecycle/workload";
import { type ObservedCluster, startObservedCluster } from "./observedCluster";

describe("nodes of machines that AWS has ended", () => {
  let observed: ObservedCluster;
  const lines: string[] = [];

  beforeAll(async () => {
    observed = await startObservedCluster();
  });
  afterAll(() => observed.cluster.stop());

  const remove = async (range: string, existing: readonly string[]) => {
    const ranges = vi.fn(() => Promise.resolve(["10.99.0.0/16", range]));
    const existingAt = vi.fn(() => Promise.resolve(new Set(existing)));
    await removeEnded(observed.observer, { ranges, existingAt }, (line) => lines.push(line));
    return { ranges, existingAt };
  };

  it("stay while they are ready, and then AWS isn't asked", async () => {
    const { ranges } = await remove("10.0.0.0/16", []);
    expect(ranges).not.toHaveBeenCalled();
    expect(await observed.addresses()).toHaveLength(3);
  });

  it("stay outside of the network, or while the machine exists", async () => {
    const [ended] = observed.workers;
    await observed.cluster.faults.inject({ kind: "powerLoss", machine: ended.address });
    await eventuallyIn(
      "a node that isn't ready",
      async () => !(await observed.nodes()).every(({ isReady }) => isReady),
    );
    const { existingAt } = await remove("10.1.0.0/16", []);
    expect(existingAt).not.toHaveBeenCalled();
    const asked = await remove("10.0.0.0/16", [ended.privateAddress]);
    expect(asked.existingAt).toHaveBeenCalledExactlyOnceWith([ended.privateAddress]);
    expect(await observed.addresses()).toHaveLength(3);
    expect(lines).toEqual([]);
  });

  it("are removed if AWS has no machine at their address", async () => {
    const [ended] = observed.workers;
    await remove("10.0.0.0/16", []);
    expect(await observed.addresses()).toHaveLength(2);
    expect(await observed.addresses()).not.toContain(ended.privateAddress);
    expect(lines).toHaveLength(1);
    expectDocumented("scaling.md", lines.join("\n"));
  });

  it("don't block a run if Kubernetes or AWS can't be asked", async () => {
    const fail = () => Promise.reject(new Error("AccessDenied"));
    const network = { ranges: fail, existingAt: fail };
    const silent = { endpoint: "127.0.0.1:1", kubeconfig: "" };
    for (const each of [undefined, silent, observed.observer]) {
      await removeEnded(each, network, (line) => lines.push(line));
    }
    expect(lines).toHaveLength(1);
  });
});
