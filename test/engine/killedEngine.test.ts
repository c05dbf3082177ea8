import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
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

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Kills the engines that this process started, and nothing else.
 *
 * @returns the processes that the engines had started: their plugins
 */
function killEngines(): Process[] {
  const all = listProcesses();
  const childrenOf = (parent: number): Process[] =>
    all
      .filter((process) => process.parent === parent)
      .flatMap((child) => [child, ...childrenOf(child.pid)]);
  const engines = all.filter(
    ({ parent, command }) => parent === process.pid && command.endsWith("pulumi"),
  );
  for (const { pid } of engines) {
    process.kill(pid, "SIGKILL");
  }
  return engines.flatMap(({ pid }) => childrenOf(pid));
}

/** Whether processes end by themselves. */
async function allEnd(processes: readonly Process[]): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const alive = new Set(listProcesses().map(({ pid, command }) => `${pid} ${command}`));
    if (!processes.some(({ pid, command }) => alive.has(`${pid} ${command}`))) {
      return true;
    }
    await sleep(50);
  }
  return false;
}

function listProcesses(): Process[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*\S)/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, command = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      command,
    }));
}
