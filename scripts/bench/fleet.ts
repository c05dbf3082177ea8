import { startTalosNode, type TalosNode } from "../../emulator/talos/talosNode";
import { TalosWorld } from "../../emulator/talos/talosWorld";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import { applyPatches } from "../../provider/config/patches/patch";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { sampleInput, machinePatch } from "./sample";
import { startSlowNetwork } from "./slowNetwork";

/** How many machines, and how far away they are. */
export interface FleetOptions {
  readonly controlPlanes: number;
  readonly workers: number;
  /** How long bytes take to a machine, and as long back. Default: 0, directly. */
  readonly delayMs?: number;
}

/** A machine that runs its configuration. */
export interface FleetMachine {
  readonly address: string;
  /** What to dial: the machine, or the long way to it. */
  readonly endpoint: string;
  readonly machineType: MachineType;
  /** What its configuration has over its role's. */
  readonly patches: readonly string[];
}

/** A cluster of simulated machines in this process. */
export interface Fleet {
  /** The control plane machines first. */
  readonly machines: readonly FleetMachine[];
  readonly credentials: ClientCredentials;
  /** Of each role. */
  readonly configurations: Readonly<Record<MachineType, string>>;
}

/** The workers as those of a `TalosCluster` are reached: by way of a control plane machine, which forwards. */
export function forwardedWorkers({ machines: [controlPlane, ...workers] }: Fleet): FleetMachine[] {
  if (controlPlane === undefined) {
    throw new Error("the fleet has no machine");
  }
  return workers.map((worker) => ({ ...worker, endpoint: controlPlane.endpoint }));
}

/** The same machines with the configuration of their role and nothing else, as those of a pool have. */
export function alike(machines: readonly FleetMachine[]): FleetMachine[] {
  return machines.map((machine) => ({ ...machine, patches: [] }));
}

/** The port of the long way to a machine. */
const RELAY_PORT = 50_100;

/**
 * Switches a cluster's machines on, in this process, each on a loopback address of its own and with a
 * configuration of its own. etcd waits to be bootstrapped. They end with the process.
 *
 * @param program what is the way to machines that are far away: see `startSlowNetwork`
 */
export async function startFleet(
  program: string,
  { controlPlanes, workers, delayMs = 0 }: FleetOptions,
): Promise<Fleet> {
  const random = () => 1 + Math.floor(Math.random() * 254);
  // From 127.64 on the addresses are those of whole emulators.
  const prefix = `127.${2 + (random() % 60)}.${random()}`;
  const input = { ...(await sampleInput()), endpoint: `https://${prefix}.1:6443` };
  const documentsOf = {
    controlplane: generateMachineConfig({ ...input, machineType: "controlplane" }),
    worker: generateMachineConfig({ ...input, machineType: "worker" }),
  };
  const world = new TalosWorld();
  const machines: FleetMachine[] = [];
  const nodes: TalosNode[] = [];
  for (let number = 1; number <= controlPlanes + workers; number++) {
    const machineType = number <= controlPlanes ? "controlplane" : "worker";
    const patches = [machinePatch(number)];
    const address = `${prefix}.${number}`;
    const node = await startTalosNode({
      address,
      privateAddress: `10.0.1.${number}`,
      hostname: `ip-10-0-1-${number}.ec2.internal`,
      instanceId: `i-${String(number).padStart(17, "0")}`,
      instanceType: "m6i.large",
      region: "eu-central-1",
      zone: "eu-central-1a",
      architecture: "amd64",
      talosVersion: "v1.12.1",
      userData: encodeDocuments(applyPatches(documentsOf[machineType], patches)),
      timings: { bootMs: 0, rebootMs: 0, joinMs: 0 },
      world,
    });
    nodes.push(node);
    const endpoint = delayMs > 0 ? `${address}:${RELAY_PORT}` : address;
    machines.push({ address, endpoint, machineType, patches });
  }
  if (delayMs > 0) {
    const addresses = machines.map(({ address }) => address);
    await startSlowNetwork(program, { addresses, port: RELAY_PORT, to: 50_000, delayMs });
  }
  const credentials = await issueClientCredentials(input.secretsBundle.certs.os, {
    roles: ["os:admin"],
    now: new Date(Date.now() - 60_000),
    lifetimeHours: 1,
  });
  const configurations = {
    controlplane: encodeDocuments(documentsOf.controlplane),
    worker: encodeDocuments(documentsOf.worker),
  };
  return { machines, credentials, configurations };
}
