import type { OutputMap } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { dynamicStub, type HandlerName } from "../../provider/dynamicStub";
import { writeFormerState } from "./support/formerState";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";
import { readTree } from "./support/readTree";
import { formsOf, secretsIn } from "./support/secretForms";

interface StoredResource {
  urn: string;
  type: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

describe("the stack `local`, by the real engine", () => {
  let world: EngineWorld;
  let outputs: OutputMap;

  beforeAll(async () => {
    world = await startEngineWorld();
  }, 120_000);

  afterAll(async () => {
    await world.close();
  }, 60_000);

  async function storedResources(): Promise<StoredResource[]> {
    const exported = await world.stack.exportStack();
    return (exported.deployment as { resources?: StoredResource[] }).resources ?? [];
  }

  /** As the state's file has them, where secrets are encrypted. */
  function encryptedResources(): StoredResource[] {
    const file = readTree(world.stateDir).find(({ name }) => name.endsWith("talos-aws/local.json"));
    const { checkpoint } = JSON.parse(file?.text ?? "") as {
      checkpoint: { latest: { resources: StoredResource[] } };
    };
    return checkpoint.latest.resources;
  }

  it("previews a whole cluster without touching anything", async () => {
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["create"]);
    expect(changeSummary.create).toBeGreaterThan(30);
    expect(world.emulator.nodes()).toEqual([]);
  }, 120_000);

  it("brings it up, with one bootstrap", async () => {
    ({ outputs } = await world.stack.up(world.record));
    const nodes = world.emulator.nodes();
    expect(nodes.map(({ stage }) => stage)).toEqual(["running", "running", "running"]);
    expect(nodes.reduce((sum, { bootstrapCalls }) => sum + bootstrapCalls, 0)).toBe(1);
    expect(outputs.kubeconfig).toMatchObject({ secret: true });
    expect(outputs.talosconfig).toMatchObject({ secret: true });
  }, 240_000);

  it("shows no change when nothing changed", async () => {
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
    const { summary } = await world.stack.up(world.record);
    expect(Object.keys(summary.resourceChanges ?? {})).toEqual(["same"]);
  }, 120_000);

  it("survives a refresh without a change", async () => {
    await world.stack.refresh(world.record);
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }, 120_000);

  it("keeps a small constant stub in the state of every dynamic resource", async () => {
    const dynamic = (await storedResources()).filter(({ type }) =>
      type.startsWith("pulumi-nodejs:dynamic/talos:"),
    );
    expect(dynamic.length).toBeGreaterThanOrEqual(8);
    for (const { type, inputs, outputs: state } of dynamic) {
      const stub = dynamicStub(type.split(":").at(-1) as HandlerName);
      expect(Buffer.byteLength(stub)).toBeLessThanOrEqual(2048);
      expect(inputs?.__provider).toBe(stub);
      expect(state?.__provider).toBe(stub);
    }
  });

  it("keeps at most 4 KiB with each machine, beside the configuration that a preview compares", () => {
    const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const machines = encryptedResources().filter(({ type }) => type.endsWith("ConfigurationApply"));
    expect(machines).toHaveLength(3);
    for (const { inputs, outputs: state = {} } of machines) {
      const { redactedConfiguration, ...others } = inputs ?? {};
      expect(sizeOf(redactedConfiguration)).toBeLessThan(2_500);
      expect(state).not.toHaveProperty("redactedConfiguration");
      expect(state.credentials).toHaveProperty("ciphertext");
      expect(sizeOf(others) + sizeOf(state)).toBeLessThan(3_300);
    }
  });

  it("only adds members of etcd to a stack that the first releases made, and refreshes it", async () => {
    expect(await writeFormerState(world.stack)).toBe(3);
    const added = await world.stack.preview(world.record);
    expect(added.changeSummary).toEqual({ create: 3, same: expect.any(Number) as number });
    const { changeSummary } = await world.stack.previewRefresh(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
    const { summary } = await world.stack.up(world.record);
    expect(summary.resourceChanges).toEqual(added.changeSummary);
    await world.stack.refresh(world.record);
    const { changeSummary: unchanged } = await world.stack.preview(world.record);
    expect(Object.keys(unchanged)).toEqual(["same"]);
  }, 240_000);

  it("changes exactly configurations and applies when a patch is edited", async () => {
    const settings = parse(await localSettings()) as { config: Record<string, unknown> };
    const patches = [
      ...((settings.config["talos-aws:patches"] as unknown[] | undefined) ?? []),
      { machine: { sysctls: { "net.core.somaxconn": "65535" } } },
    ];
    const edited = stringify({ config: { ...settings.config, "talos-aws:patches": patches } });
    const stack = await world.withSettings(edited);

    const preview = await stack.preview({ ...world.record, diff: true });
    expect(preview.stdout).toContain('net.core.somaxconn: "65535"');
    expect(preview.changeSummary).toMatchObject({ update: 5 });
    expect(Object.keys(preview.changeSummary).sort()).toEqual(["same", "update"]);

    const { summary } = await stack.up(world.record);
    expect(summary.resourceChanges).toMatchObject({ update: 5 });
    for (const { machineConfiguration } of world.emulator.nodes()) {
      expect(machineConfiguration).toContain('net.core.somaxconn: "65535"');
    }
    expect(world.emulator.nodes().reduce((sum, node) => sum + node.bootstrapCalls, 0)).toBe(1);
  }, 240_000);

  it("shows no secret in clear in state, history, output or events", () => {
    const secrets = [
      ...secretsIn(world.emulator.nodes()[0]?.machineConfiguration ?? ""),
      ...secretsIn(String(outputs.kubeconfig?.value)),
      ...secretsIn(String(outputs.talosconfig?.value)),
    ];
    expect(secrets.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["key", "token", "secret", "secretboxEncryptionSecret"]),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(11);
    const places = [
      ...readTree(world.stateDir),
      { name: "output and events", text: world.transcript() },
    ];
    expect(places.length).toBeGreaterThan(5);
    const leaks = secrets.flatMap(({ name, value }) =>
      places
        .filter(({ text }) => formsOf(value).some((form) => text.includes(form)))
        .map((place) => `${name} in ${place.name}`),
    );
    expect(leaks).toEqual([]);
  });

  it("keeps no metadata beside the state, which a killed engine would leave half written", () => {
    const names = readTree(world.stateDir).map(({ name }) => name);
    expect(names.some((name) => name.endsWith("talos-aws/local.json"))).toBe(true);
    expect(names.filter((name) => name.endsWith(".attrs"))).toEqual([]);
  });

  it("destroys everything", async () => {
    await world.stack.destroy(world.record);
    expect(await storedResources()).toEqual([]);
    expect(world.emulator.nodes()).toEqual([]);
  }, 240_000);
});
