import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { stringify } from "yaml";
import { MachineConfiguration, MachineSecrets, type MachineSecretsArgs } from "../../provider";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { openStack } from "../../scripts/openStack";
import { secretValues } from "../provider/resources/samples";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { readLater } from "./support/readLater";
import { formsOf } from "./support/secretForms";

const root = join(__dirname, "../..");

interface StoredResource {
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

// One stack's life: each test goes on where the one before it ended.
describe("imported secrets, by the real engine", () => {
  const contract = "v1.11";
  let folder: string;
  let stack: Stack;
  let bundle: SecretsBundle;
  let others: SecretsBundle;
  /** What the program says when it is run next. */
  let args: MachineSecretsArgs;
  const parts: string[] = [];

  const record = {
    onOutput: (text: string) => parts.push(text),
    onEvent: (event: EngineEvent) => {
      // What the engine says at this level, nobody sees without `--debug`, and is in clear.
      if (event.diagnosticEvent?.prefix?.startsWith("debug") !== true) {
        parts.push(JSON.stringify(event));
      }
    },
  };

  beforeAll(async () => {
    bundle = await generateSecretsBundle({ versionContract: contract });
    others = await generateSecretsBundle({ versionContract: contract });
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/secrets-"));
    stack = readLater(
      await openStack({
        stack: "local",
        program: () => {
          const secrets = new MachineSecrets("secrets", args);
          new MachineConfiguration("workers", {
            clusterName: "demo",
            endpoint: "https://k8s.demo.example.com:6443",
            machineType: "worker",
            secretsBundle: secrets.secretsBundle,
            platform: "aws",
            talosVersion: "v1.12.1",
            versionContract: secrets.versionContract,
            kubernetesVersion: "1.34.1",
            installDisk: "/dev/xvda",
          });
          return Promise.resolve({ secretsBundle: secrets.secretsBundle });
        },
        engine: await engineFromEnvironment(),
        stateDir: folder,
        environment: {},
        settings: "config: {}",
      }),
    );
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** What the engine says to a program that can't be. */
  async function refusal(): Promise<string> {
    try {
      await stack.preview(record);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      parts.push(message);
      return message;
    }
    throw new Error("the preview was expected to fail");
  }

  async function stored(kind: string): Promise<StoredResource | undefined> {
    const exported = await stack.exportStack();
    const { resources = [] } = exported.deployment as { resources?: StoredResource[] };
    return resources.find(({ type }) => type === `pulumi-nodejs:dynamic/talos:${kind}`);
  }

  it("are rejected in a preview with every problem, and no secret", async () => {
    const broken = { ...others, trustdinfo: {}, cluster: { ...others.cluster, id: "x" } };
    args = { versionContract: contract, importedSecrets: stringify(broken) };
    const message = await refusal();
    expect(message).toContain("importedSecrets: cluster.id: is not a cluster's id");
    expect(message).toContain("importedSecrets: trustdinfo.token: is missing");
  });

  it("give a first preview with the whole configuration", async () => {
    const file = join(folder, "secrets.yaml");
    await writeFile(file, stringify(bundle), { mode: 0o600 });
    args = { versionContract: contract, importedSecrets: `@${file}` };
    const { changeSummary, stdout } = await stack.preview({ ...record, diff: true });
    expect(changeSummary).toEqual({ create: 3 });
    expect(stdout).toContain(bundle.cluster.id);
    expect(stdout).toContain("«secret sha256:");
    await rm(file);
  });

  it("are exactly those of the cluster, kept once", async () => {
    args = { versionContract: contract, importedSecrets: stringify(bundle) };
    const { outputs } = await stack.up(record);
    expect(outputs.secretsBundle).toEqual({ value: bundle, secret: true });
    const { summary } = await stack.up(record);
    expect(summary.resourceChanges).toEqual({ same: 3 });
    const { inputs = {}, outputs: state = {} } = (await stored("MachineSecrets")) ?? {};
    expect(Object.keys(inputs)).not.toContain("importedSecrets");
    expect(Object.keys(inputs)).not.toContain("secretsBundle");
    expect(Object.keys(state)).toContain("secretsBundle");
  });

  it("may be removed, but not replaced", async () => {
    args = { versionContract: contract };
    const { summary } = await stack.up(record);
    expect(summary.resourceChanges).toEqual({ same: 3 });
    args = { versionContract: contract, importedSecrets: stringify(others) };
    expect(await refusal()).toContain("can't be replaced, because");
  });

  it("stay known when the contract changes, which needs allowContractChange", async () => {
    args = { versionContract: "v1.12" };
    expect(await refusal()).toContain(
      `is "v1.11" since its creation and can't be changed to "v1.12"`,
    );
    args = { versionContract: "v1.12", allowContractChange: true };
    const { changeSummary, stdout } = await stack.preview({ ...record, diff: true });
    expect(changeSummary).toEqual({ same: 2, update: 1 });
    expect(stdout).toMatch(/^ *\+ HostnameConfig: {$/m);
    expect(stdout).not.toContain("sha256:");
    expect((await stack.up(record)).outputs.secretsBundle?.value).toEqual(bundle);
    args = { versionContract: "v1.12" };
    expect((await stack.preview(record)).changeSummary).toEqual({ same: 3 });
    args = { versionContract: contract };
    expect(await refusal()).toContain(`is "v1.12" since its creation`);
  });

  it("are nowhere in clear", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(5);
    const texts = new Map(files.map((name) => [name, readFileSync(name, "utf8")]));
    texts.set("output and events", parts.join("\n"));
    const forms = [...secretValues(bundle), ...secretValues(others)].flatMap(formsOf);
    const leaks = [...texts].filter(([, text]) => forms.some((form) => text.includes(form)));
    expect(leaks.map(([name]) => name)).toEqual([]);
  });
});
