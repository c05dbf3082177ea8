import { protocol } from "../../../provider/api/protocol";
import { failureOf, type RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const images = protocol.machine.ImageService.service;
const lifecycle = protocol.machine.LifecycleService.service;

const installer = (version: string) =>
  `factory.talos.dev/aws-installer/${"c".repeat(64)}:${version}`;
const system = { driver: "CRI" as const, namespace: "NS_SYSTEM" as const };

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = await SimulatedCluster.create({ restartMs: 20 });
});
afterEach(() => cluster.stop());

/** Machines of a cluster that is up, on a release. */
async function started(talosVersion: string, controlPlanes = 1): Promise<SimulatedNode[]> {
  cluster.talosVersion = talosVersion;
  const nodes = await cluster.addConfigured(controlPlanes);
  for (const first of nodes.slice(0, 1)) {
    await cluster.bootstrap(first, controlPlanes);
  }
  return nodes;
}

const pull = (client: RpcClient, imageRef: string) =>
  client.stream(images.Pull, { containerd: system, imageRef });
const upgrade = (client: RpcClient, imageName: string) =>
  client.stream(lifecycle.Upgrade, { containerd: system, source: { imageName } });

/** The end of an installer, with what it wrote. */
async function install(client: RpcClient, version: string) {
  await pull(client, installer(version));
  const messages = await upgrade(client, installer(version));
  return {
    output: messages.map(({ progress }) => progress?.message ?? "").join(""),
    exitCode: messages.at(-1)?.progress?.exitCode,
  };
}

async function versionOf(client: RpcClient): Promise<string | undefined> {
  const { messages } = await client.unary(machine.Version, {});
  return messages[0]?.version?.tag;
}

async function etcdOf(client: RpcClient) {
  const { messages } = await client.unary(machine.ServiceList, {});
  const etcd = messages[0]?.services.find(({ id }) => id === "etcd");
  return { isHealthy: etcd?.health?.healthy === true, text: etcd?.events?.events.at(-1)?.msg };
}

async function reboot(client: RpcClient, { node }: SimulatedNode): Promise<void> {
  await client.unary(machine.Reboot, {});
  await eventually(() => node.stage === "rebooting");
  await eventually(() => node.stage === "running");
}

/** Another Talos, installed and booted. */
async function become(client: RpcClient, node: SimulatedNode, version: string): Promise<void> {
  expect((await install(client, version)).exitCode).toBe(0);
  await reboot(client, node);
  expect(await versionOf(client)).toBe(version);
}

