import type { EngineEvent } from "@pulumi/pulumi/automation";
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
  it.each(moments)(
    "%s: the next run converges with one bootstrap",
    async (_moment, isMoment) => {
      const world = await startEngineWorld();
      try {
        const { stack, emulator, record } = world;
        let plugins: Process[] | undefined;
        const kill = (event: EngineEvent) => {
          if (plugins === undefined && isMoment(event, world)) {
            plugins = killEngines();
          }
        };
        // Most of the time passes between events.
        const timer = setInterval(() => kill({ sequence: 0, timestamp: 0 }), 5);
        await expect(stack.up({ ...record, onEvent: kill })).rejects.toThrow();
        clearInterval(timer);
        expect(plugins).not.toHaveLength(0);
        expect(await allEnd(plugins ?? [])).toBe(true);

        await stack.cancel();
        await stack.up(record);
        const nodes = emulator.nodes().filter(({ machineConfiguration }) => machineConfiguration);
        expect(nodes.map(({ stage }) => stage)).toEqual(["running", "running", "running"]);
        expect(nodes.reduce((sum, { bootstrapCalls }) => sum + bootstrapCalls, 0)).toBe(1);

        const { changeSummary } = await stack.preview(record);
        expect(Object.keys(changeSummary)).toEqual(["same"]);
      } finally {
        await world.close();
      }
    },
    300_000,
  );
});
