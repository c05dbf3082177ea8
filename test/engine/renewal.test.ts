import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { ageCertificates } from "./support/ageCertificates";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";

interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly outputs?: Record<string, unknown>;
}

const clientType = "pulumi-nodejs:dynamic/talos:ClientConfiguration";

// One cluster's life: each test goes on where the one before it ended.
describe("the renewal of admin certificates, by the real engine", () => {
  let world: EngineWorld;

  beforeAll(async () => {
    world = await startEngineWorld();
    await world.stack.up(world.record);
  }, 240_000);

  afterAll(async () => {
    await world.close();
  }, 60_000);

  it("isn't due the next day: nothing changes", async () => {
    await ageCertificates(world.stack, 1);
    expect(await preview(world.stack)).toEqual([]);
  }, 120_000);

  it("changes the client configuration when it is due, and nothing else", async () => {
    await ageCertificates(world.stack, 300);
    const due = (await clients()).filter(({ urn }) => urn.endsWith("::local-client"));
    expect(await preview(world.stack)).toEqual(due.map(({ urn }) => urn));

    const before = await stored();
    const nodesBefore = world.emulator.nodes();
    await world.stack.up(world.record);
    const after = await stored();
    expect(after.map(({ urn }) => urn)).toEqual(before.map(({ urn }) => urn));
    const changed = after.filter(({ outputs }, index) => {
      const old = before[index]?.outputs;
      return JSON.stringify(outputs) !== JSON.stringify(old);
    });
    // The cluster and the stack hand out the new talosconfig.
    expect(changed.map(({ type }) => type)).toEqual([
      "pulumi:pulumi:Stack",
      clientType,
      "talos-aws:index:TalosCluster",
    ]);
    expect(world.emulator.nodes()).toEqual(nodesBefore);
    const lives = (await clients()).map(({ outputs }) =>
      Math.round((Date.parse(String(outputs?.notAfter)) - Date.now()) / 86_400_000),
    );
    // What the cluster itself logs in with lives as long as its authority.
    expect(lives).toEqual([3650, 365]);
    expect(await preview(world.stack)).toEqual([]);
  }, 240_000);

  it("comes before what logs in with it, also when it is long over", async () => {
    await ageCertificates(world.stack, 4_000);
    const settings = parse(await localSettings()) as { config: Record<string, unknown> };
    const patches = [
      ...((settings.config["talos-aws:patches"] as unknown[] | undefined) ?? []),
      { machine: { sysctls: { "net.core.somaxconn": "65535" } } },
    ];
    const edited = stringify({ config: { ...settings.config, "talos-aws:patches": patches } });
    const stack = await world.withSettings(edited);
    const changed = (await preview(stack)).map((urn) => urn.split("::")[2]?.split("$").at(-1));
    expect(changed.sort()).toEqual([
      clientType,
      clientType,
      // It looks again, as the machines are configured anew.
      "pulumi-nodejs:dynamic/talos:ClusterHealth",
      ...Array<string>(3).fill("pulumi-nodejs:dynamic/talos:ConfigurationApply"),
      "pulumi-nodejs:dynamic/talos:MachineConfiguration",
      // The engine gives this one the settings of the stack.
      "pulumi:providers:pulumi-nodejs",
    ]);
    // The machines take the new configuration from the new certificate; the old one they refuse.
    await stack.up(world.record);
    for (const { machineConfiguration } of world.emulator.nodes()) {
      expect(machineConfiguration).toContain('net.core.somaxconn: "65535"');
    }
    expect(await preview(stack)).toEqual([]);
  }, 240_000);

  /** The URNs of what a preview would change. */
  async function preview(stack: Stack): Promise<string[]> {
    const changed: string[] = [];
    await stack.preview({
      ...world.record,
      onEvent: (event: EngineEvent) => {
        world.record.onEvent(event);
        const { op, urn } = event.resourcePreEvent?.metadata ?? {};
        if (op !== undefined && urn !== undefined && op !== "same") {
          changed.push(urn);
        }
      },
    });
    return changed.sort();
  }

  async function stored(): Promise<StoredResource[]> {
    const exported = await world.stack.exportStack();
    const { resources = [] } = exported.deployment as { resources?: StoredResource[] };
    // The engine writes them down in the order it got to them.
    return [...resources].sort((a, b) => (a.urn < b.urn ? -1 : 1));
  }

  async function clients(): Promise<StoredResource[]> {
    return (await stored()).filter(({ type }) => type === clientType);
  }
});