describe("LifecycleService.Upgrade", () => {
  test("runs an installer that was pulled, and restarts nothing", async () => {
    const [node] = (await started("v1.13.9")) as [SimulatedNode];
    const client = await cluster.client(node);
    expect(await failureOf(upgrade(client, installer("v1.14.6")))).toMatch(
      /^INTERNAL: upgrade failed: installer image .* not found in containerd store/,
    );
    // The other driver has images of its own.
    const containerd = { ...system, driver: "CONTAINERD" as const };
    await client.stream(images.Pull, { containerd, imageRef: installer("v1.14.6") });
    expect(await failureOf(upgrade(client, installer("v1.14.6")))).toMatch(/not found/);
    const layers = await pull(client, installer("v1.14.6"));
    expect(layers.at(-1)?.name).toBe(installer("v1.14.6"));
    expect(layers.filter(({ pullProgress }) => pullProgress !== undefined)).not.toEqual([]);
    const { output, exitCode } = await install(client, "v1.14.6");
    expect(exitCode).toBe(0);
    expect(output).toContain("installation of v1.14.6 complete\n");
    expect(await versionOf(client)).toBe("v1.13.9");
    await reboot(client, node);
    expect(await versionOf(client)).toBe("v1.14.6");
  });

  test("is not served before Talos 1.13, and not to operators", async () => {
    const [older] = (await started("v1.12.1")) as [SimulatedNode];
    const refused = await failureOf(pull(await cluster.client(older), installer("v1.13.9")));
    expect(refused).toBe("UNIMPLEMENTED: unknown service machine.ImageService");
    cluster.talosVersion = "v1.13.9";
    const worker = await cluster.add(cluster.config("worker"));
    const operator = await cluster.client(worker, ["os:operator"]);
    await pull(operator, installer("v1.14.6"));
    expect(await failureOf(upgrade(operator, installer("v1.14.6")))).toMatch(/^PERMISSION_DENIED/);
  });

  test("runs one installer at a time, which goes on when its caller is gone", async () => {
    await cluster.stop();
    cluster = await SimulatedCluster.create({ restartMs: 500 });
    const [node] = (await started("v1.13.9")) as [SimulatedNode];
    const client = await cluster.client(node);
    await pull(client, installer("v1.14.6"));
    const gone = client.stream(
      lifecycle.Upgrade,
      { containerd: system, source: { imageName: installer("v1.14.6") } },
      { timeoutMs: 200 },
    );
    expect(await failureOf(gone)).toMatch(/^DEADLINE_EXCEEDED/);
    expect(await failureOf(upgrade(client, installer("v1.14.6")))).toBe(
      "FAILED_PRECONDITION: another installation/upgrade is already in progress",
    );
    await new Promise((resolve) => setTimeout(resolve, 600));
    await reboot(client, node);
    expect(await versionOf(client)).toBe("v1.14.6");
  });

  test("ends with the exit code of the installer's own release", async () => {
    const [node] = (await started("v1.13.0")) as [SimulatedNode];
    const client = await cluster.client(node);
    const tooNew = await install(client, "v1.16.0");
    expect(tooNew.output).toContain("upgrades to version 1.16.0 are not supported");
    await become(client, node, "v1.14.6");
    const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
    expect((await install(client, "v1.14.1")).exitCode).toBe(7);
    expect((await install(client, "v1.13.0")).exitCode).toBe(1);
    await fault.lift();
    await cluster.faults.inject({
      kind: "brokenUpgrade",
      machine: node.address,
      parameters: { exitCode: 0 },
    });
    expect((await install(client, "v1.14.1")).exitCode).toBe(0);
    await reboot(client, node);
    expect(await versionOf(client)).toBe("v1.14.6");
  });
});

describe("a machine that boots Talos 1.14", () => {
  test("has no API where the configuration on its disk names a Kubernetes that it doesn't run", async () => {
    cluster.talosVersion = "v1.13.9";
    const image = "ghcr.io/siderolabs/kubelet:v1.31.0";
    const node = await cluster.add(
      cluster.config("controlplane", [{ machine: { kubelet: { image } } }]),
    );
    const client = await cluster.client(node);
    // The installer compares nothing but releases of Talos.
    expect((await install(client, "v1.14.6")).exitCode).toBe(0);
    await client.unary(machine.Reboot, {});
    await eventually(() =>
      cluster.lines.some((line) => line.includes("failed to validate on-disk config")),
    );
    expect(node.node.stage).not.toBe("running");
  });

  test("has an etcd without a way back, once every member runs it", async () => {
    const nodes = await started("v1.13.9", 3);
    const [first, second, third] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    const [one, two, three] = await Promise.all(nodes.map((node) => cluster.client(node)));
    if (one === undefined || two === undefined || three === undefined) {
      throw new Error("there are not three machines");
    }
    const versions = async (client: RpcClient) => {
      const { messages } = await client.unary(machine.EtcdStatus, {});
      const { protocolVersion, storageVersion } = messages[0]?.memberStatus ?? {};
      return [protocolVersion, storageVersion];
    };
    expect(await versions(one)).toEqual(["3.6.12", "3.6.0"]);
    await become(one, first, "v1.14.6");
    await eventually(async () => (await etcdOf(one)).isHealthy);
    // A member of the former release keeps the version of them all.
    expect(await versions(one)).toEqual(["3.7.1", "3.6.0"]);
    await become(one, first, "v1.13.9");
    await eventually(async () => (await etcdOf(one)).isHealthy);
    for (const [client, node] of [
      [one, first],
      [two, second],
      [three, third],
    ] as const) {
      await become(client, node, "v1.14.6");
      await eventually(async () => (await etcdOf(client)).isHealthy);
    }
    expect(await versions(two)).toEqual(["3.7.1", "3.7.0"]);
    expect((await install(one, "v1.13.9")).exitCode).toBe(0);
    await one.unary(machine.Reboot, {});
    await eventually(async () =>
      /task "etcd" failed: exit code 2 .*invalid downgrade/.test((await etcdOf(one)).text ?? ""),
    );
  });
});
