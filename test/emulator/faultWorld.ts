import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startControlServer } from "../../emulator/controlServer";
import { daemonFile } from "../../emulator/daemonRecord";
import type { TalosNode } from "../../emulator/talos/talosNode";
import { SimulatedCluster } from "./talos/simulatedCluster";

/** Where the faults are documented. */
export const faultDocument = path.join(__dirname, "../../docs/faults.md");

/** The commands that the documentation shows, a line each. */
export async function documentedCommands(): Promise<string[]> {
  const text = await readFile(faultDocument, "utf8");
  return (/```sh\n([^`]*)```/.exec(text)?.[1] ?? "").trim().split("\n");
}

/** A machine in maintenance mode, and what commands for faults reach it by. */
export interface FaultWorld {
  readonly cluster: SimulatedCluster;
  readonly node: TalosNode;
  /** Holds the record of its control server, as of an emulator in the background. */
  readonly stateDir: string;
  stop(): Promise<void>;
}

/** Switches it on. */
export async function startFaultWorld(): Promise<FaultWorld> {
  const cluster = await SimulatedCluster.create();
  const { node, address } = await cluster.add();
  const stateDir = await mkdtemp(path.join(tmpdir(), "fault-commands-"));
  const { id: instanceId, zone, privateAddress } = node.faultTarget;
  const seen = { instanceId, zone, privateAddress, address, hostname: "", bootstrapCalls: 0 };
  const { server, url } = await startControlServer({
    worldId: "world",
    token: "token",
    emulator: {
      url: "http://127.0.0.1/",
      region: "us-east-1",
      environment: {},
      pluginDir: "",
      vpcRange: "127.64.224.0/19",
      nameEnvironment: {},
      resolve: () => Promise.resolve([]),
      discovered: () => [],
      nodes: () => [
        { ...seen, stage: node.stage, talosVersion: "v1.12.1", machineConfiguration: undefined },
      ],
      faults: cluster.faults,
      violations: () => [],
      stop: () => Promise.resolve(),
    },
    onStop: () => undefined,
  });
  const record = { pid: process.pid, worldId: "world", controlUrl: url, controlToken: "token" };
  const rest = { url, region: "us-east-1", environment: {}, pluginDir: "" };
  await writeFile(daemonFile(stateDir), JSON.stringify({ ...record, ...rest }));
  return {
    cluster,
    node,
    stateDir,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await rm(stateDir, { recursive: true, force: true });
      await cluster.stop();
    },
  };
}
