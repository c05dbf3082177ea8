import { TalosClient } from "../../../provider/api/talosClient";
import { clock } from "../../../provider/base/clock";
import {
  awaitConfiguration,
  deliverConfiguration,
} from "../../../provider/lifecycle/delivery/deliverConfiguration";
import { awaitEtcd, awaitRestart } from "../../../provider/lifecycle/etcd/awaitEtcd";
import { leaveEtcd } from "../../../provider/lifecycle/etcd/leaveEtcd";
import { endMachine } from "../../../provider/lifecycle/leaving/endMachine";
import { takeOverFrom } from "../../../provider/lifecycle/leaving/takeOverFrom";
import type { EtcdMachine } from "../../../provider/lifecycle/machine";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { machineTurnHandler } from "../../../provider/resources/machineTurn";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { deliveryOf, machineAt } from "./deliveries";

const inSeconds = (seconds: number) => clock.now() + seconds * 1_000;

let cluster: SimulatedCluster;
let nodes: SimulatedNode[];

/** Three machines, the first and second of which are behind addresses of their own. */
beforeEach(async () => {
  cluster = await SimulatedCluster.create({ joinMs: 300 });
  nodes = await cluster.addConfigured(3);
  await cluster.bootstrap(at(0), 3);
});
afterEach(() => cluster.stop());

function at(index: number): SimulatedNode {
  const node = nodes[index];
  if (node === undefined) {
    throw new Error(`there is no node ${index}`);
  }
  return node;
}

const machine = (index: number) => machineAt(cluster, at(index).address);

async function leaving(index: number): Promise<EtcdMachine> {
  const { privateAddress, instanceId } = at(index);
  return { ...(await machine(index)), privateAddress, machineId: instanceId };
}

