import { protocol } from "../../../../provider/api/protocol";
import type { Patch } from "../../../../provider/config/patches/patch";
import type { RpcClient } from "../rpcClient";
import { eventually, SimulatedCluster } from "../simulatedCluster";

const machine = protocol.machine.MachineService.service;

/** Talos v1.12.1 accepts both without a reboot, and etcd reads neither while it runs. */
const bad: readonly { readonly name: string; readonly patch: Patch; readonly seen: RegExp }[] = [
  {
    name: "an image that doesn't exist",
    patch: { cluster: { etcd: { image: "registry.k8s.io/etcd:v9.9.9" } } },
    seen: /^Failed Failed to run pre stage: failed to pull image ".*v9\.9\.9": .*not found$/,
  },
  {
    name: "a flag of Talos' own",
    patch: { cluster: { etcd: { extraArgs: { "data-dir": "/x" } } } },
    seen: /^Failed Failed to run pre stage: extra arg "data-dir" is not allowed$/,
  },
  {
    name: "an unknown flag",
    patch: { cluster: { etcd: { extraArgs: { "no-such-flag": "1" } } } },
    seen: /^(Waiting|Running) (Error running Containerd\(etcd\), going to restart forever: task "etcd" failed: exit code|Started task etcd)/,
  },
];

describe("a start of etcd", () => {
  let cluster: SimulatedCluster;
  afterEach(() => cluster.stop());

  const etcdOf = async (client: RpcClient) => {
    const { messages } = await client.unary(machine.ServiceList, {});
    const etcd = messages[0]?.services.find(({ id }) => id === "etcd");
    return { etcd, text: `${etcd?.state} ${etcd?.events?.events.at(-1)?.msg}` };
  };
  const isHealthy = async (client: RpcClient) =>
    (await etcdOf(client)).etcd?.health?.healthy === true;
  const apply = async (client: RpcClient, patches: readonly Patch[]) => {
    const data = Buffer.from(cluster.config("controlplane", patches));
    const { messages } = await client.unary(machine.ApplyConfiguration, { data, mode: "AUTO" });
    return messages[0]?.mode;
  };

  test.each(bad)(
    "reads $name, and a restart of the machine alone mends it",
    async ({ patch, seen }) => {
      cluster = await SimulatedCluster.create({ restartMs: 20 });
      const [node] = await cluster.addConfigured(1);
      const client = await cluster.client(node ?? { address: "" });
      await client.unary(machine.Bootstrap, {});
      await eventually(() => isHealthy(client));
      expect(await apply(client, [patch])).toBe("NO_REBOOT");
      expect(await isHealthy(client)).toBe(true);
      await client.unary(machine.Reboot, {});
      await eventually(async () => seen.test((await etcdOf(client)).text));
      expect(await isHealthy(client)).toBe(false);
      // Talos accepts the former configuration, and etcd stays as it is.
      expect(await apply(client, [])).toBe("NO_REBOOT");
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await etcdOf(client)).text).toMatch(seen);
      await client.unary(machine.Reboot, {});
      await eventually(() => isHealthy(client));
    },
  );
});
