import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import type { CertificateAndKey } from "../../provider/pki/secretsBundle";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";

interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
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
    await age(1);
    expect(await preview(world.stack)).toEqual([]);
  }, 120_000);

  it("changes the client configuration when it is due, and nothing else", async () => {
    await age(300);
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
    await age(4_000);
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

  /** Has the stack remember certificates as if its last `up` had been some days ago. */
  async function age(days: number): Promise<void> {
    const exported = await world.stack.exportStack();
    let text = JSON.stringify(exported);
    for (const { inputs, outputs } of await clients()) {
      const authority = revealed(inputs?.certificateAuthority) as CertificateAndKey;
      const { crt, key } = revealed(outputs?.credentials) as ClientCredentials;
      const old = await issueClientCredentials(authority, {
        roles: ["os:admin"],
        now: new Date(Date.now() - days * 86_400_000),
        lifetimeHours: Number(outputs?.lifetimeHours),
      });
      text = text.replaceAll(crt, old.crt).replaceAll(key, old.key);
    }
    await world.stack.importStack(JSON.parse(text) as typeof exported);
  }
});

/** A secret as `exportStack` shows it. */
function revealed(secret: unknown): unknown {
  return JSON.parse((secret as { readonly plaintext: string }).plaintext);
}
