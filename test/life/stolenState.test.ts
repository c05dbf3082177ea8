import { TalosCluster, type TalosClusterArgs } from "../../components";
import type { Rotation, RotationStage, SecretsBundle } from "../../provider";
import { fromBase64 } from "../../provider/pki/pem";
import { askEndpoint } from "../engine/support/askEndpoint";
import { controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { lifeSteps } from "../engine/support/lifeSteps";
import { plannedSteps } from "../engine/support/plannedSteps";
import { outputsIn, storedResources } from "../engine/support/storedResources";
import { Thief } from "../engine/support/thief";

/** All secrets in a stage; the Kubernetes CA has one more. */
function everything(
  stage: Exclude<RotationStage, "renew">,
  kubernetes: RotationStage = stage,
): Rotation {
  const each = { to: 2, stage } as const;
  return {
    talosCa: each,
    kubernetesCa: { to: 2, stage: kubernetes },
    etcdCa: each,
    aggregatorCa: each,
    serviceAccountKey: each,
    secretboxKey: each,
    bootstrapToken: each,
    trustdToken: each,
    discoveryIdentity: each,
  };
}

// One life, in whose middle Talos is upgraded to v1.14, which has documents for several keys.
// `test/life/rotation.test.ts` has machines of v1.14 that are asked all the time.
describe("a rotation of all secrets, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  const started: TalosClusterArgs = {
    ...controlPlaneAlone,
    talosVersion: "v1.13.9",
    network: { zones: ["us-east-1a"] },
  };
  let args = started;
  let first: string;
  let thief: Thief;

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { kubeconfig } = new TalosCluster("c", args);
        return Promise.resolve({ kubeconfig });
      },
    });
    await world.stack.up(world.record);
    first = await kubeconfig();
    thief = await Thief.steal(world, await secretsBundle());
  });

  afterAll(async () => {
    thief.leave();
    await world.close();
  });

  async function secretsBundle(): Promise<SecretsBundle> {
    const resources = await storedResources(world.stack);
    const found = resources.find(({ urn }) => urn.endsWith("::c-secrets"));
    const { plaintext } = found?.outputs?.secretsBundle as { readonly plaintext: string };
    return JSON.parse(plaintext) as SecretsBundle;
  }

  async function kubeconfig(): Promise<string> {
    const { plaintext } = outputsIn(await storedResources(world.stack)).kubeconfig as {
      readonly plaintext: string;
    };
    return JSON.parse(plaintext) as string;
  }

  const askWith = (credentials: string) => askEndpoint(world, credentials, "/api/v1/nodes");

  /** Whether API servers publish the first CAs of clients and of the aggregator as accepted. */
  async function publishedOf({ certs }: SecretsBundle): Promise<boolean[]> {
    const path = "/api/v1/namespaces/kube-system/configmaps";
    const published = await askEndpoint(world, await kubeconfig(), path);
    return [certs.k8s, certs.k8saggregator].map(({ crt }) =>
      published.includes(JSON.stringify(fromBase64(crt)).slice(1, -1)),
    );
  }

  const refusal = async () =>
    String(await world.stack.preview(world.record).catch((error: unknown) => error));

  step("is for a thief who has the state, and gets in everywhere", async () => {
    expect(await thief.waysIn()).toEqual(thief.names);
    expect(await publishedOf(await secretsBundle())).toEqual([true, true]);
  });

  step("is rejected in the preview if it skips a stage", async () => {
    args = { ...args, rotation: everything("issue") };
    expect(await refusal()).toContain(
      "the Talos CA was never rotated, and {to: 2, stage: issue} skips a stage: set {to: 2, stage: accept} to continue",
    );
  });

  step("first makes the machine accept both, as previewed", async () => {
    args = { ...args, rotation: everything("accept") };
    const steps = await plannedSteps(world.stack, world.record);
    expect(steps.filter((each) => each.startsWith("create "))).toHaveLength(10);
    expect(steps.filter((each) => /^(replace|delete) /.test(each))).toEqual([]);
    await world.stack.up(world.record);
    await askWith(first);
  });

  const configurations = () =>
    world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);

  step("then issues, renews and drops, until only the new ones are accepted", async () => {
    expect(configurations().join("")).toContain("service_account_key_file");
    args = { ...args, talosVersion: "v1.14.1" };
    for (const rotation of [everything("issue"), everything("issue", "renew")]) {
      args = { ...args, rotation };
      await world.stack.up(world.record);
      await askWith(await kubeconfig());
      for (const text of configurations()) {
        expect(text).toContain("kind: KubeServiceAccountConfig");
        expect(text).not.toContain("service_account_key_file");
      }
    }
    const upgraded = args;
    args = { ...upgraded, talosVersion: "v1.13.9" };
    expect(await refusal()).toContain(
      "Talos v1.13.9 can't read KubeAggregatorCAConfig, KubeEtcdEncryptionConfig, KubeServiceAccountConfig",
    );
    args = { ...upgraded, rotation: everything("drop") };
    await world.stack.up(world.record);
    await askWith(await kubeconfig());
    await expect(askWith(first)).rejects.toThrow();
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("leaves the thief no way in", async () => {
    expect(await thief.waysIn()).toEqual([]);
    expect(await publishedOf(await secretsBundle())).toEqual([false, false]);
  });

  step("can't be reverted at its end", async () => {
    const { rotation: _, ...before } = args;
    args = before;
    expect(await refusal()).toContain(
      "the Talos CA has reached {to: 2, stage: drop} and can't go back to the first generation",
    );
  });
});
