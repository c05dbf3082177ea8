import { CLUSTER_DELETION_VARIABLE } from "../../../provider/engine/onDestroy";
import { EtcdMajorityLostError } from "../../../provider/lifecycle/etcd/etcdMajority";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { compactCredentials } from "../../../provider/pki/compactCredentials";
import { clientConfigurationHandler } from "../../../provider/resources/clientConfiguration";
import {
  etcdMemberHandler as handler,
  removeMember,
  replaceMember,
} from "../../../provider/resources/etcdMember";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { issueCredentials } from "../api/testPki";
import { machineAt } from "../lifecycle/deliveries";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { unknownValue } from "./samples";

let cluster: SimulatedCluster;
let nodes: SimulatedNode[];
let credentials: ClientCredentials;

beforeEach(async () => {
  cluster = await SimulatedCluster.create({ joinMs: 300 });
  nodes = await cluster.addConfigured(3);
  await cluster.bootstrap(at(0), 3);
  ({ credentials } = await machineAt(cluster, at(0).address));
});
afterEach(() => cluster.stop());

function at(index: number): SimulatedNode {
  const node = nodes[index];
  if (node === undefined) {
    throw new Error(`there is no node ${index}`);
  }
  return node;
}

function inputsOf({ address, privateAddress, instanceId }: SimulatedNode, peers: number[]) {
  return {
    node: address,
    endpoint: address,
    privateAddress,
    machineId: instanceId,
    credentials,
    peers: peers.map((peer) => at(peer).address),
    timeoutSeconds: 600,
  };
}

async function recorded(index: number, peers: number[]) {
  const { state } = await handler.create(inputsOf(at(index), peers), silent);
  return state;
}

