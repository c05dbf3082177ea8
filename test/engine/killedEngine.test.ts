import { execFileSync } from "node:child_process";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";

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
        let killed = false;
        const kill = (event: EngineEvent) => {
          if (!killed && isMoment(event, world)) {
            killed = true;
            killEngines();
          }
        };
        // Most of the time passes between events.
        const timer = setInterval(() => kill({ sequence: 0, timestamp: 0 }), 5);
        await expect(stack.up({ ...record, onEvent: kill })).rejects.toThrow();
        clearInterval(timer);
        expect(killed).toBe(true);

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

/** Ends the engines that this process started, and with them their plugins. */
function killEngines(): void {
  const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  for (const line of processes.split("\n")) {
    const [pid, parent, command] = line.trim().split(/\s+/);
    if (Number(parent) === process.pid && command?.endsWith("pulumi")) {
      process.kill(Number(pid), "SIGKILL");
    }
  }
}
