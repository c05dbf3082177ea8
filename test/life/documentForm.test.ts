import type { EngineEvent } from "@pulumi/pulumi/automation";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import { checkPolicies } from "../../policies";
import { renderText, summarize } from "../../preview";
import { readEvents } from "../../preview/readEvents";
import type { Rotation, RotationStage, SecretsBundle } from "../../provider";
import { NOT_MADE_YET } from "../../provider/config/effects/outline";
import { signServiceAccountToken } from "../emulator/support/signServiceAccountToken";
import { askEndpoint } from "../engine/support/askEndpoint";
import { askWithToken } from "../engine/support/askWithToken";
import { controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { lifeSteps } from "../engine/support/lifeSteps";
import { statusOf } from "../engine/support/statusOf";
import { outputsIn, storedResources } from "../engine/support/storedResources";
import { Thief } from "../engine/support/thief";

/** AWS' issuer of the cluster's service account tokens. */
const ISSUER = "https://local-talos-example-oidc.s3.us-east-1.amazonaws.com";
/** Whom API servers name as the audience of tokens. */
const ENDPOINT = "https://k8s.local.talos.example:6443";
/** What waits for more than one control plane machine. */
const LEFT_OPEN = ["trustd"];

/** What can be rotated with one control plane machine; the Kubernetes CA has one stage more. */
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
    discoveryIdentity: each,
  };
}

