import { TalosClient } from "../../../provider/api/talosClient";
import { talosResources } from "../../../provider/api/talosResources";
import { clock } from "../../../provider/clock";
import { systemOfInstaller } from "../../../provider/config/talosSystem";
import { readSystem, upgradeMachine } from "../../../provider/lifecycle/upgradeMachine";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { machineAt } from "./deliveries";

const schematicId = "c".repeat(64);
const installer = (version: string) => `factory.talos.dev/aws-installer/${schematicId}:${version}`;

const clusters: SimulatedCluster[] = [];

afterEach(async () => {
  for (const cluster of clusters.splice(0)) {
    await cluster.stop();
  }
});

async function startCluster(controlPlanes: number, workers = 0) {
  const cluster = await SimulatedCluster.create();
  clusters.push(cluster);
  const nodes = await cluster.addConfigured(controlPlanes, workers);
  const [first, second = first] = nodes;
  if (first === undefined || second === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(first, controlPlanes);
  return { cluster, nodes, first, second };
}

/** Has a machine run a release. */
async function upgradeTo(
  cluster: SimulatedCluster,
  { address }: SimulatedNode,
  version: string,
  { progress = silent, timeoutMs = 3_600_000, image = installer(version) } = {},
) {
  const target = systemOfInstaller(image);
  if (target === undefined) {
    throw new Error("no version");
  }
  const machine = await machineAt(cluster, address);
  await upgradeMachine({ machine, image, target, deadline: clock.now() + timeoutMs, progress });
}

async function systemOf(cluster: SimulatedCluster, { address }: SimulatedNode) {
  const client = TalosClient.connect(await machineAt(cluster, address));
  try {
    return await readSystem(client);
  } finally {
    client.close();
  }
}

/** What tells one boot of a machine from another. */
async function bootOf(cluster: SimulatedCluster, { address }: SimulatedNode) {
  const client = TalosClient.connect(await machineAt(cluster, address));
  try {
    return (await client.getTyped(talosResources.machineStatus)).created;
  } finally {
    client.close();
  }
}

describe("upgradeMachine", () => {
  steppingIt(
    "upgrades control plane machines to another release and schematic, each with healthy etcd",
    async () => {
      const { cluster, nodes, first } = await startCluster(3);
      const progress = recordedProgress();
      for (const node of nodes) {
        await upgradeTo(cluster, node, "v1.13.0", { progress });
        expect(await systemOf(cluster, node)).toEqual({
          version: "v1.13.0",
          schematic: schematicId.slice(0, 16),
        });
      }
      expect(progress.lines.join("\n")).toContain(
        `machine ${first.address}: upgrade from v1.12.1 to v1.13.0; the machine drains its node and restarts`,
      );
    },
  );

  steppingIt("does nothing if the machine runs it", async () => {
    const { cluster, second: worker } = await startCluster(1, 1);
    await upgradeTo(cluster, worker, "v1.13.0");
    const boot = await bootOf(cluster, worker);
    await upgradeTo(cluster, worker, "v1.13.0");
    expect(await bootOf(cluster, worker)).toBe(boot);
  });

  steppingIt("waits while an etcd member is unhealthy", async () => {
    const { cluster, first, second } = await startCluster(3);
    const fault = await cluster.faults.inject({ kind: "powerLoss", machine: second.address });
    const progress = recordedProgress();
    const upgraded = upgradeTo(cluster, first, "v1.13.0", { progress });
    await eventually(() => /may be stopped now: .*doesn't answer/.test(progress.lines.join("\n")));
    expect(await systemOf(cluster, first)).toMatchObject({ version: "v1.12.1" });
    await fault.lift();
    await upgraded;
    expect(await systemOf(cluster, first)).toMatchObject({ version: "v1.13.0" });
  });

  steppingIt(
    "reports an installer that can't be pulled, while the machine keeps running",
    async () => {
      const { cluster, first: node } = await startCluster(1);
      const boot = await bootOf(cluster, node);
      const image = "registry.example/installer:v1.13.0";
      await expect(upgradeTo(cluster, node, "v1.13.0", { image })).rejects.toThrow(
        /error validating installer image "registry.example\/installer:v1.13.0"/,
      );
      expect(await bootOf(cluster, node)).toBe(boot);
    },
  );

  steppingIt(
    "reports a machine that returned on its old system, and retries in the next run",
    async () => {
      const { cluster, first: node } = await startCluster(1);
      const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
      await expect(upgradeTo(cluster, node, "v1.13.0")).rejects.toThrow(
        `machine ${node.address} restarted with v1.12.1, its old system, instead of v1.13.0`,
      );
      await fault.lift();
      await upgradeTo(cluster, node, "v1.13.0");
      expect(await systemOf(cluster, node)).toMatchObject({ version: "v1.13.0" });
    },
  );

  steppingIt("waits for an upgrade that a killed run had begun, and begins no other", async () => {
    const { cluster, first: node } = await startCluster(1);
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.upgrade({ image: installer("v1.13.0") });
    client.close();
    const progress = recordedProgress();
    await upgradeTo(cluster, node, "v1.13.0", { progress });
    expect(progress.lines.join("\n")).not.toContain("upgrade from");
  });

  steppingIt("refuses to skip a minor, also if the running release is not recorded", async () => {
    const { cluster, first: node } = await startCluster(1);
    await expect(upgradeTo(cluster, node, "v1.14.0")).rejects.toThrow(
      "the machine runs Talos v1.12.1, and v1.14.0 is 2 minors above it",
    );
  });
});
