import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { TalosClient } from "../../provider/api/talosClient";
import { administrator } from "./support/administrator";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { allEnd, killEngines, type Process } from "../../scripts/killEngines";

/** At which moment the engine is killed. */
const moments: [string, (event: EngineEvent, world: EngineWorld) => boolean][] = [
  [
    "after the first machine got its configuration, before that is recorded",
    (_event, { emulator }) =>
      emulator.nodes().some(({ machineConfiguration }) => machineConfiguration !== undefined),
  ],
  [
    "after the bootstrap call, before etcd is healthy",
    (_event, { emulator }) => emulator.nodes().some(({ bootstrapCalls }) => bootstrapCalls > 0),
  ],
  [
    "between the bootstrap and the kubeconfig",
    (event) => event.resOutputsEvent?.metadata.urn.includes("MachineBootstrap") === true,
  ],
];

describe("an engine that is killed", () => {
  let world: EngineWorld | undefined;

  afterAll(async () => {
    await world?.close();
  }, 60_000);

  it.each(moments)(
    "%s: the next run converges with one bootstrap",
    async (_moment, isMoment) => {
      await world?.close();
      world = undefined;
      const here = await startEngineWorld();
      world = here;
      const { stack, emulator, record } = here;
      await killedWhile((options) => stack.up({ ...record, ...options }), isMoment, here);
      await stack.up(record);
      const nodes = emulator.nodes().filter(({ machineConfiguration }) => machineConfiguration);
      expect(nodes.map(({ stage }) => stage)).toEqual(["running", "running", "running"]);
      expect(nodes.reduce((sum, { bootstrapCalls }) => sum + bootstrapCalls, 0)).toBe(1);

      const { changeSummary } = await stack.preview(record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    },
    300_000,
  );

  // In the world that the last of them leaves.
  it("while the machine before is still in etcd: the next run has it leave", async () => {
    const here = existing(world);
    const { stack, emulator, record } = here;
    const [, second] = emulator.nodes();
    const urn = await instanceUrn(stack, second?.instanceId);
    const isMoment = () => emulator.nodes().filter(isRunning).length === 4;
    const replace = [urn];
    await killedWhile((options) => stack.up({ ...record, ...options, replace }), isMoment, here);
    await stack.up(record);
    expect(emulator.nodes().filter(isRunning)).toHaveLength(3);
    expect(emulator.nodes().some(({ instanceId }) => instanceId === second?.instanceId)).toBe(
      false,
    );
    const [first] = emulator.nodes();
    const client = TalosClient.connect({
      endpoint: first?.address ?? "",
      credentials: await administrator(stack),
    });
    expect((await client.etcdMembers()).map(({ isLearner }) => isLearner)).toEqual([
      false,
      false,
      false,
    ]);
    client.close();
  }, 300_000);

  it("in a destroy, when a machine is gone: the next destroy ends, and leaves nothing", async () => {
    const here = existing(world);
    const { stack, emulator, record } = here;
    const isMoment = () => emulator.nodes().length < 3;
    await killedWhile((options) => stack.destroy({ ...record, ...options }), isMoment, here);
    const told: string[] = [];
    await stack.destroy({ ...record, onOutput: (text) => told.push(text) });
    expect(told.join("")).not.toMatch(/leave etcd/);
    expect(emulator.nodes()).toEqual([]);
    const exported = await stack.exportStack();
    expect((exported.deployment as { resources?: unknown[] }).resources ?? []).toEqual([]);
  }, 120_000);
});

/** Runs the engine until a moment and kills it then; the stack is unlocked for the next run. */
async function killedWhile(
  run: (options: { onEvent: (event: EngineEvent) => void }) => Promise<unknown>,
  isMoment: (event: EngineEvent, world: EngineWorld) => boolean,
  world: EngineWorld,
): Promise<void> {
  let plugins = undefined as Process[] | undefined;
  const kill = (event: EngineEvent) => {
    if (plugins === undefined && isMoment(event, world)) {
      plugins = killEngines();
    }
  };
  // Most of the time passes between events.
  const timer = setInterval(() => kill({ sequence: 0, timestamp: 0 }), 5);
  const failure: unknown = await run({ onEvent: kill }).catch((error: unknown) => error);
  clearInterval(timer);
  if (plugins === undefined) {
    throw new Error("the engine ended before the moment came", { cause: failure });
  }
  expect(plugins).not.toHaveLength(0);
  expect(await allEnd(plugins)).toBe(true);
  await world.stack.cancel();
}

function existing(world: EngineWorld | undefined): EngineWorld {
  if (world === undefined) throw new Error("the test before has left no world");
  return world;
}

function isRunning({ stage }: { readonly stage: string }): boolean {
  return stage === "running";
}

/** The URN of an instance by its id. */
async function instanceUrn(stack: Stack, instanceId: string | undefined): Promise<string> {
  const exported = await stack.exportStack();
  const { resources = [] } = exported.deployment as {
    readonly resources?: readonly { readonly urn: string; readonly id?: string }[];
  };
  const found = resources.find(
    ({ urn, id }) => id === instanceId && urn.includes("aws:ec2/instance:Instance::"),
  );
  return found?.urn ?? "";
}
