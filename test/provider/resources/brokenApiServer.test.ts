import { PartialUpdateError } from "../../../provider/engine/handler";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { listNodes } from "../../../provider/lifecycle/kubernetes/kubernetesNode";
import { configurationApplyHandler as handler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { eventuallyIn } from "../lifecycle/workload";
import { recordedProgress } from "../progress";
import { steppingIt } from "../steppingClock";

/** It breaks the API server at once, and taking it back reboots the machine. */
const broken = {
  machine: { files: [{ path: "/var/probe", op: "create", permissions: 0o644, content: "x" }] },
  cluster: { apiServer: { extraArgs: { encryption_provider_config: "/var/no-such-file" } } },
};

type State = Awaited<ReturnType<typeof handler.update>>;

// A case of real Kubernetes: the drain asked the broken API server alone, for 431 s.
describe("a control plane machine with a broken API server", () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
  });

  afterEach(() => cluster.stop());

  /** Machines that are up, and what changes the first of them. */
  async function started(count: number) {
    const nodes = await cluster.addConfigured(count);
    const [first, ...others] = nodes as [SimulatedNode, ...SimulatedNode[]];
    await cluster.bootstrap(first, count);
    const { signal } = new AbortController();
    const readNodes = async () => {
      const asked = await Promise.all(
        [...others, first].map(({ address }) => machineAt(cluster, address)),
      );
      return listNodes(await KubernetesAccess.open(asked, signal), signal);
    };
    await eventuallyIn("ready nodes", async () => {
      const found = await readNodes();
      return found.length === count && found.every(({ isReady }) => isReady);
    });
    const machine = await machineAt(cluster, first.address);
    const inputsOf = async (patches: readonly object[], timeoutSeconds = 600) => {
      const { inputs, failures } = await handler.check(undefined, {
        ...machine,
        privateAddress: first.privateAddress,
        machineId: "i-1",
        machineConfiguration: cluster.config("controlplane", patches),
        patches: [],
        mode: "auto",
        settledSeconds: 0,
        timeoutSeconds,
        drain: {},
        redactedConfiguration: "",
      });
      expect(failures).toEqual([]);
      return inputs;
    };
    const former = await inputsOf([]);
    const { state } = await handler.create({ ...former, takeover: "noReboot" }, recordedProgress());
    const isCordoned = async () => (await readNodes()).some((node) => node.isCordoned);
    return { former, state, inputsOf, isCordoned };
  }

  /** Breaks it, with what a failed update leaves recorded. */
  async function brokenState({
    inputsOf,
    state,
  }: Pick<Awaited<ReturnType<typeof started>>, "inputsOf" | "state">): Promise<State> {
    const failure: unknown = await handler
      .update("i-1", state, await inputsOf([broken], 30), recordedProgress())
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialUpdateError);
    return (failure as PartialUpdateError).properties as State;
  }

  steppingIt("is drained by the others and restored, if the way back reboots it", async (clock) => {
    const life = await started(3);
    const state = await brokenState(life);
    const before = clock.now();
    const progress = recordedProgress();
    const restored = await handler.update("i-1", state, life.former, progress);
    expect(restored).toMatchObject({ wellness: "reached" });
    expect(progress.warnings).toEqual([]);
    expect(clock.now() - before).toBeLessThan(120_000);
    expect(await life.isCordoned()).toBe(false);
  });

  steppingIt("is restored without a drain if no other machine serves Kubernetes", async (clock) => {
    const life = await started(1);
    const state = await brokenState(life);
    const before = clock.now();
    const progress = recordedProgress();
    const restored = await handler.update("i-1", state, life.former, progress);
    expect(restored).toMatchObject({ wellness: "reached" });
    expect(progress.warnings).toEqual([
      expect.stringMatching(
        /^no API server runs on 127\.\S+, so the node of machine 10\.0\.1\.1 was not drained/,
      ),
    ]);
    expect(clock.now() - before).toBeLessThan(180_000);
    expect(await life.isCordoned()).toBe(false);
  });
});