describe("the gates between control plane machines", () => {
  steppingIt("open when every etcd member is healthy, and not while one is down", async () => {
    await awaitEtcd(await machine(0), inSeconds(600), silent);
    await at(1).node.stop();
    const waiting = awaitEtcd(await machine(0), inSeconds(10), silent);
    await expect(waiting).rejects.toThrow(/10\.0\.1\.2 doesn't answer/);
  });

  steppingIt("wait for changes that stop machines, not for their creation or move", async () => {
    const inputs = {
      ...(await machine(0)),
      triggers: ["m6i.large"],
      timeoutSeconds: 10,
    };
    await at(1).node.stop();
    const { id, state } = await machineTurnHandler.create(inputs, silent);
    const moved = { ...inputs, node: "127.0.0.9" };
    expect(machineTurnHandler.diff(id, state, moved)).toEqual({ changes: false });
    const larger = { ...inputs, triggers: ["m6i.xlarge"] };
    expect(machineTurnHandler.diff(id, state, larger)).toEqual({ changes: true });
    await expect(machineTurnHandler.update(id, state, larger, silent)).rejects.toThrow(
      /gave up waiting for etcd to be healthy/,
    );
  });

  steppingIt("let a machine restart if etcd loses no healthy member that it needs", async () => {
    await awaitRestart(await machine(0), inSeconds(10), silent);
    await at(2).node.stop();
    const waiting = awaitRestart(await machine(0), inSeconds(10), silent);
    await expect(waiting).rejects.toThrow(
      /^gave up waiting for etcd's other members to be healthy, before machine \S+ restarts .*the etcd member 10\.0\.1\.3 doesn't answer$/,
    );
    // Without its majority, etcd is healthy on no machine.
    await at(1).node.stop();
    await awaitRestart(await machine(0), inSeconds(10), silent);
  });

  steppingIt("hold a configuration that reboots, but no other one", async () => {
    const base = {
      ...(await machine(0)),
      machineId: at(0).instanceId,
      patches: [],
      mode: "auto" as const,
      configurationHash: "",
      redactedConfiguration: "",
    };
    const check = async (text: string, timeoutSeconds: number) => {
      const news = { ...base, machineConfiguration: text, timeoutSeconds };
      return (await configurationApplyHandler.check(undefined, news)).inputs;
    };
    const textWith = (machine: object) => cluster.config("controlplane", [{ machine }]);
    const first = await check(cluster.config("controlplane"), 600);
    const { id, state } = await configurationApplyHandler.create(first, silent);
    await at(2).node.stop();
    const label = textWith({ nodeLabels: { tier: "one" } });
    const labelled = await configurationApplyHandler.update(
      ...([id, state, await check(label, 600), silent] as const),
    );
    const reboot = await check(textWith({ env: { GREETING: "hello" } }), 10);
    await expect(configurationApplyHandler.update(id, labelled, reboot, silent)).rejects.toThrow(
      /other members to be healthy, before machine/,
    );
    expect(at(0).node.machineConfiguration).toBe(label);
  });

  steppingIt("end when a rebooted machine has joined etcd again", async (stepping) => {
    const text = cluster.config("controlplane", [{ machine: { env: { GREETING: "hello" } } }]);
    const delivery = deliveryOf(await machine(1), text);
    const acceptance = await deliverConfiguration(delivery);
    expect(acceptance).toMatchObject({ wasRunning: true });
    await awaitConfiguration(delivery, acceptance);
    const before = stepping.skippedMs;
    await awaitEtcd(await machine(1), inSeconds(600), silent);
    expect(stepping.skippedMs).toBe(before);
  });

  steppingIt("remove the leaving member from etcd first", async () => {
    const progress = recordedProgress();
    await leaveEtcd(await leaving(2), [], inSeconds(600), progress);
    await cluster.waitForVoters(at(0), 2);
    // A second time there is nothing left to do.
    await leaveEtcd(await leaving(2), [], inSeconds(600), progress);
    await leaveEtcd(await leaving(1), [], inSeconds(600), progress);
    await cluster.waitForVoters(at(0), 1);
    await leaveEtcd(await leaving(0), [], inSeconds(600), progress);
    await cluster.waitForVoters(at(0), 1);
  });

  steppingIt("remove no machine that can't leave etcd", async () => {
    const state = {
      ...(await machine(2)),
      configurationHash: "",
      redactedConfiguration: {},
      onDestroy: { leaveEtcd: true },
      timeoutSeconds: 10,
    };
    await at(2).node.stop();
    await expect(configurationApplyHandler.delete?.("i-1", state, silent)).rejects.toThrow(
      /was not removed from etcd: .*delete the whole cluster, run "talos-aws destroy <stack>".*talosctl etcd remove-member.* TALOS_AWS_ON_DESTROY=none/,
    );
  });
});

describe("a cluster that is destroyed", () => {
  const reset = async (deletesCluster: boolean) => {
    const how = { override: undefined, deletesCluster, deadline: inSeconds(20) };
    await endMachine(await leaving(2), { reset: true }, how, silent);
  };

  // A graceful reset has it leave etcd, which has no majority for that.
  steppingIt("resets a machine also when the others are gone", async () => {
    await Promise.all([at(0), at(1)].map(({ node }) => node.stop()));
    await reset(true);
    expect(at(2).node.stage).toBe("stopped");
  });

  steppingIt("but not a machine that is removed alone", async () => {
    await Promise.all([at(0), at(1)].map(({ node }) => node.stop()));
    await expect(reset(false)).rejects.toThrow(/was not reset: .*talos-aws destroy <stack>/);
  });
});

describe("a control plane machine that is lost", () => {
  steppingIt("is removed so that its replacement can join", async () => {
    const progress = recordedProgress();
    const predecessor = await leaving(1);
    await at(1).node.stop();
    const successor = await cluster.add(cluster.config("controlplane"));
    const machine = await machineAt(cluster, successor.address);
    expect(await takeOverFrom(predecessor, machine, [], inSeconds(600), progress, 1_000)).toBe(
      "gone",
    );
    expect(progress.warnings).toEqual([
      expect.stringMatching(
        /is gone: it has not answered for 1 s, so \S+ removed its member ip-10-0-1-2/,
      ),
    ]);
    await cluster.waitForVoters(successor, 3);
    // Once it is out there is nothing to do any more.
    await takeOverFrom(predecessor, machine, [], inSeconds(600), progress, 10_000);
    expect(progress.warnings).toHaveLength(1);
  });

  steppingIt("stays a member while it answers, or if no member has seen it", async () => {
    const predecessor = await leaving(1);
    const successor = await machine(2);
    const takeOver = (former: EtcdMachine) =>
      takeOverFrom(former, successor, [], inSeconds(10), silent, 0);
    expect(await takeOver(predecessor)).toBe("there");
    const unreachable = { ...predecessor, node: "127.0.0.9", endpoint: "127.0.0.9" };
    expect(await takeOver(unreachable)).toBe("there");
    const { privateAddress: _, ...unknown } = unreachable;
    expect(await takeOver(unknown)).toBe("gone");
    await cluster.waitForVoters(at(0), 3);
  });

  steppingIt("is removed from etcd by a remaining machine", async () => {
    const progress = recordedProgress();
    await at(2).node.stop();
    const staying = [await machine(0), await machine(1)];
    await leaveEtcd(await leaving(2), staying, inSeconds(600), progress, 1_000);
    await cluster.waitForVoters(at(0), 2);
    expect(progress.warnings).toEqual([
      expect.stringMatching(/is gone: .* removed its member ip-10-0-1-3.* from etcd$/),
    ]);
    expect(progress.lines.join("\n")).toMatch(/its member will soon be removed from etcd/);
  });

  steppingIt("is removed by the next machine if one is off, too", async () => {
    const staying = [await machineAt(cluster, "127.0.0.9"), await machine(1)];
    await at(2).node.stop();
    await leaveEtcd(await leaving(2), staying, inSeconds(600), silent, 0);
    await cluster.waitForVoters(at(0), 2);
  });

  steppingIt("leaves through the others if they still reach it", async () => {
    const progress = recordedProgress();
    const unreachable = { ...(await leaving(2)), node: "127.0.0.9", endpoint: "127.0.0.9" };
    await leaveEtcd(unreachable, [await machine(0)], inSeconds(600), progress, 0);
    await cluster.waitForVoters(at(0), 2);
    expect(progress.warnings).toEqual([]);
  });

  steppingIt("has nothing to leave if the others don't know it", async () => {
    const absent = { ...(await leaving(2)), node: "127.0.0.9", endpoint: "127.0.0.9" };
    const unknown = { ...absent, privateAddress: "10.0.1.99" };
    await leaveEtcd(unknown, [await machine(0)], inSeconds(600), silent, 0);
    await cluster.waitForVoters(at(0), 3);
  });

  steppingIt("is awaited if the others may know it by an unrecorded address", async () => {
    const { privateAddress: _, ...absent } = await leaving(2);
    const unknown = { ...absent, node: "127.0.0.9", endpoint: "127.0.0.9" };
    const left = leaveEtcd(unknown, [await machine(0)], inSeconds(10), silent, 0);
    await expect(left).rejects.toThrow(/gave up waiting for machine 127\.0\.0\.9 to leave etcd/);
    await cluster.waitForVoters(at(0), 3);
  });

  steppingIt("never makes another instance with its address leave", async () => {
    const before = { ...(await leaving(2)), machineId: "i-0fedcba9876543210" };
    await leaveEtcd(before, [await machine(0)], inSeconds(600), silent, 0);
    await leaveEtcd(before, [], inSeconds(600), silent, 0);
    await cluster.waitForVoters(at(0), 3);
    // The one before had another address inside, by which etcd still counts on it.
    await at(1).node.stop();
    const moved = { ...before, privateAddress: at(1).privateAddress };
    await leaveEtcd(moved, [await machine(0)], inSeconds(600), silent, 0);
    await cluster.waitForVoters(at(0), 2);
    const client = TalosClient.connect(await machine(2));
    expect(await client.etcdMembers()).toHaveLength(2);
    client.close();
  });

  steppingIt("stays a member while etcd has no majority without it", async () => {
    await at(1).node.stop();
    await at(2).node.stop();
    const left = leaveEtcd(await leaving(2), [await machine(0)], inSeconds(2), silent, 0);
    await expect(left).rejects.toThrow(/gave up waiting for machine .* to leave etcd/);
  });
});
