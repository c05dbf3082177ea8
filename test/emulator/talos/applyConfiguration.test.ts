import { protocol } from "../../../provider/api/protocol";
import type { Patch } from "../../../provider/config/patches/patch";
import { failureOf, type RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;

const live: Patch = { machine: { sysctls: { "vm.max_map_count": "262144" } } };
const rebooting: Patch = { machine: { env: { GREETING: "hello" } } };

describe("a configuration for a configured node", () => {
  let cluster: SimulatedCluster;
  let node: SimulatedNode;
  let client: RpcClient;
  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    node = await cluster.add(cluster.config("controlplane"));
    client = await cluster.client(node);
  });
  afterEach(() => cluster.stop());

  type Mode = "AUTO" | "NO_REBOOT" | "STAGED" | "TRY" | "REBOOT";
  const apply = async (
    text: string,
    mode: Mode,
    rest: { dryRun?: boolean; tryMs?: number } = {},
  ) => {
    const { messages } = await client.unary(machine.ApplyConfiguration, {
      data: Buffer.from(text),
      mode,
      dryRun: rest.dryRun ?? false,
      tryModeTimeout:
        rest.tryMs === undefined
          ? null
          : { seconds: Math.floor(rest.tryMs / 1000), nanos: (rest.tryMs % 1000) * 1_000_000 },
    });
    return messages[0];
  };
  const configOf = async (id: "v1alpha1" | "persistent") => {
    const { resource } = await client.unary(state.Get, {
      namespace: "config",
      type: "MachineConfigs.config.talos.dev",
      id,
    });
    return resource?.spec?.yamlSpec ?? "";
  };
  const bootId = async () => {
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = await client.stream(machine.Read, {
      path: "/proc/sys/kernel/random/boot_id",
    });
    return bytes.toString("utf8").trim();
  };

  test.each(["AUTO", "NO_REBOOT"] as const)("takes effect at once in mode %s", async (mode) => {
    const before = await bootId();
    const text = cluster.config("controlplane", [live]);
    expect(await apply(text, mode)).toMatchObject({
      mode: "NO_REBOOT",
      modeDetails: "Applied configuration without a reboot",
    });
    expect(node.node.machineConfiguration).toBe(text);
    expect(await configOf("persistent")).toContain("vm.max_map_count");
    expect(await configOf("v1alpha1")).toContain("vm.max_map_count");
    expect(await bootId()).toBe(before);
  });

  test("reboots the node if the change needs it, and names the change", async () => {
    const before = await bootId();
    const reply = await apply(cluster.config("controlplane", [rebooting, live]), "AUTO");
    expect(reply?.mode).toBe("REBOOT");
    expect(reply?.modeDetails).toContain(
      "Applied configuration with a reboot: this config change can't be applied in immediate mode\ndiff:\n--- a\n+++ b\n@@ ",
    );
    expect(reply?.modeDetails).toContain("+    env:\n+        GREETING: hello\n");
    expect(reply?.modeDetails).not.toContain("max_map_count");
    await eventually(async () => (await bootId()) !== before);
    expect(node.node.machineConfiguration).toContain("GREETING: hello");
  });

  test("is refused in mode NO_REBOOT if the change needs a reboot", async () => {
    const text = cluster.config("controlplane", [rebooting]);
    expect(await failureOf(apply(text, "NO_REBOOT"))).toContain(
      "INVALID_ARGUMENT: this config change can't be applied in immediate mode\ndiff:\n--- a\n",
    );
    expect(node.node.machineConfiguration).not.toContain("GREETING");
  });

  test("reboots the node in mode REBOOT without any change", async () => {
    const before = await bootId();
    expect(await apply(cluster.config("controlplane"), "REBOOT")).toMatchObject({
      mode: "REBOOT",
      modeDetails: "Applied configuration with a reboot",
    });
    await eventually(async () => (await bootId()) !== before);
  });

  test("waits for the next reboot in mode STAGED", async () => {
    const reply = await apply(cluster.config("controlplane", [rebooting]), "STAGED");
    expect(reply).toMatchObject({
      mode: "STAGED",
      modeDetails: "Staged configuration to be applied after the next reboot",
    });
    expect(await configOf("persistent")).toContain("GREETING");
    expect(await configOf("v1alpha1")).not.toContain("GREETING");
    await client.unary(machine.Reboot, {});
    await eventually(async () => (await configOf("v1alpha1")).includes("GREETING"));
  });

  test("is reverted after a while in mode TRY", async () => {
    const reply = await apply(cluster.config("controlplane", [live]), "TRY", { tryMs: 1500 });
    expect(reply).toMatchObject({
      mode: "TRY",
      modeDetails:
        "Applied configuration without a reboot\nThe config is applied in 'try' mode and will be automatically reverted back in 1.5s",
    });
    expect(await configOf("v1alpha1")).toContain("max_map_count");
    expect(await configOf("persistent")).not.toContain("max_map_count");
    await eventually(async () => !(await configOf("v1alpha1")).includes("max_map_count"));
  });

  test("stays if it is applied permanently during a trial", async () => {
    const text = cluster.config("controlplane", [live]);
    await apply(text, "TRY", { tryMs: 50 });
    await apply(text, "AUTO");
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(node.node.machineConfiguration).toBe(text);
  });

  test("changes nothing in a dry run, which shows the difference", async () => {
    const before = node.node.machineConfiguration;
    const text = cluster.config("controlplane", [live]);
    const reply = await apply(text, "AUTO", { dryRun: true });
    expect(reply?.modeDetails).toMatch(
      /^Dry run summary:\nApplied configuration without a reboot \(skipped in dry-run\)\.\nConfig diff:\n\n--- a\n\+\+\+ b\n@@ /,
    );
    expect(reply?.modeDetails).toContain('+        vm.max_map_count: "262144"\n');
    const same = await apply(cluster.config("controlplane"), "AUTO", { dryRun: true });
    expect(same?.modeDetails).toMatch(/Config diff:\n\nNo changes\.$/);
    const reboot = await apply(cluster.config("controlplane", [rebooting]), "AUTO", {
      dryRun: true,
    });
    expect(reboot?.modeDetails).toMatch(
      /^Dry run summary:\nApplied configuration with a reboot \(skipped in dry-run\)\./,
    );
    expect(node.node.machineConfiguration).toBe(before);
  });

  test.each([
    ["foo: bar\n", "INVALID_ARGUMENT: missing kind"],
    ["", "INVALID_ARGUMENT: config not found"],
    [
      "apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n",
      "INVALID_ARGUMENT: the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
    ],
    [
      "version: v1alpha1\nmachine: {type: worker}\ncluster: {}\n",
      "INVALID_ARGUMENT: 1 error occurred:\n\t* v1alpha1.Config: 2 errors occurred:\n" +
        "\t* cluster controlplane endpoint is required\n" +
        "\t* issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)\n\n\n\n",
    ],
  ])("is refused: %j", async (text, expected) => {
    expect(await failureOf(apply(text, "AUTO"))).toBe(expected);
  });

  test("is rejected with two hostnames", async () => {
    const text = cluster
      .config("controlplane")
      .replace("    network: {}\n", "    network:\n        hostname: one\n");
    const withHostname = text.includes("hostname: one")
      ? text
      : cluster
          .config("controlplane")
          .replace("machine:\n", "machine:\n    network:\n        hostname: one\n");
    expect(await failureOf(apply(withHostname, "AUTO"))).toBe(
      "INVALID_ARGUMENT: 1 error occurred:\n\t* static hostname is already set in v1alpha1 config\n\n",
    );
  });

  test("can rename the node", async () => {
    const rename: Patch =
      'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: "off"\nhostname: renamed\n';
    await apply(cluster.config("controlplane", [rename]), "AUTO");
    const { messages } = await client.unary(machine.Hostname, {});
    expect(messages[0]?.hostname).toBe("renamed");
  });

  describe("for a node with Talos v1.14", () => {
    beforeEach(async () => {
      cluster.talosVersion = "v1.14.1";
      node = await cluster.add(cluster.config("controlplane"));
      client = await cluster.client(node);
    });

    test.each(["AUTO", "NO_REBOOT"] as const)(
      "is taken without a reboot in mode %s, whatever it changes",
      async (mode) => {
        const before = await bootId();
        const text = cluster.config("controlplane", [rebooting]);
        const dry = await apply(text, mode, { dryRun: true });
        expect(dry?.mode).toBe("NO_REBOOT");
        expect(await apply(text, mode)).toMatchObject({
          mode: "NO_REBOOT",
          modeDetails: "Applied configuration without a reboot",
        });
        expect(await configOf("v1alpha1")).toContain("GREETING");
        expect(await bootId()).toBe(before);
      },
    );

    test("is refused in mode REBOOT", async () => {
      expect(await failureOf(apply(cluster.config("controlplane", [live]), "REBOOT"))).toBe(
        "UNIMPLEMENTED: the REBOOT mode is not supported, please use AUTO or NO_REBOOT modes instead",
      );
      expect(node.node.machineConfiguration).not.toContain("max_map_count");
    });
  });
});
