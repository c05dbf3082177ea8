import { protocol } from "../../../../provider/api/protocol";
import { clock } from "../../../../provider/base/clock";
import type { OnDestroy } from "../../../../provider/engine/onDestroy";
import {
  awaitConfiguration,
  deliverFirstConfiguration,
} from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import { lookAtEtcd } from "../../../../provider/lifecycle/etcd/lookAtEtcd";
import { resetMachine } from "../../../../provider/lifecycle/leaving/resetMachine";
import type { Machine } from "../../../../provider/lifecycle/machine";
import { eventually, SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { recordedProgress } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { deliveryOf, machineAt } from "../deliveries";

let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});
afterEach(async () => {
  await cluster.stop();
});

/** Resets a machine, and returns what it reported and warned of. */
async function reset(machine: Machine, systemLabelsToWipe: string[], timeoutMs = 60_000) {
  const progress = recordedProgress();
  const options: OnDestroy = { reset: true, graceful: false, reboot: true, systemLabelsToWipe };
  await resetMachine(machine, options, clock.now() + timeoutMs, progress);
  return progress;
}

describe("a machine with Talos v1.14 whose etcd has a partition of its own", () => {
  const ownEtcd = {
    apiVersion: "v1alpha1",
    kind: "VolumeConfig",
    name: "ETCD",
    provisioning: { diskSelector: { match: "!system_disk" }, grow: true },
  };

  steppingIt("loses etcd's data when EPHEMERAL is wiped, as with other machines", async () => {
    cluster.talosVersion = "v1.14.1";
    const added = await cluster.add(cluster.config("controlplane", [ownEtcd]));
    const machine = await machineAt(cluster, added.address);
    await eventually(
      async () =>
        (await lookAtEtcd({ ...machine, machineId: added.instanceId })).kind === "waiting",
    );
    await cluster.bootstrap(added, 1);
    await reset(machine, ["EPHEMERAL"], 600_000);
    await eventually(
      async () =>
        (await lookAtEtcd({ ...machine, machineId: added.instanceId })).kind === "waiting",
    );
  });

  steppingIt("isn't wiped while that partition is there", async () => {
    cluster.talosVersion = "v1.14.1";
    const { node, address } = await cluster.add();
    const machine = await machineAt(cluster, address);
    const delivery = deliveryOf(machine, cluster.config("controlplane", [ownEtcd]));
    await awaitConfiguration(delivery, await deliverFirstConfiguration(delivery));
    const client = await cluster.client({ address });
    await client.unary(protocol.machine.MachineService.service.Reset, {
      reboot: true,
      systemPartitionsToWipe: ["STATE", "EPHEMERAL"].map((label) => ({ label, wipe: true })),
    });
    await eventually(() => node.stage === "maintenance");
    await expect(reset(machine, ["STATE", "EPHEMERAL"])).rejects.toThrow(/still holds ETCD/);
  });
});

describe("a machine in maintenance mode that was not reset in this run", () => {
  steppingIt("isn't wiped while its disk has the partitions", async () => {
    // Not by user data, which would configure it again after its reset.
    const { node, address } = await cluster.add();
    const machine = await machineAt(cluster, address);
    const delivery = deliveryOf(machine, cluster.config("controlplane"));
    await awaitConfiguration(delivery, await deliverFirstConfiguration(delivery));
    await reset(machine, ["STATE"]);
    await eventually(() => node.stage === "maintenance");
    await expect(reset(machine, ["STATE", "EPHEMERAL"])).rejects.toThrow(
      /is in maintenance mode, but its disk still holds EPHEMERAL: it was not wiped/,
    );
    await expect(reset(machine, [])).rejects.toThrow(/still holds EPHEMERAL/);
  });

  steppingIt(
    "counts as wiped if its disk is empty, with a warning about what this doesn't prove",
    async () => {
      const bare = await cluster.add();
      const machine = await machineAt(cluster, bare.address);
      const { warnings } = await reset(machine, ["STATE", "EPHEMERAL"]);
      expect(warnings).toEqual([
        expect.stringMatching(/its disk has none of the partitions to wipe.*nothing proves/),
      ]);
    },
  );

  steppingIt("does not answer for the machine that it would forward to", async () => {
    const { node, address } = await cluster.add(cluster.config("controlplane"));
    const forwarder = await cluster.add();
    const machine = await machineAt(cluster, address, forwarder.address);
    await expect(reset(machine, ["STATE", "EPHEMERAL"])).rejects.toThrow(
      /is in maintenance mode and forwards nothing/,
    );
    expect(node.machineConfiguration).toBeDefined();
  });
});
