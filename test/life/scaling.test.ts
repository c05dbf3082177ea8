import type { EngineEvent } from "@pulumi/pulumi/automation";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import { TalosClient } from "../../provider/api/talosClient";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import { eventually } from "../emulator/support/eventually";
import { controlPlaneAlone, FOLLOW_MS } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { plannedSteps } from "../engine/support/plannedSteps";
import { statusOf } from "../engine/support/statusOf";
import { administratorIn, outputsIn, storedResources } from "../engine/support/storedResources";
import { terminateMachine } from "../engine/support/terminateMachine";

// One cluster's life: each test goes on where the one before it ended.
describe("a scaled cluster, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let args: TalosClusterArgs = {
    ...controlPlaneAlone,
    network: { zones: ["us-east-1a"] },
    controlPlane: { machineCount: 1 },
    workerPools: { apps: { machineCount: 1 } },
  };
  let credentials: ClientCredentials;

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const cluster = new TalosCluster("c", args);
        const { nodes, talosconfig, kubeconfig, autoScalingGroupNames } = cluster;
        return Promise.resolve({ nodes, talosconfig, kubeconfig, autoScalingGroupNames });
      },
    });
    await world.stack.up(world.record);
    credentials = administratorIn(await storedResources(world.stack));
  });

  afterAll(() => world.close());

  const nodes = async () =>
    outputsIn(await storedResources(world.stack)).nodes as {
      readonly name: string;
      readonly role: string;
      readonly instanceId: string;
      readonly publicAddress: string;
    }[];

  /** Sets how many machines there are. */
  const size = (controlPlanes: number, workers: number) => {
    args = {
      ...args,
      controlPlane: { machineCount: controlPlanes },
      workerPools: { apps: { machineCount: workers } },
    };
  };

  /** Names of the members of etcd that vote, as one machine sees them. */
  async function voters(address: string): Promise<number> {
    const client = TalosClient.connect({ endpoint: address, credentials });
    try {
      // Without a majority it never answers; a busy machine just takes longer.
      const members = await client.etcdMembers({ timeoutMs: 60_000 });
      return members.filter(({ isLearner }) => !isLearner).length;
    } finally {
      client.close();
    }
  }

  /** Asks the first machine's etcd all the time: it answers while there is a majority only. */
  function watchEtcd(address: string) {
    const failures: string[] = [];
    let answers = 0;
    const ended = new AbortController();
    const asking = (async () => {
      while (!ended.signal.aborted) {
        await voters(address).then(
          () => (answers += 1),
          (error: unknown) => failures.push(String(error)),
        );
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    return async () => {
      ended.abort();
      await asking;
      return { failures, answers };
    };
  }

  /** Discovery remembers removed machines, which doesn't make the cluster unwell. */
  const isWell = () =>
    eventually(async () => {
      const { verdict, problems } = await statusOf(world.stack);
      expect({ verdict, problems }).toEqual({ verdict: "healthy", problems: [] });
    }, FOLLOW_MS);

  for (const [controlPlanes, workers, isCutOff] of [
    [3, 3, false],
    [5, 3, false],
    [3, 1, true],
    [1, 2, false],
  ] as const) {
    const runs = isCutOff ? "two runs, one killed as a member leaves etcd" : "one run";
    step(
      `has ${controlPlanes} control plane machines and ${workers} workers by ${runs}`,
      async () => {
        const [first] = await nodes();
        const address = first?.publicAddress ?? "";
        const stop = watchEtcd(address);
        size(controlPlanes, workers);
        if (isCutOff) {
          const isMoment = ({ resourcePreEvent }: EngineEvent) =>
            resourcePreEvent?.metadata.op === "delete" &&
            resourcePreEvent.metadata.type.endsWith(":EtcdMember");
          await killedWhile(
            (options, stack) => stack.up({ ...world.record, ...options }),
            isMoment,
            world,
          );
        }
        await world.stack.up(world.record);
        const { failures, answers } = await stop();
        expect(failures).toEqual([]);
        expect(answers).toBeGreaterThan(0);
        await eventually(async () => expect(await voters(address)).toBe(controlPlanes), FOLLOW_MS);
        const roles = (await nodes()).map(({ role }) => role);
        expect(roles.filter((role) => role === "worker")).toHaveLength(workers);
        expect(world.emulator.nodes()).toHaveLength(controlPlanes + workers);
        expect(await plannedSteps(world.stack, world.record)).toEqual([]);
        await isWell();
      },
    );
  }

  step("replaces a lost machine by one up, also if the first run was cut off", async () => {
    size(3, 1);
    await world.stack.up(world.record);
    const before = await nodes();
    const lost = before.find(({ name }) => name === "c-control-plane-2")?.instanceId ?? "";
    await terminateMachine(world, lost);
    await eventually(() => {
      expect(world.emulator.nodes().map(({ instanceId }) => instanceId)).not.toContain(lost);
    }, FOLLOW_MS);
    const known = new Set(before.map(({ instanceId }) => instanceId));
    const isMade = () =>
      world.emulator
        .nodes()
        .some(
          ({ instanceId, machineConfiguration }) =>
            !known.has(instanceId) && machineConfiguration !== undefined,
        );
    await world.stack.refresh(world.record);
    await killedWhile((options, stack) => stack.up({ ...world.record, ...options }), isMade, world);
    await world.stack.up(world.record);
    const address = before[0]?.publicAddress ?? "";
    expect(await voters(address)).toBe(3);
    expect(world.emulator.nodes()).toHaveLength(4);
    await isWell();
  });
});
