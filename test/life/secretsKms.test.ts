import {
  CreateKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  KMSClient,
} from "@aws-sdk/client-kms";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import type { RotationStage } from "../../provider";
import { askEndpoint } from "../engine/support/askEndpoint";
import { controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { Probe } from "../engine/support/probe";
import { storedResources } from "../engine/support/storedResources";

const pluginImage = "registry.example.com/aws-encryption-provider:v0.5.0";

// One cluster's life: each step goes on where the one before it ended.
describe("a cluster whose Secrets AWS KMS encrypts, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let args: TalosClusterArgs;
  let kms: KMSClient;
  let key: string;
  let other: string;

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { endpoint } = new TalosCluster("c", args);
        return Promise.resolve({ endpoint });
      },
    });
    const { url, region } = world.emulator;
    const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
    kms = new KMSClient({ endpoint: url, region, credentials });
    [key, other] = [await makeKey(), await makeKey()];
    args = {
      ...controlPlaneAlone,
      talosVersion: "v1.14.1",
      versionContract: "v1.14",
      kubernetesVersion: "v1.37.2",
      network: { zones: ["us-east-1a"] },
      controlPlane: { machineCount: 3 },
      secretsEncryption: { pluginImage, kmsKeyArns: { 1: key } },
    };
    await world.stack.up(world.record);
  });

  afterAll(async () => {
    kms.destroy();
    await world.close();
  });

  const makeKey = async () => {
    const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
    return KeyMetadata?.Arn ?? "";
  };

  /** The generation of the key, and which of them are in KMS. */
  function want(
    kmsKeyArns: Readonly<Record<string, string>> | undefined,
    to?: number,
    stage: RotationStage = "accept",
  ): void {
    const { secretsEncryption: _, rotation: __, ...rest }: TalosClusterArgs = args;
    args = {
      ...rest,
      ...(kmsKeyArns && { secretsEncryption: { pluginImage, kmsKeyArns } }),
      ...(to !== undefined && { rotation: { secretboxKey: { to, stage } } }),
    };
  }

  const secrets = async () => {
    const resources = await storedResources(world.stack);
    const found = resources.find(({ type }) => type.endsWith(":ClusterKubeconfig"));
    const { plaintext = "" } = (found?.outputs?.kubeconfig ?? {}) as { plaintext?: string };
    return askEndpoint(world, JSON.parse(plaintext) as string, "/api/v1/secrets");
  };

  /** An API server without a key of one Secret can't list them. */
  async function upWhileRead(): Promise<void> {
    const probe = new Probe(secrets);
    await world.stack.up(world.record);
    const { answers, failures } = await probe.stop();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(0);
    const { changeSummary } = await world.stack.preview({
      ...world.record,
      refresh: true,
    });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }

  const refusal = async () =>
    String(await world.stack.preview(world.record).catch((error: unknown) => error));

  const configurations = () =>
    world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);

  step("has no secretbox key in the document from its birth, and is healthy", async () => {
    expect(await secrets()).toContain("bootstrap-token-");
    for (const text of configurations()) {
      expect(text).toContain("kind: KubeStaticPodConfig");
      expect(text).not.toContain("secretbox:");
    }
  });

  step("can't leave the key without the way back", async () => {
    want(undefined);
    expect(await refusal()).toContain("and with another one no API server could read them");
    want({ 1: other });
    expect(await refusal()).toContain("go to another key by the next generation");
    want({ 1: key }, 2, "issue");
    expect(await refusal()).toContain("skips a stage");
  });

  step("is left alone while KMS refuses, or knows no such key", async () => {
    want({ 1: key, 2: other.replace(/.{4}$/, "0000") }, 2, "accept");
    expect(await refusal()).toContain("KMS knows no such key");
    want({ 1: key });
    // moto takes no ARN here.
    const [, KeyId = ""] = key.split("/");
    await kms.send(new DisableKeyCommand({ KeyId }));
    expect(await refusal()).toContain("it is disabled: run aws kms enable-key");
    await kms.send(new EnableKeyCommand({ KeyId }));
  });

  step("goes to a secretbox key, also if the engine is killed meanwhile", async () => {
    want({ 1: key }, 2, "accept");
    await upWhileRead();
    want({ 1: key }, 2, "issue");
    const before = configurations();
    const isMoment = () =>
      configurations().filter((text, index) => text !== before[index]).length === 1;
    await killedWhile(
      (options, stack) => stack.up({ ...world.record, ...options }),
      isMoment,
      world,
    );
    await secrets();
    // Back and forth again: machines of neighbouring stages read what both encrypt.
    want({ 1: key }, 2, "accept");
    await upWhileRead();
    want({ 1: key }, 2, "issue");
    await upWhileRead();
    want({ 1: key }, 2, "drop");
    await upWhileRead();
    expect(configurations().join()).not.toContain("KubeStaticPodConfig");
    want({ 2: other }, 2, "drop");
    expect(await refusal()).toContain("and with another one no API server could read them");
    // The role loses the key only now.
    want(undefined, 2, "drop");
    const { changeSummary } = await world.stack.preview(world.record);
    expect(changeSummary).toMatchObject({ update: 1 });
    await upWhileRead();
  });

  step("goes to another key in KMS", async () => {
    for (const stage of ["accept", "issue", "drop"] as const) {
      want({ 3: other }, 3, stage);
      await upWhileRead();
    }
    for (const text of configurations()) {
      expect(text).toContain(`--key=${other}`);
      expect(text).not.toContain("secretbox:");
    }
  });
});
