import { awaitEtcd } from "../../../provider/lifecycle/awaitEtcd";
import {
  awaitConfiguration,
  deliverConfiguration,
} from "../../../provider/lifecycle/deliverConfiguration";
import { isGoing, noteGoing } from "../../../provider/lifecycle/goingMachines";
import { leaveEtcd } from "../../../provider/lifecycle/leaveEtcd";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply";
import { machineTurnHandler } from "../../../provider/resources/machineTurn";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../progress";
import { deliveryOf, machineAt } from "./deliveries";

jest.setTimeout(60_000);

const inSeconds = (seconds: number) => Date.now() + seconds * 1_000;

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
  if (node === undefined) throw new Error(`there is no node ${index}`);
  return node;
}

const machine = (index: number) => machineAt(cluster, at(index).address);

describe("the turns of control plane machines", () => {
  it("come when every member of etcd is healthy, and not while one is down", async () => {
    await awaitEtcd(await machine(0), inSeconds(20), silent);
    await at(1).node.stop();
    const waiting = awaitEtcd(await machine(0), inSeconds(4), silent);
    await expect(waiting).rejects.toThrow(/10\.0\.1\.2 doesn't answer/);
  });

  it("wait when what stops machines changes, not when they are made or moved", async () => {
    const inputs = {
      ...(await machine(0)),
      triggers: ["m6i.large"],
      timeoutSeconds: 2,
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

  it("end when a machine that rebooted has joined etcd again", async () => {
    const text = cluster.config("controlplane", [{ machine: { env: { GREETING: "hello" } } }]);
    const delivery = deliveryOf(await machine(1), text);
    const acceptance = await deliverConfiguration(delivery);
    expect(acceptance).toMatchObject({ wasRunning: true });
    await awaitConfiguration(delivery, acceptance);
    await awaitEtcd(await machine(1), inSeconds(1), silent);
  });

  it("leave members behind that never count on the one that goes", async () => {
    const progress = recordedProgress();
    await leaveEtcd(await machine(2), inSeconds(20), progress);
    await cluster.waitForVoters(at(0), 2);
    // A second time there is nothing left to do.
    await leaveEtcd(await machine(2), inSeconds(20), progress);
    await leaveEtcd(await machine(1), inSeconds(20), progress);
    await cluster.waitForVoters(at(0), 1);
    await leaveEtcd(await machine(0), inSeconds(20), progress);
    await cluster.waitForVoters(at(0), 1);
  });

  it("let no machine go that can't leave, unless its whole cluster goes", async () => {
    const state = {
      ...(await machine(2)),
      machineId: "i-1",
      configurationHash: "",
      redactedConfiguration: {},
      onDestroy: { leaveEtcd: true },
      timeoutSeconds: 2,
    };
    const remove = () => configurationApplyHandler.delete?.("i-1", state, silent);
    await at(2).node.stop();
    await expect(remove()).rejects.toThrow(
      /was not taken out of etcd: .*talosctl etcd remove-member.* TALOS_AWS_ON_DESTROY=none/,
    );
    noteGoing([at(2).address]);
    expect(isGoing(at(2).address)).toBe(true);
    await remove();
  });
});