// One cluster's life: each step goes on where the one before it ended. `configurationDocuments.test.ts` has three machines.
describe("a cluster whose configuration is in documents, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let thief: Thief;
  let args: TalosClusterArgs = {
    ...controlPlaneAlone,
    talosVersion: "v1.14.1",
    versionContract: "v1.14",
    kubernetesVersion: "v1.36.3",
    network: { zones: ["us-east-1a"] },
    exposure: "both",
    irsa: true,
    controlPlane: { machineCount: 1 },
    ...pools({}),
  };

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { kubeconfig, talosconfig, nodes } = new TalosCluster("c", args);
        return Promise.resolve({ kubeconfig, talosconfig, nodes });
      },
    });
    await world.stack.up(world.record);
  });

  afterAll(async () => {
    thief.leave();
    await world.close();
  });

  /** A machine that applies its configuration, and a group whose machines boot with theirs. */
  function pools(labels: Readonly<Record<string, string>>): Pick<TalosClusterArgs, "workerPools"> {
    return {
      workerPools: {
        apps: { machineCount: 1, labels },
        spot: { autoScaling: { minSize: 1, maxSize: 2 }, labels },
      },
    };
  }

  const up = () => world.stack.up(world.record);

  /** What a preview tells, which breaks no policy. */
  async function told(): Promise<string> {
    const events: EngineEvent[] = [];
    await world.stack.preview({ onEvent: (event) => events.push(event) });
    expect(checkPolicies(readEvents(events))).toEqual([]);
    return renderText(summarize({ stack: world.stack.name, events }));
  }

  async function expectNoChange(): Promise<void> {
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }

  async function secretsBundle(): Promise<SecretsBundle> {
    const found = (await storedResources(world.stack)).find(({ urn }) =>
      urn.endsWith("::c-secrets"),
    );
    const { plaintext } = found?.outputs?.secretsBundle as { readonly plaintext: string };
    return JSON.parse(plaintext) as SecretsBundle;
  }

  const configurations = () =>
    world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);

  /** Labels, and the kubelet's release, of each node in Kubernetes. */
  async function nodes() {
    const outputs = outputsIn(await storedResources(world.stack));
    const { plaintext } = outputs.kubeconfig as { readonly plaintext: string };
    const text = await askEndpoint(world, JSON.parse(plaintext) as string, "/api/v1/nodes");
    const { items } = JSON.parse(text) as {
      readonly items: readonly {
        readonly metadata: { readonly labels: Readonly<Record<string, string>> };
        readonly status: { readonly nodeInfo: { readonly kubeletVersion: string } };
      }[];
    };
    return items.map(({ metadata, status }) => ({
      pool: metadata.labels["example.com/pool"],
      kubelet: status.nodeInfo.kubeletVersion,
    }));
  }

  step("is well, needs no change, and knows the tokens of both issuers", async () => {
    expect(configurations()).toHaveLength(3);
    for (const text of configurations()) {
      expect(text).toContain("kind: KubeletConfig");
      expect(text).not.toMatch(/^ {4}(?:kubelet|install|apiServer|controlPlane):/m);
    }
    const stored = (await storedResources(world.stack)).find(
      ({ urn }) => urn.includes("MachineConfiguration::") && urn.endsWith("::c-control-plane"),
    );
    // A list of which only the texts were given as secrets is secret as a whole.
    expect(stored?.inputs?.inlineManifests).toHaveProperty("plaintext");
    await expectNoChange();
    expect(await statusOf(world.stack)).toMatchObject({ verdict: "healthy", problems: [] });
    const bundle = await secretsBundle();
    thief = await Thief.steal(world, bundle);
    expect(await thief.waysIn()).toEqual(thief.names);
    const { key } = bundle.certs.k8sserviceaccount;
    const token = signServiceAccountToken(key, ISSUER, new Date(), undefined, ENDPOINT);
    expect(await askWithToken(world, token)).toBe(403);
  });

  step("follows an option and a patch without a reboot, as previewed", async () => {
    const SYSCTL = "net.core.somaxconn";
    args = {
      ...args,
      ...pools({ "example.com/pool": "blue" }),
      patches: [{ apiVersion: "v1alpha1", kind: "SysctlConfig", params: { [SYSCTL]: "65535" } }],
    };
    const lines = await told();
    expect(lines).toContain("c-control-plane-1: applies the change without a reboot");
    expect(lines).toContain(`+ SysctlConfig.params.${SYSCTL}: "65535"`);
    expect(lines).toContain('+ KubeNodeConfig.labels.example.com/pool: "blue"');
    await up();
    expect(configurations().filter((text) => text.includes(SYSCTL))).toHaveLength(1);
    const labels = (await nodes()).map(({ pool }) => pool);
    expect(labels.sort()).toEqual(["blue", "blue", undefined]);
  });

  step("gets other releases, while the patch is taken back and a rotation begins", async () => {
    const { patches: _, ...unpatched } = args;
    args = {
      ...unpatched,
      kubernetesVersion: "v1.37.2",
      talosVersion: "v1.14.6",
      // With it, the certificate of the webhook for `irsa` follows from keys that are not made yet.
      rotation: everything("accept"),
    };
    const lines = await told();
    expect(lines).toContain("is drained, upgraded and restarted, for Talos v1.14.1 → v1.14.6");
    expect(lines).toContain('KubeAPIServerConfig.image: "registry.k8s.io/kube-apiserver:v1.37.2"');
    expect(lines).toContain("- SysctlConfig.params.net.core.somaxconn");
    expect(lines).toContain(NOT_MADE_YET);
    await up();
    const running = world.emulator.nodes().map(({ talosVersion }) => talosVersion);
    expect(running).toEqual(["v1.14.6", "v1.14.6", "v1.14.6"]);
    expect((await nodes()).map(({ kubelet }) => kubelet)).toEqual(Array(3).fill("v1.37.2"));
    expect(configurations().join("")).not.toMatch(/v1\.36\.3|v1\.14\.1|SysctlConfig/);
  });

  step("replaces its keys, until only the new ones are accepted", async () => {
    for (const rotation of [
      everything("issue"),
      everything("issue", "renew"),
      everything("drop"),
    ]) {
      args = { ...args, rotation };
      await up();
    }
    await expectNoChange();
    expect(await thief.waysIn()).toEqual(LEFT_OPEN);
    expect(await statusOf(world.stack)).toMatchObject({ verdict: "healthy", problems: [] });
  });
});
