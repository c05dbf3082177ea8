import { TalosClient } from "../../../../provider/api/talosClient";
import { talosResources } from "../../../../provider/api/talosResources";
import { clock } from "../../../../provider/base/clock";
import { systemOfInstaller } from "../../../../provider/config/talosSystem";
import {
  type MachineUpgrade,
  readSystem,
  upgradeMachine,
} from "../../../../provider/lifecycle/upgrade/upgradeMachine";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { machineAt } from "../deliveries";

const schematicId = "c".repeat(64);
const installer = (version: string) => `factory.talos.dev/aws-installer/${schematicId}:${version}`;

const clusters: SimulatedCluster[] = [];

afterEach(async () => {
  for (const cluster of clusters.splice(0)) {
    await cluster.stop();
  }
});

async function startCluster(controlPlanes: number, workers = 0, talosVersion = "v1.12.1") {
  const cluster = await SimulatedCluster.create();
  cluster.talosVersion = talosVersion;
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
  {
    progress = silent,
    timeoutMs = 3_600_000,
    image = installer(version),
    ...hooks
  }: Partial<Pick<MachineUpgrade, "progress" | "image" | "beforeRestart" | "mayHoldOther">> & {
    readonly timeoutMs?: number;
  } = {},
) {
  const target = systemOfInstaller(image);
  if (target === undefined) {
    throw new Error("no version");
  }
  const machine = await machineAt(cluster, address);
  const deadline = clock.now() + timeoutMs;
  await upgradeMachine({ machine, image, target, deadline, progress, ...hooks });
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

describe("upgradeMachine from Talos 1.13 on", () => {
  const start = (controlPlanes: number, workers = 0) =>
    startCluster(controlPlanes, workers, "v1.13.9");

  steppingIt("pulls, drains, installs and reboots, and shows each step", async () => {
    const { cluster, nodes, first } = await start(3);
    const progress = recordedProgress();
    const beforeRestart = () => {
      progress.report("drains");
      return Promise.resolve();
    };
    for (const node of nodes) {
      await upgradeTo(cluster, node, "v1.14.6", { progress, beforeRestart });
      expect(await systemOf(cluster, node)).toMatchObject({ version: "v1.14.6" });
    }
    const steps = progress.lines.filter(
      (line) => line === "drains" || line.startsWith(`machine ${first.address}: `),
    );
    expect(steps.join("\n")).toMatch(
      /pulls factory.*: 155 of 155 MB\ndrains\n.*: upgrade from v1\.13\.9 to v1\.14\.6; the machine installs it and restarts\n.*: running Talos installer v1\.14\.6\n(?:.*\n)*.*installation of v1\.14\.6 complete/,
    );
  });

  steppingIt("fails with the meaning of the exit code, and the next run goes on", async () => {
    const { cluster, first: node } = await start(1);
    const boot = await bootOf(cluster, node);
    const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
    await expect(upgradeTo(cluster, node, "v1.14.6")).rejects.toThrow(
      /: the installer of Talos v1\.14\.6 ended with exit code 7: it failed while it wrote the new system\. The last that it wrote: .*failed to install bootloader/,
    );
    expect(await bootOf(cluster, node)).toBe(boot);
    await fault.lift();
    await upgradeTo(cluster, node, "v1.14.6");
    expect(await systemOf(cluster, node)).toMatchObject({ version: "v1.14.6" });
  });

  steppingIt("reports a system that was installed and didn't come up", async () => {
    const { cluster, first: node } = await start(1);
    await cluster.faults.inject({
      kind: "brokenUpgrade",
      machine: node.address,
      parameters: { exitCode: 0 },
    });
    const failed = expect(upgradeTo(cluster, node, "v1.14.6")).rejects;
    await failed.toThrow(`machine ${node.address} restarted with v1.13.9, its old system`);
  });

  steppingIt("waits for an installer of a killed run, and runs its own after it", async () => {
    const { cluster, first: node } = await start(1);
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.pullInstaller(installer("v1.14.1"), () => undefined);
    const killed = client.runInstaller(installer("v1.14.1"), () => undefined);
    const progress = recordedProgress();
    await upgradeTo(cluster, node, "v1.14.6", { progress });
    expect(await killed).toBe(0);
    client.close();
    expect(await systemOf(cluster, node)).toMatchObject({ version: "v1.14.6" });
  });

  steppingIt("holds the declared system again where another may boot next", async () => {
    const { cluster, first: node } = await start(1);
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.pullInstaller(installer("v1.14.6"), () => undefined);
    expect(await client.runInstaller(installer("v1.14.6"), () => undefined)).toBe(0);
    const boot = await bootOf(cluster, node);
    // The machine came from an image without that schematic.
    const image = "ghcr.io/siderolabs/installer:v1.13.9";
    await upgradeTo(cluster, node, "v1.13.9", { image, mayHoldOther: true });
    expect(await bootOf(cluster, node)).toBe(boot);
    await client.reboot();
    client.close();
    await eventually(async () => (await bootOf(cluster, node)) !== boot);
    expect(await systemOf(cluster, node)).toMatchObject({ version: "v1.13.9" });
  });

  steppingIt("waits with two members of etcd, of which neither can be spared", async () => {
    const { cluster, first } = await start(2);
    const progress = recordedProgress();
    await expect(
      upgradeTo(cluster, first, "v1.14.6", { progress, timeoutMs: 60_000 }),
    ).rejects.toThrow(/no machine may be stopped now: etcd has two members/);
    expect(await systemOf(cluster, first)).toMatchObject({ version: "v1.13.9" });
  });

  steppingIt("goes back while a member runs the former etcd, and not after that", async () => {
    const { cluster, nodes, first, second } = await start(3);
    await upgradeTo(cluster, first, "v1.14.6");
    await upgradeTo(cluster, first, "v1.13.9");
    for (const node of nodes) {
      await upgradeTo(cluster, node, "v1.14.6");
    }
    const boot = await bootOf(cluster, second);
    await expect(upgradeTo(cluster, second, "v1.13.9")).rejects.toThrow(
      /doesn't get its new Talos: the data of etcd are of etcd 3\.7 since all members have run that, and etcd 3\.6, which would follow with Talos v1\.13\.9, does not start with them\. There is no way back/,
    );
    expect(await bootOf(cluster, second)).toBe(boot);
  });

  steppingIt("refuses a Talos that would refuse the machine's configuration at boot", async () => {
    const cluster = await SimulatedCluster.create();
    clusters.push(cluster);
    cluster.talosVersion = "v1.13.9";
    const image = "ghcr.io/siderolabs/kubelet:v1.31.0";
    const patch = { machine: { kubelet: { image } } };
    const node = await cluster.add(cluster.config("controlplane", [patch]));
    await expect(upgradeTo(cluster, node, "v1.14.6")).rejects.toThrow(
      /doesn't get its new Talos: Talos v1\.14\.6 would refuse the configuration that the machine keeps, and have no API then: machine\.kubelet\.image .*"1\.31/,
    );
    expect(await systemOf(cluster, node)).toMatchObject({ version: "v1.13.9" });
  });
});
