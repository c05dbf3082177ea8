import type { EngineEvent } from "@pulumi/pulumi/automation";
import { describeChangedMachines, findChangedMachines } from "../../cli/engine/changedMachines";
import { previewStack } from "../../cli/engine/previewStack";
import { refuseLostMachines } from "../../cli/refuseLostMachines";
import { planStackRepair } from "../../cli/repair/repairStack";
import { eventually } from "../emulator/support/eventually";
import { randomFrom } from "../engine/support/chosenPoints";
import { FOLLOW_MS } from "../engine/support/controlPlaneLife";
import { endPlugins } from "../engine/support/endPlugins";
import { killedWhile } from "../engine/support/killedWhile";
import { GrownCluster } from "./support/grownCluster";
import { operationOf } from "./support/killPoints";
import { Random, randomChange } from "./support/randomChanges";

/** Chooses the changes, which machines are lost, and when engines are killed. */
const SEED = Number(process.env.RANDOM_CHANGES ?? "1");
const CHANGES = 14;
/** The most events of operations in a run before its engine is killed. */
const LATEST_KILL = 60;

const started = {
  talosVersion: "v1.13.0",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" as const },
  controlPlane: { machineCount: 3 },
  workerPools: { apps: { machineCount: 1 } },
};

// One cluster's life: a change is refused in the preview, or ends as intended.
describe(`a cluster that is changed at random, with the seed ${SEED}`, () => {
  const random = new Random(randomFrom(SEED));
  const history: string[] = [];
  let cluster: GrownCluster;

  beforeAll(async () => {
    cluster = await GrownCluster.start(started);
    await cluster.store("first");
  });

  afterAll(() => cluster.world.close());

  /** As `talos-aws up` does it. */
  const up = async (options: { onEvent?: (event: EngineEvent) => void } = {}) => {
    const { stack, record } = cluster.world;
    const { steps, apply } = await planStackRepair(stack);
    expect(steps.filter(({ kind }) => kind === "undecided")).toEqual([]);
    await apply({ onOutput: record.onOutput, color: "never" });
    const changed = await findChangedMachines(stack, new AbortController().signal);
    await cluster.up({ ...options, refresh: describeChangedMachines(changed).length > 0 });
  };

  /** An `up` whose engine is killed, unless it ends before. */
  const killedUp = async (latestEvent: number) => {
    let events = 0;
    const isMoment = (event: EngineEvent) =>
      operationOf(event) !== undefined && ++events > latestEvent;
    await killedWhile(up, isMoment, cluster.world, endPlugins).catch((error: unknown) => {
      if (!String(error).includes("it succeeded")) {
        throw error;
      }
    });
  };

  /** Ends a machine, of the control plane only if etcd keeps its majority. */
  const loseMachine = async () => {
    const nodes = await cluster.nodes();
    const workers = nodes.filter(({ role }) => role === "worker");
    const [first, ...others] = nodes.length - workers.length > 1 ? nodes : workers;
    if (first !== undefined) {
      const { name } = random.of([first, ...others]);
      history.push(`loss of ${name}`);
      await cluster.terminate(name);
    }
  };

  /** Whether `talos-aws up` would refuse the change until the lost machine is replaced. */
  const waitsForLost = async () => {
    const { signal } = new AbortController();
    try {
      const { summary } = await previewStack(cluster.world.stack, { refresh: true, signal });
      refuseLostMachines(summary);
      return false;
    } catch (error) {
      expect(String(error)).toMatch(
        /then make the change again|then upgrade|then begin this stage/,
      );
      return true;
    }
  };

  const machines = () =>
    cluster.world.emulator
      .nodes()
      .map(({ instanceId, talosVersion, machineConfiguration }) => [
        instanceId,
        talosVersion,
        machineConfiguration,
      ]);

  /** The operations that a preview with a refresh shows. */
  const left = async () => {
    const operations = new Set<string | undefined>();
    const onEvent = (event: EngineEvent) => operations.add(operationOf(event));
    await cluster.world.stack.preview({ refresh: true, onEvent });
    operations.delete(undefined);
    return [...operations];
  };

  const expectWell = async () => {
    const { talosVersion, kubernetesVersion, controlPlane, workerPools = {} } = cluster.args;
    const voters = controlPlane?.machineCount ?? 3;
    const count = Object.values(workerPools)
      .map((pool) => pool.machineCount ?? pool.autoScaling?.minSize ?? 0)
      .reduce((sum, each) => sum + each, voters);
    await eventually(() => {
      const running = cluster.world.emulator.nodes().map((node) => node.talosVersion);
      expect(running).toEqual(Array(count).fill(talosVersion));
    }, FOLLOW_MS);
    expect(await left()).toEqual([]);
    expect(await cluster.voters()).toBe(voters);
    await eventually(async () => {
      const ready = (await cluster.kubernetesNodes()).filter(({ isReady }) => isReady);
      expect(ready).toHaveLength(count);
    }, FOLLOW_MS);
    // The next update removes the nodes of a group that is gone.
    if ((await cluster.kubernetesNodes()).length > count) {
      await up();
    }
    const nodes = await cluster.kubernetesNodes();
    expect(nodes.map(({ name: _, ...facts }) => facts)).toEqual(
      Array(count).fill({ isReady: true, takesPods: true, kubelet: kubernetesVersion }),
    );
    expect(await cluster.stored()).toContain("first");
  };

  for (let index = 1; index <= CHANGES; index++) {
    it(`ends well, or is refused in the preview: change ${index}`, async () => {
      const former = cluster.args;
      const { words, args } = randomChange(former, random);
      const [isLost, isKilled] = [random.below(5) === 0, random.below(3) === 0];
      const latestEvent = random.below(LATEST_KILL);
      history.push(words);
      const before = machines();
      cluster.replaceArgs(args);
      const refusal = await cluster.world.stack.preview().then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (refusal !== undefined) {
        history.push("refused");
        cluster.replaceArgs(former);
        expect(refusal).toMatch(
          /the cluster "c" can't be made|has a problem|the machine runs Talos|can't be removed while/,
        );
        expect(refusal).not.toMatch(/TypeError|ReferenceError/);
        expect(machines()).toEqual(before);
        return;
      }
      try {
        if (isLost) {
          await loseMachine();
          if (await waitsForLost()) {
            history.push("first the lost machine");
            cluster.replaceArgs(former);
            await up();
            cluster.replaceArgs(args);
          }
        }
        if (isKilled) {
          history.push(`kill after ${latestEvent} events`);
          await killedUp(latestEvent);
        }
        await up();
        // AWS gives machines other addresses at the end of an update that takes fixed ones away.
        if (hasFixedAddresses(former) && !hasFixedAddresses(args)) {
          await up();
        }
        await expectWell();
      } catch (error) {
        throw new Error(`after ${history.join("; ")}: ${String(error)}`, { cause: error });
      }
    });
  }
});

function hasFixedAddresses({ controlPlane }: GrownCluster["args"]): boolean {
  return controlPlane?.fixedAddresses === true;
}