describe("EtcdMember", () => {
  steppingIt("is created without contacting the machine, which may be bootstrapping", async () => {
    const inputs = inputsOf(at(2), [0, 1]);
    await Promise.all(nodes.map(({ node }) => node.stop()));
    const { state } = await handler.create(inputs, silent);
    expect(state).toEqual({ ...inputs, credentials: compactCredentials(inputs.credentials) });
    expect(handler.diff("member", state, inputs)).toEqual({ changes: false });
  });

  steppingIt(
    "shows a diff for the machine and its peers, also unknown ones, not for fresh credentials",
    async () => {
      const state = await recorded(1, [0]);
      const news = inputsOf(at(1), [0]);
      const diff = (change: object) => handler.diff("member", state, { ...news, ...change });
      expect(diff({ credentials: unknownValue })).toEqual({ changes: false });
      for (const change of [
        { machineId: "i-2" },
        { machineId: unknownValue },
        { peers: [] },
        { peers: [unknownValue] },
        { privateAddress: "10.0.0.9" },
      ]) {
        expect(diff(change)).toEqual({ changes: true });
      }
    },
  );

  steppingIt(
    "records credentials again before they expire, and deletes with renewed ones",
    async () => {
      const { os } = cluster.secrets.certs;
      const old = await issueCredentials(os, { agoHours: 2 });
      const state = { ...(await recorded(2, [0])), credentials: compactCredentials(old) };
      const news = inputsOf(at(2), [0]);
      const { credentials: given, ...refreshed } = news;
      const diff = (inputs: object) => handler.diff("member", state, inputs as typeof news);
      expect(diff(refreshed)).toEqual({ changes: false });
      expect(diff({ ...news, credentials: unknownValue })).toEqual({ changes: true });
      expect(diff({ ...news, credentials: old })).toEqual({ changes: false });
      expect(diff(news)).toEqual({ changes: true });
      const updated = await handler.update("member", state, news, silent);
      expect(updated.credentials).toEqual(compactCredentials(given));
      // A program that issues credentials for each run changes nothing.
      const others = { ...news, credentials: await issueCredentials(os) };
      expect(handler.diff("member", updated, others)).toEqual({ changes: false });
      // The run that renews them may also be the one that deletes the resource.
      const client = { clusterName: "sim", certificateAuthority: os, endpoints: [at(0).address] };
      await clientConfigurationHandler.create(
        { ...client, nodes: [], roles: ["os:admin"], lifetimeHours: 1 },
        silent,
      );
      await handler.delete?.("member", state, silent);
      await cluster.waitForVoters(at(0), 2);
    },
  );

  steppingIt("shows a diff for drain settings, which a refresh does not read", async () => {
    const news = { ...inputsOf(at(1), [0]), drain: { timeoutSeconds: 60 } };
    const { state } = await handler.create(news, silent);
    const { drain, ...refreshed } = news;
    expect(handler.diff("member", state, refreshed)).toEqual({ changes: false });
    expect(handler.diff("member", state, { ...news, drain })).toEqual({ changes: false });
    const other = { ...news, drain: { timeoutSeconds: 90 } };
    expect(handler.diff("member", state, other)).toEqual({ changes: true });
  });

  steppingIt("records other peers without contacting a machine", async () => {
    const state = await recorded(1, [0]);
    const news = inputsOf(at(1), [0, 2]);
    await Promise.all(nodes.map(({ node }) => node.stop()));
    expect(await handler.update("member", state, news, silent)).toEqual({
      ...state,
      peers: news.peers,
    });
  });

  steppingIt("rejects an invalid timeout in check", async () => {
    const news = { ...inputsOf(at(1), [0]), timeoutSeconds: -1 };
    const { failures } = await handler.check(undefined, news);
    expect(failures.map(({ property }) => property)).toEqual(["timeoutSeconds"]);
  });

  steppingIt("makes the former machine leave when the new one votes", async () => {
    const state = await recorded(1, [0]);
    const successor = await cluster.add(cluster.config("controlplane"));
    const progress = recordedProgress();
    const updated = await handler.update("member", state, inputsOf(successor, [0]), progress);
    expect(updated).toMatchObject({ machineId: successor.instanceId });
    await cluster.waitForVoters(successor, 3);
    expect(progress.warnings).toEqual([]);
    // As after a kill before that was recorded.
    await handler.update("member", state, inputsOf(successor, [0]), progress);
    await cluster.waitForVoters(successor, 3);
  });

  steppingIt("removes a lost machine, so that the new one can join", async () => {
    const former = await recorded(1, [0]);
    await at(1).node.stop();
    const successor = await cluster.add(cluster.config("controlplane"));
    const progress = recordedProgress();
    const news = inputsOf(successor, [0]);
    await replaceMember({ ...former, credentials: news.credentials }, news, 500, progress);
    await cluster.waitForVoters(successor, 3);
    expect(progress.warnings).toEqual([expect.stringMatching(/is gone: .* removed its member/)]);
    // Going on after a kill in between.
    await replaceMember({ ...former, credentials: news.credentials }, news, 500, progress);
    await cluster.waitForVoters(successor, 3);
  });

  steppingIt("says at once that etcd has lost its majority, and how to restore it", async () => {
    const former = await recorded(1, [0]);
    await Promise.all([at(1).node.stop(), at(2).node.stop()]);
    const successor = await cluster.add(cluster.config("controlplane"));
    const news = inputsOf(successor, [0]);
    const lost = replaceMember({ ...former, credentials: news.credentials }, news, 500, silent);
    await expect(lost).rejects.toThrow(EtcdMajorityLostError);
    await expect(lost).rejects.toThrow(
      `etcd has lost its majority: no member that answers finds a leader, so none can be removed or added. If other control plane machines are only stopped, start them, and run the command again. If they are lost, restore etcd from a snapshot with "talos-aws restore <stack> --from <snapshot>"`,
    );
  });

  steppingIt("removes no member for a machine with its predecessor's address", async () => {
    const { privateAddress } = at(1);
    const news = { ...inputsOf(at(1), [0]), machineId: "i-0fedcba9876543210" };
    await replaceMember({ ...news, node: "127.0.0.9", privateAddress }, news, 0, silent);
    await cluster.waitForVoters(at(0), 3);
  });

  steppingIt(
    "never makes a new machine leave that has its predecessor's public address",
    async () => {
      // Machines that don't know their instance, as in containers, can't tell that they are others.
      const { instanceId: machineId } = at(1);
      const news = { ...inputsOf(at(1), [0]), machineId: "i-0fedcba9876543210" };
      const former = { ...news, machineId, privateAddress: "10.0.0.77" };
      await replaceMember(former, news, 0, silent);
      await cluster.waitForVoters(at(0), 3);
    },
  );

  steppingIt("says what to do if the new machine doesn't join", async () => {
    const former = await recorded(1, [0]);
    const successor = await cluster.add();
    const news = { ...inputsOf(successor, [0]), timeoutSeconds: 10 };
    await expect(handler.update("member", former, news, silent)).rejects.toThrow(
      /did not take the place of .* in etcd: .* Run the command again to continue/,
    );
  });

  steppingIt("leaves etcd when it is deleted, except as the last member", async () => {
    const delete_ = async (index: number, peers: number[]) =>
      handler.delete?.("member", await recorded(index, peers), silent);
    await delete_(2, [0, 1]);
    await cluster.waitForVoters(at(0), 2);
    await delete_(2, [0, 1]);
    await delete_(1, [0]);
    await delete_(0, []);
    await cluster.waitForVoters(at(0), 1);
  });

  steppingIt("is removed by a peer if its machine is dead, also if one peer is off", async () => {
    const state = await recorded(2, [0, 1]);
    await at(2).node.stop();
    const progress = recordedProgress();
    await removeMember({ ...state, peers: ["127.0.0.9", ...state.peers] }, 500, progress);
    await cluster.waitForVoters(at(0), 2);
    expect(progress.warnings).toEqual([expect.stringMatching(/is gone: .* removed its member/)]);
  });

  steppingIt("does nothing if the whole cluster is destroyed", async () => {
    const state = await recorded(2, [0]);
    await Promise.all(nodes.map(({ node }) => node.stop()));
    process.env[CLUSTER_DELETION_VARIABLE] = "yes";
    try {
      await handler.delete?.("member", state, silent);
    } finally {
      Reflect.deleteProperty(process.env, CLUSTER_DELETION_VARIABLE);
    }
  });

  steppingIt("names the machine and the remedies if no machine answers", async () => {
    const state = { ...(await recorded(2, [0])), timeoutSeconds: 10 };
    await Promise.all(nodes.map(({ node }) => node.stop()));
    const gone = removeMember(state, 0, silent);
    await expect(gone).rejects.toThrow(
      new RegExp(
        `machine ${at(2).address} \\(${at(2).instanceId}\\), in etcd 10\\.0\\.1\\.3, was not removed from etcd: .*talosctl .* etcd remove-member".*pulumi state delete`,
      ),
    );
    await expect(gone).rejects.not.toThrow(/TALOS_AWS_ON_DESTROY/);
  });
});
