import type { EngineEvent } from "@pulumi/pulumi/automation";
import { decodeDocuments, encodeDocuments } from "../../provider/config/encode";
import { hashDocuments } from "../../provider/config/hash";
import { applyPatches } from "../../provider/config/patch";
import {
  awaitConfiguration,
  deliverConfiguration,
} from "../../provider/lifecycle/deliverConfiguration";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import { silent } from "../provider/progress";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { formsOf, secretsIn } from "./support/secretForms";

const applyType = "pulumi-nodejs:dynamic/talos:ConfigurationApply";

// One cluster's life: each test goes on where the one before it ended.
describe("a machine that somebody changed by hand, by the real engine", () => {
  let world: EngineWorld;
  let configuration: string;

  beforeAll(async () => {
    world = await startEngineWorld();
  }, 240_000);

  afterAll(async () => {
    await world.close();
  }, 60_000);

  it("was brought up with each resource's progress beside it, not beside the stack", async () => {
    const said = new Map<string, string[]>();
    await world.stack.up({
      ...world.record,
      onEvent: (event: EngineEvent) => {
        world.record.onEvent(event);
        const { urn = "", message = "" } = event.diagnosticEvent ?? {};
        if (message.includes("waiting for ")) {
          said.set(urn, [...(said.get(urn) ?? []), message]);
        }
      },
    });
    const kinds = [...said.keys()].map((urn) => urn.split("::")[2]?.split(":").at(-1));
    expect(kinds).toContain("MachineBootstrap");
    expect(kinds).not.toContain("Stack");
    const bootstrap = [...said].find(([urn]) => urn.includes("MachineBootstrap"))?.[1] ?? [];
    expect(bootstrap.join("\n")).toMatch(
      /waiting for etcd on 127\.\S+ to be up and healthy: .+ \(\d+ s of 600 s\)/,
    );
  }, 240_000);

  it("is found by a refresh, which shows the lines", async () => {
    const [node] = world.emulator.nodes();
    if (node?.machineConfiguration === undefined) throw new Error("no machine runs");
    configuration = node.machineConfiguration;
    await applyByHand(node.address, [{ machine: { sysctls: { "vm.swappiness": "1" } } }]);
    const shown = new Map<string | undefined, unknown>();
    const { stdout, changeSummary } = await world.stack.previewRefresh({
      ...world.record,
      onEvent: (event: EngineEvent) => {
        world.record.onEvent(event);
        const { urn = "", detailedDiff } = event.resOutputsEvent?.metadata ?? {};
        if (Object.keys(detailedDiff ?? {}).length > 0)
          shown.set(urn.split("::").at(-1), detailedDiff);
      },
    });
    expect(changeSummary).toEqual({ same: 73, update: 1 });
    expect(stdout).not.toContain("BEGIN");
    expect(Object.fromEntries(shown)).toEqual({
      "local-control-plane-1": {
        "redactedConfiguration.machine.sysctls": { diffKind: "add", inputDiff: true },
      },
    });
    await world.stack.refresh(world.record);
    const drifted = (await stored(applyType)).find(({ outputs }) => outputs?.node === node.address);
    expect(drifted?.inputs?.redactedConfiguration).toMatchObject({
      machine: { sysctls: { "vm.swappiness": "1" } },
    });
  }, 120_000);

  it("is shown by the next preview as the lines that are taken back, and is then as it was", async () => {
    const { stdout, changeSummary } = await world.stack.preview({ ...world.record, diff: true });
    expect(changeSummary).toMatchObject({ update: 2 });
    // Health, which looks again after it, comes last.
    const [ofMachine = ""] = stdout.split("talos:ClusterHealth");
    const lines = ofMachine.split("\n").map((line) => line.trim());
    expect(lines).toEqual(expect.arrayContaining(['- vm.swappiness: "1"']));
    expect(lines.filter((line) => /^[-+~] .*: ["\d[]/.test(line))).toEqual([
      '- vm.swappiness: "1"',
    ]);
    await world.stack.up(world.record);
    expect(world.emulator.nodes()[0]?.machineConfiguration).toBe(configuration);
    expect(Object.keys((await world.stack.preview(world.record)).changeSummary)).toEqual(["same"]);
  }, 120_000);

  it("told no secret on the way", () => {
    const secrets = secretsIn(configuration);
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    const leaks = secrets.filter(({ value }) =>
      formsOf(value).some((form) => world.transcript().includes(form)),
    );
    expect(leaks.map(({ name }) => name)).toEqual([]);
  });

  interface StoredResource {
    readonly type: string;
    readonly inputs?: Record<string, unknown>;
    readonly outputs?: Record<string, unknown>;
  }

  async function stored(type: string): Promise<StoredResource[]> {
    const exported = await world.stack.exportStack();
    const { resources = [] } = exported.deployment as { resources?: StoredResource[] };
    return resources.filter((resource) => resource.type === type);
  }

  async function applyByHand(node: string, patches: Parameters<typeof applyPatches>[1]) {
    const [access] = await stored(applyType);
    const { plaintext } = access?.outputs?.credentials as { plaintext: string };
    const credentials = JSON.parse(plaintext) as ClientCredentials;
    const text = encodeDocuments(applyPatches(decodeDocuments(configuration), patches));
    const delivery = {
      machine: { node, endpoint: node, credentials },
      text,
      hash: hashDocuments(decodeDocuments(text)),
      mode: "auto" as const,
      deadline: Date.now() + 20_000,
      progress: silent,
    };
    await awaitConfiguration(delivery, await deliverConfiguration(delivery));
  }
});
