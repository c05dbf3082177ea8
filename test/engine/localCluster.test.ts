import type { EngineEvent } from "@pulumi/pulumi/automation";
import { dynamicStub, type HandlerName } from "../../provider/engine/dynamicStub";
import { eventually } from "../emulator/support/eventually";
import { driftSteps } from "./support/driftSteps";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { writeFormerState } from "./support/formerState";
import { changesOf, withSysctl } from "./support/lifeOfCluster";
import { lifeSteps } from "./support/lifeSteps";
import { readTree } from "./support/readTree";
import { renewalSteps } from "./support/renewalSteps";
import { formsOf, secretsIn } from "./support/secretForms";
import { outputsIn, type StoredResource, storedResources } from "./support/storedResources";

/** A secret output as the state has it, in clear. */
interface SecretOutput {
  readonly plaintext: string;
}

// One cluster's life: each test goes on where the one before it ended.
describe("the stack `local`, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let resources: StoredResource[];
  /** What each resource said while the run that created it lasted. */
  const said = new Map<string, string[]>();
  /** What was said for good in that run, and all that the engine printed, without a terminal. */
  const lasting: string[] = [];
  const shown: string[] = [];
  /** The access that the cluster gave in its life, which nobody else may see. */
  const handedOut: string[] = [];

  beforeAll(async () => {
    world = await startEngineWorld();
  });

  afterAll(() => world.close());

  /** As the state's file has them, where secrets are encrypted. */
  function encryptedResources(): StoredResource[] {
    const file = readTree(world.stateDir).find(({ name }) => name.endsWith("talos-aws/local.json"));
    const { checkpoint } = JSON.parse(file?.text ?? "") as {
      checkpoint: { latest: { resources: StoredResource[] } };
    };
    return checkpoint.latest.resources;
  }

  function rememberAccess(): void {
    const { kubeconfig, talosconfig } = outputsIn(resources);
    for (const secret of [kubeconfig, talosconfig] as SecretOutput[]) {
      handedOut.push(JSON.parse(secret.plaintext) as string);
    }
  }

  step("previews a whole cluster without touching anything", async () => {
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["create"]);
    expect(changeSummary.create).toBeGreaterThan(30);
    expect(world.emulator.nodes()).toEqual([]);
  });

  step("creates it, with one bootstrap", async () => {
    const { outputs } = await world.stack.up({
      onOutput: (text) => {
        world.record.onOutput(text);
        shown.push(text);
      },
      onEvent: (event: EngineEvent) => {
        world.record.onEvent(event);
        const { urn = "", message = "", ephemeral, severity } = event.diagnosticEvent ?? {};
        if (ephemeral === true) {
          said.set(urn, [...(said.get(urn) ?? []), message]);
        } else if (message !== "" && String(severity) !== "debug") {
          lasting.push(message);
        }
      },
    });
    const nodes = world.emulator.nodes();
    expect(nodes.map(({ stage }) => stage)).toEqual(["running", "running", "running"]);
    expect(nodes.reduce((sum, { bootstrapCalls }) => sum + bootstrapCalls, 0)).toBe(1);
    expect(outputs.kubeconfig).toMatchObject({ secret: true });
    expect(outputs.talosconfig).toMatchObject({ secret: true });
  });

  step("shows progress at its resource, not at the stack", () => {
    const kinds = [...said.keys()].map((urn) => urn.split("::")[2]?.split(":").at(-1));
    expect(kinds).toContain("MachineBootstrap");
    expect(kinds).not.toContain("Stack");
    const bootstrap = [...said].find(([urn]) => urn.includes("MachineBootstrap"))?.[1] ?? [];
    expect(bootstrap.join("\n")).toMatch(
      /waiting for etcd on 127\.\S+ to be up and healthy: .+ \(\d+ s of 600 s\)/,
    );
  });

  step("shows progress while the run lasts, and what was achieved in each row's end", () => {
    expect(lasting.filter((message) => !message.includes("from $PATH"))).toEqual([]);
    const output = shown.join("");
    const [rows = "", diagnostics = ""] = output.split("Diagnostics:");
    expect(diagnostics).not.toContain("waiting for");
    expect(rows).toMatch(/MachineBootstrap local-bootstrap creating .*waiting for etcd on 127/);
    expect(rows).toMatch(
      /MachineBootstrap local-bootstrap created \(\S+\) etcd is up and healthy after \d+ s/,
    );
    for (const lines of said.values()) {
      expect(lines.at(-1)?.trimEnd()).toMatch(/ after \d+ s$/);
    }
  });

  step("finds no change", async () => {
    const changes = await changesOf(world, (options) => world.stack.up(options));
    expect(Object.keys(changes)).toEqual(["same"]);
  });

  step("survives a refresh without a change", async () => {
    await world.stack.refresh(world.record);
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("keeps a small constant stub in the state of every dynamic resource", async () => {
    resources = await storedResources(world.stack);
    rememberAccess();
    const dynamic = resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/talos:"));
    expect(dynamic.length).toBeGreaterThanOrEqual(8);
    for (const { type, inputs, outputs: state } of dynamic) {
      const stub = dynamicStub(type.split(":").at(-1) as HandlerName);
      expect(Buffer.byteLength(stub)).toBeLessThanOrEqual(2048);
      expect(inputs?.__provider).toBe(stub);
      expect(state?.__provider).toBe(stub);
    }
  });

  step(
    "keeps at most 4 KiB with each machine, beside the configuration that a preview compares",
    () => {
      const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
      const machines = encryptedResources().filter(({ type }) =>
        type.endsWith("ConfigurationApply"),
      );
      expect(machines).toHaveLength(3);
      for (const { inputs, outputs: state = {} } of machines) {
        const { redactedConfiguration, ...others } = inputs ?? {};
        expect(sizeOf(redactedConfiguration)).toBeLessThan(3_750);
        expect(state).not.toHaveProperty("redactedConfiguration");
        expect(state.credentials).toHaveProperty("ciphertext");
        expect(sizeOf(others) + sizeOf(state)).toBeLessThan(3_750);
      }
    },
  );

  driftSteps({ step, world: () => world });

  step("only adds newer resources to a stack of the first releases, and refreshes it", async () => {
    expect(await writeFormerState(world.stack)).toBe(3);
    const added = await world.stack.preview(world.record);
    // Three members of etcd and first contacts, what upgrades Kubernetes, and what its manifests follow by.
    expect(added.changeSummary).toEqual({ create: 8, same: expect.any(Number) as number });
    const { changeSummary } = await world.stack.previewRefresh(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
    const changes = await changesOf(world, (options) => world.stack.up(options));
    expect(changes).toEqual(added.changeSummary);
    const again = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(again.changeSummary)).toEqual(["same"]);
  });

  step("changes exactly configurations and applies when a patch is edited", async () => {
    const stack = await withSysctl(world, "65535");
    const preview = await stack.preview({ ...world.record, diff: true });
    expect(preview.stdout).toContain('net.core.somaxconn: "65535"');
    expect(preview.changeSummary).toMatchObject({ update: 5 });
    expect(Object.keys(preview.changeSummary).sort()).toEqual(["same", "update"]);

    const changes = await changesOf(world, (options) => stack.up(options));
    expect(changes).toMatchObject({ update: 5 });
    for (const { machineConfiguration } of world.emulator.nodes()) {
      expect(machineConfiguration).toContain('net.core.somaxconn: "65535"');
    }
    expect(world.emulator.nodes().reduce((sum, node) => sum + node.bootstrapCalls, 0)).toBe(1);
  });

  renewalSteps({ step, world: () => world });

  step("shows no secret in clear in state, history, output or events", async () => {
    resources = await storedResources(world.stack);
    rememberAccess();
    const secrets = [
      ...secretsIn(world.emulator.nodes()[0]?.machineConfiguration ?? ""),
      ...handedOut.flatMap(secretsIn),
    ];
    expect(secrets.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["key", "private key", "token", "secret", "clusterSecret"]),
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

  step("writes no metadata file, which a killed engine would leave half written", () => {
    const names = readTree(world.stateDir).map(({ name }) => name);
    expect(names.some((name) => name.endsWith("talos-aws/local.json"))).toBe(true);
    expect(names.filter((name) => name.endsWith(".attrs"))).toEqual([]);
  });

  step("destroys everything", async () => {
    await world.stack.destroy(world.record);
    expect(await storedResources(world.stack)).toEqual([]);
    await eventually(() => expect(world.emulator.nodes()).toEqual([]), 120_000);
  });
});
