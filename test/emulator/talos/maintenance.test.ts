import { connect as connectHttp2 } from "node:http2";
import { connect, type PeerCertificate } from "node:tls";
import { protocol } from "../../../provider/api/protocol";
import { failureOf } from "./rpcClient";
import { eventually, SimulatedCluster } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;

describe("a node without a configuration", () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
  });
  afterEach(() => cluster.stop());

  const apply = async (
    text: string,
    options: { mode?: "AUTO" | "NO_REBOOT" | "STAGED" | "TRY" | "REBOOT"; dryRun?: boolean } = {},
  ) => {
    const node = await cluster.add();
    const client = cluster.insecureClient(node);
    const request = { data: Buffer.from(text), mode: options.mode ?? ("AUTO" as const) };
    return {
      node,
      client,
      reply: client.unary(machine.ApplyConfiguration, {
        ...request,
        dryRun: options.dryRun ?? false,
      }),
    };
  };

  test("accepts messages of a megabyte, and calls of two", async () => {
    const { address } = await cluster.add();
    const session = connectHttp2(`https://${address}:50000`, { rejectUnauthorized: false });
    await eventually(
      () =>
        session.remoteSettings.initialWindowSize === 32 * 65_535 &&
        session.state.remoteWindowSize === 16 * 65_535,
    );
    session.destroy();
  });

  test("has a self-signed certificate", async () => {
    const { address } = await cluster.add();
    const certificate = await peerCertificate(address);
    expect(certificate.subject).toMatchObject({ CN: "maintenance-service.talos.dev" });
    expect(certificate.subjectaltname).toContain(`IP Address:${address}`);
  });

  test.each(["AUTO", "REBOOT", "TRY"] as const)(
    "accepts a configuration in mode %s and boots with it",
    async (mode) => {
      const text = cluster.config("controlplane");
      const { node, client, reply } = await apply(text, { mode });
      expect((await reply).messages).toEqual([
        { metadata: null, warnings: [], mode: "REBOOT", modeDetails: "" },
      ]);
      await eventually(() => node.node.stage === "running");
      expect(node.node.machineConfiguration).toBe(text);
      const configured = await cluster.client(node);
      const { messages } = await configured.unary(machine.Version, {});
      expect(messages[0]?.version?.tag).toBe("v1.12.1");
      expect(await failureOf(client.unary(machine.Version, {}))).toMatch(/^UNAVAILABLE: /);
    },
  );

  test("answers all concurrent calls before it reboots", async () => {
    const nodes = await Promise.all(Array.from({ length: 20 }, () => cluster.add()));
    const text = cluster.config("controlplane");
    const replies = await Promise.all(
      nodes.map((node) =>
        cluster
          .insecureClient(node)
          .unary(machine.ApplyConfiguration, { data: Buffer.from(text), mode: "AUTO" }),
      ),
    );
    expect(replies).toHaveLength(20);
    await eventually(() => nodes.every(({ node }) => node.stage === "running"));
  });

  test("does not change after a dry run", async () => {
    const { node, client, reply } = await apply(cluster.config("worker"), { dryRun: true });
    expect((await reply).messages[0]?.modeDetails).toBe(
      "Dry run summary:\nNode is running in maintenance mode and does not have a config yet.",
    );
    expect(node.node.stage).toBe("maintenance");
    const status = await client.unary(state.Get, {
      namespace: "runtime",
      type: "MachineStatuses.runtime.talos.dev",
      id: "machine",
    });
    expect(status.resource?.spec?.yamlSpec).toBe(
      "stage: maintenance\nstatus:\n    ready: true\n    unmetConditions: []\n",
    );
    expect(node.node.machineConfiguration).toBeUndefined();
  });

  test.each([
    ["STAGED", "staged"],
    ["NO_REBOOT", "no-reboot"],
  ] as const)("does not support mode %s", async (mode, name) => {
    const { reply } = await apply(cluster.config("worker"), { mode });
    expect(await failureOf(reply)).toBe(
      `UNIMPLEMENTED: apply configuration --mode='${name}' is not supported in maintenance mode`,
    );
  });

  test.each([
    ["nothing", "", "UNKNOWN: failed to parse config: config not found"],
    ["a key alone", "foo: bar\n", "UNKNOWN: failed to parse config: missing kind"],
    [
      "an unknown key",
      "version: v1alpha1\nmachine:\n  foo: bar\n",
      "UNKNOWN: failed to parse config: unknown keys found during decoding:\nmachine:\n    foo: bar\n",
    ],
    [
      "an unknown kind",
      "apiVersion: v1alpha1\nkind: FooConfig\n",
      'UNKNOWN: failed to parse config: "FooConfig" "v1alpha1": not registered',
    ],
    ["broken YAML", "a: [\n", /^UNKNOWN: failed to parse config: decode error: yaml: line \d+: /],
    [
      "a configuration that lacks everything",
      "version: v1alpha1\nmachine:\n  type: controlplane\ncluster: {}\n",
      "INVALID_ARGUMENT: configuration validation failed: 1 error occurred:\n" +
        "\t* v1alpha1.Config: 3 errors occurred:\n" +
        "\t* cluster controlplane endpoint is required\n" +
        "\t* issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)\n" +
        "\t* issuing CA is required (.machine.ca)\n\n\n\n",
    ],
  ])("rejects %s and does not change", async (_, text, expected) => {
    const { node, reply } = await apply(text);
    const failure = await failureOf(reply);
    if (typeof expected === "string") {
      expect(failure).toBe(expected);
    } else {
      expect(failure).toMatch(expected);
    }
    expect(node.node.stage).toBe("maintenance");
  });

  test("accepts documents without the machine configuration and stays in maintenance mode", async () => {
    const { node, reply } = await apply(
      "apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n",
    );
    await reply;
    expect(node.node.stage).toBe("maintenance");
  });

  test("has few methods", async () => {
    const client = cluster.insecureClient(await cluster.add());
    expect(await failureOf(client.unary(machine.Version, {}))).toBe(
      "UNIMPLEMENTED: API is not implemented in maintenance mode",
    );
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(
      "UNIMPLEMENTED: method Bootstrap not implemented",
    );
    const time = protocol.time.TimeService.service;
    expect(await failureOf(client.unary(time.Time, {}))).toBe(
      "UNIMPLEMENTED: unknown service time.TimeService",
    );
    const disks = await client.unary(protocol.storage.StorageService.service.Disks, {});
    expect(disks.messages[0]?.disks[0]?.deviceName).toBe("/dev/nvme0n1");
  });

  test.each([
    ["config", "MachineConfigs.config.talos.dev", "PERMISSION_DENIED: not authorized"],
    ["x", "Members.cluster.talos.dev", 'PERMISSION_DENIED: namespace "x" is not supported'],
    ["cluster", "Foos.x", 'PERMISSION_DENIED: resource type "Foos.x" is not supported'],
    [
      "cluster",
      "Members.cluster.talos.dev",
      "NOT_FOUND: resource Members.cluster.talos.dev(cluster/a@undefined) doesn't exist",
    ],
  ])("does not return %s/%s", async (namespace, type, expected) => {
    const client = cluster.insecureClient(await cluster.add());
    expect(await failureOf(client.unary(state.Get, { namespace, type, id: "a" }))).toBe(expected);
  });

  describe("whose Talos is v1.13 or newer", () => {
    beforeEach(() => {
      cluster.talosVersion = "v1.14.1";
    });

    test("answers what every reader may ask, and refuses the rest", async () => {
      const client = cluster.insecureClient(await cluster.add());
      const { messages } = await client.unary(machine.Version, {});
      expect(messages[0]?.version?.tag).toBe("v1.14.1");
      const services = await client.unary(machine.ServiceList, {});
      expect(services.messages[0]?.services.map(({ id }) => id)).toContain("machined");
      const time = await client.unary(protocol.time.TimeService.service.Time, {});
      expect(time.messages[0]?.localtime).toBeDefined();
      for (const refused of [
        client.unary(machine.Bootstrap, {}),
        client.unary(machine.Reboot, {}),
        client.unary(machine.Upgrade, { image: "x" }),
        client.unary(machine.MetaDelete, { key: 1 }),
        client.unary(machine.GenerateClientConfiguration, {}),
        client.unary(state.Get, {
          namespace: "config",
          type: "MachineConfigs.config.talos.dev",
          id: "v1alpha1",
        }),
      ]) {
        expect(await failureOf(refused)).toBe("PERMISSION_DENIED: not authorized");
      }
      expect(await failureOf(client.unary(machine.EtcdMemberList, {}))).toBe(
        "UNIMPLEMENTED: member list is only available on control plane nodes",
      );
    });

    test.each(["AUTO", "REBOOT", "NO_REBOOT"] as const)(
      "accepts a configuration in mode %s, answers that nothing restarts, and boots with it",
      async (mode) => {
        const text = cluster.config("controlplane");
        const { node, reply } = await apply(text, { mode });
        expect((await reply).messages).toMatchObject([
          { mode: "NO_REBOOT", modeDetails: "Applied configuration without a reboot" },
        ]);
        await eventually(() => node.node.machineConfiguration === text);
      },
    );

    test("only keeps a staged configuration in mind, and shows what a dry run would change", async () => {
      const text = cluster.config("worker");
      const staged = await apply(text, { mode: "STAGED" });
      expect((await staged.reply).messages).toMatchObject([
        { mode: "STAGED", modeDetails: "Staged configuration to be applied after the next reboot" },
      ]);
      expect(staged.node.node.stage).toBe("maintenance");
      const dry = await apply(text, { dryRun: true });
      expect((await dry.reply).messages[0]?.modeDetails).toMatch(
        /^Dry run summary:\nApplied configuration without a reboot \(skipped in dry-run\)\.\nConfig diff:\n\n[^]*\+machine:/,
      );
      expect(dry.node.node.stage).toBe("maintenance");
    });

    test("says what is wrong with a configuration, without words before it", async () => {
      const { node, reply } = await apply("");
      expect(await failureOf(reply)).toBe("INVALID_ARGUMENT: config not found");
      expect(node.node.stage).toBe("maintenance");
    });
  });

  test("is skipped with user data", async () => {
    const text = cluster.config("controlplane");
    const { node } = await cluster.add(text);
    expect(node.stage).toBe("running");
    expect(node.machineConfiguration).toBe(text);
  });

  test("is not reached with unreadable user data", async () => {
    const { node, address } = await cluster.add("foo: bar\n");
    expect(node.stage).toBe("booting");
    expect(cluster.lines.join("\n")).toContain(
      "failed to load config via platform aws: missing kind",
    );
    await expect(peerCertificate(address)).rejects.toThrow("ECONNREFUSED");
  });
});

function peerCertificate(host: string): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: 50000, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on("error", reject);
  });
}
