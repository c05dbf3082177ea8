import { type TalosClusterArgs } from "../../components";
import type { RotationStage } from "../../provider";
import { askEndpoint } from "../engine/support/askEndpoint";
import { ControlPlaneLife, controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { Probe } from "../engine/support/probe";
import { storedResources } from "../engine/support/storedResources";

const [KEY = "", OTHER = ""] = ["1111", "2222"].map(
  (id) => `arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-${id.repeat(3)}`,
);
const pluginImage = "registry.example.com/aws-encryption-provider:v0.5.0";

// One cluster's life: each step goes on where the one before it ended.
describe("a cluster whose Secrets AWS KMS encrypts, by the real engine", () => {
  const step = lifeSteps();
  let life: ControlPlaneLife;

  beforeAll(async () => {
    life = await ControlPlaneLife.start({
      ...controlPlaneAlone,
      talosVersion: "v1.14.1",
      versionContract: "v1.14",
      kubernetesVersion: "v1.37.2",
      network: { zones: ["us-east-1a"] },
      controlPlane: { machineCount: 3 },
      secretsEncryption: { pluginImage, kmsKeyArns: { 1: KEY } },
    });
  });

  afterAll(() => life.world.close());

  /** The generation of the key, and which of them are in KMS. */
  function want(
    kmsKeyArns: Readonly<Record<string, string>> | undefined,
    to?: number,
    stage: RotationStage = "accept",
  ): void {
    const { secretsEncryption: _, rotation: __, ...rest }: TalosClusterArgs = life.args;
    life.args = {
      ...rest,
      ...(kmsKeyArns && { secretsEncryption: { pluginImage, kmsKeyArns } }),
      ...(to !== undefined && { rotation: { secretboxKey: { to, stage } } }),
    };
  }

  const secrets = async () => {
    const resources = await storedResources(life.world.stack);
    const found = resources.find(({ type }) => type.endsWith(":ClusterKubeconfig"));
    const { plaintext = "" } = (found?.outputs?.kubeconfig ?? {}) as { plaintext?: string };
    return askEndpoint(life.world, JSON.parse(plaintext) as string, "/api/v1/secrets");
  };

  /** An API server without a key of one Secret can't list them. */
  async function upWhileRead(): Promise<void> {
    const probe = new Probe(secrets);
    await life.world.stack.up(life.world.record);
    const { answers, failures } = await probe.stop();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(5);
    const { changeSummary } = await life.world.stack.preview({
      ...life.world.record,
      refresh: true,
    });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }

  const refusal = async () =>
    String(await life.world.stack.preview(life.world.record).catch((error: unknown) => error));

  const configurations = () =>
    life.world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);

  step("has no secretbox key in the document from its birth, and is healthy", async () => {
    expect(await secrets()).toContain("bootstrap-token-");
    for (const text of configurations()) {
      expect(text).toContain("kind: KubeStaticPodConfig");
      expect(text).not.toContain("secretbox:");
    }
  });

  step("can't leave the key without the way back", async () => {
    want(undefined);
    expect(await refusal()).toContain("set rotation.secretboxKey to that stage");
    want({ 1: OTHER });
    expect(await refusal()).toContain("so API servers could not read all Secrets");
    want({ 1: KEY }, 2, "issue");
    expect(await refusal()).toContain("skips a stage");
  });

  step("goes to a secretbox key, also if the engine is killed meanwhile", async () => {
    want({ 1: KEY }, 2, "accept");
    await upWhileRead();
    want({ 1: KEY }, 2, "issue");
    const before = configurations();
    const isMoment = () =>
      configurations().filter((text, index) => text !== before[index]).length === 1;
    await killedWhile(
      (options, stack) => stack.up({ ...life.world.record, ...options }),
      isMoment,
      life.world,
    );
    await secrets();
    // Back and forth again: machines of neighbouring stages read what both encrypt.
    want({ 1: KEY }, 2, "accept");
    await upWhileRead();
    want({ 1: KEY }, 2, "issue");
    await upWhileRead();
    want({ 1: KEY }, 2, "drop");
    await upWhileRead();
    expect(configurations().join()).not.toContain("KubeStaticPodConfig");
    want(undefined, 2, "drop");
    const { changeSummary } = await life.world.stack.preview(life.world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("goes to another key in KMS", async () => {
    for (const stage of ["accept", "issue", "drop"] as const) {
      want({ 3: OTHER }, 3, stage);
      await upWhileRead();
    }
    for (const text of configurations()) {
      expect(text).toContain(`--key=${OTHER}`);
      expect(text).not.toContain("secretbox:");
    }
  });
});
