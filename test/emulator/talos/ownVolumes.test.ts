import { parse } from "yaml";
import { protocol } from "../../../provider/api/protocol";
import type { Patch } from "../../../provider/config/patches/patch";
import { failureOf, type RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;

const ownEtcd: Patch = {
  apiVersion: "v1alpha1",
  kind: "VolumeConfig",
  name: "ETCD",
  provisioning: { diskSelector: { match: "!system_disk" }, grow: true },
};

// Judged by the source of Talos v1.14.1: `VolumeConfigV1Alpha1.RuntimeValidate`, `Reset`.
describe("Talos' volumes since v1.14", () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    cluster.talosVersion = "v1.14.1";
  });
  afterEach(() => cluster.stop());

  async function controlPlane(...patches: Patch[]): Promise<[SimulatedNode, RpcClient]> {
    const node = await cluster.add(cluster.config("controlplane", patches));
    const client = await cluster.client(node);
    await eventually(async () => {
      await client.unary(machine.Version, {});
      return true;
    });
    return [node, client];
  }

  const volumes = async (client: RpcClient) => {
    const type = "VolumeStatuses.block.talos.dev";
    const list = await client.stream(state.List, { namespace: "runtime", type, options: {} });
    return new Map(
      list.map(({ resource }) => [
        resource?.metadata?.id ?? "",
        parse(resource?.spec?.yamlSpec ?? "") as { readonly type: string },
      ]),
    );
  };
  const apply = (client: RpcClient, ...patches: Patch[]) =>
    client.unary(machine.ApplyConfiguration, {
      data: Buffer.from(cluster.config("controlplane", patches)),
      mode: "STAGED",
    });
  const reset = (client: RpcClient, ...labels: string[]) =>
    client.unary(machine.Reset, {
      reboot: true,
      systemPartitionsToWipe: labels.map((label) => ({ label, wipe: true })),
    });
  const bootOf = async (client: RpcClient) => {
    const path = "/proc/sys/kernel/random/boot_id";
    const parts = await client.stream(machine.Read, { path });
    return parts.map(({ bytes }) => bytes.toString()).join("");
  };
  const etcd = async (client: RpcClient) => {
    const { messages } = await client.unary(machine.ServiceList, {});
    return messages[0]?.services.find(({ id }) => id === "etcd")?.state;
  };

  test("have ids of their own", async () => {
    const [, client] = await controlPlane();
    const found = await volumes(client);
    for (const id of ["ETCD", "CRI", "KUBELET", "LOG"]) {
      expect(found.get(id)).toMatchObject({ type: "directory", phase: "ready" });
    }
    expect(
      [...found.keys()].filter((id) => /^.var.(log|lib.(kubelet|containerd))$/.test(id)),
    ).toEqual([]);
  });

  test("keep their place: Talos refuses another", async () => {
    const [, client] = await controlPlane();
    expect(await failureOf(apply(client, ownEtcd))).toContain(
      '* VolumeConfig/ETCD: the backing of the "ETCD" system volume cannot be changed after creation (current: directory, requested: partition)',
    );
    const [, other] = await controlPlane(ownEtcd);
    expect((await volumes(other)).get("ETCD")).toMatchObject({ type: "partition" });
    expect(await failureOf(apply(other))).toContain(
      'the "ETCD" system volume is backed by a dedicated partition and its VolumeConfig cannot be removed',
    );
    await apply(other, ownEtcd, { machine: { sysctls: { "vm.swappiness": "1" } } });
  });

  test("etcd's own stays when EPHEMERAL is wiped, and is wiped by its name", async () => {
    const [node, client] = await controlPlane(ownEtcd);
    await cluster.bootstrap(node, 1);
    const before = await bootOf(client);
    await reset(client, "EPHEMERAL");
    await eventually(async () => (await bootOf(client)) !== before);
    await eventually(async () => (await etcd(client)) === "Running");
    await reset(client, "EPHEMERAL", "ETCD");
    await eventually(async () => (await etcd(client)) === "Preparing");
    expect((await volumes(client)).get("ETCD")).toMatchObject({ type: "partition" });
  });

  test("a directory goes only with EPHEMERAL", async () => {
    const [node, client] = await controlPlane();
    await cluster.bootstrap(node, 1);
    expect(await failureOf(reset(client, "ETCD"))).toBe(
      'UNKNOWN: failed to reset: volume "ETCD" resides on volume "EPHEMERAL", and therefore "ETCD" cannot be wiped without wiping "EPHEMERAL"',
    );
    await reset(client, "EPHEMERAL", "ETCD");
    await eventually(async () => (await etcd(client)) === "Preparing");
  });
});

describe("a machine with Talos v1.14", () => {
  test("says with gRPC's status what it can't do", async () => {
    const cluster = await SimulatedCluster.create();
    cluster.talosVersion = "v1.14.1";
    const [, worker] = await cluster.addConfigured(1, 1);
    if (worker === undefined) {
      throw new Error("there is no worker");
    }
    const client = await cluster.client(worker);
    await eventually(async () =>
      (await failureOf(client.unary(machine.Bootstrap, {}))).startsWith("UNIMPLEMENTED"),
    );
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(
      "UNIMPLEMENTED: bootstrap is only available on control plane nodes",
    );
    expect(await failureOf(client.stream(machine.Copy, { rootPath: "/nope" }))).toBe(
      "UNKNOWN: lstat /nope: no such file or directory",
    );
    await cluster.stop();
  });
});
