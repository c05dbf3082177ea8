import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { withoutSecrets } from "../../cli/offline/withoutSecrets";
import { type EngineWorld, localSettings, startEngineWorld } from "../engine/support/engineWorld";
import { offlinePreview, previewText } from "../engine/support/offlinePreview";
import { formsOf, isSecret, secretsIn } from "../engine/support/secretForms";

/** All that a large cluster has. `label` and `grace` change pools, patches and an add-on. */
const full = (label: string, grace: string) => ({
  "talos-aws:network": { zones: ["us-east-1a", "us-east-1b", "us-east-1c"], nat: "single" },
  "talos-aws:workerPools": {
    apps: { machineCount: 1, labels: { tier: label } },
    spot: {
      autoScaling: { minSize: 1, maxSize: 2 },
      subnets: "private",
      labels: { tier: label },
    },
    batch: {
      subnets: "private",
      labels: { tier: label },
      karpenter: { limits: { vcpus: 16, memoryGib: 64 }, architectures: ["amd64", "arm64"] },
    },
  },
  // With a webhook, whose certificate is derived from a CA's key.
  "talos-aws:irsa": true,
  "talos-aws:access": {
    aws: {
      issuerUrl: "https://a1faa616-d595-447d-bdfd-64b774ab199c.tokens.sts.global.api.aws",
      roles: { "arn:aws:iam::123456789012:role/Developers": ["deployers"] },
    },
    groups: { deployers: { clusterRole: "edit", namespaces: ["shop"] } },
  },
  "talos-aws:addOns": {
    auditLog: { retentionDays: 365 },
    cilium: true,
    cloudController: true,
    clusterAutoscaler: { extraArgs: { "max-graceful-termination-sec": grace } },
    etcdBackup: { agePublicKey: "none" },
    flux: { url: "https://github.com/example/fleet", path: `clusters/${label}` },
    karpenter: true,
    loadBalancerController: true,
  },
  "talos-aws:kubeconfigLifetimeHours": 168,
  "talos-aws:patches": [{ machine: { sysctls: { "net.core.somaxconn": grace } } }],
});

describe("a preview from an export without a secret, of all that production has", () => {
  let world: EngineWorld;
  let folder: string;
  let settings: Record<string, unknown>;

  beforeAll(async () => {
    world = await startEngineWorld();
    folder = await mkdtemp(join(world.stateDir, "offline-"));
    ({ config: settings } = parse(await localSettings()) as { config: Record<string, unknown> });
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  const withChange = (changed: Record<string, unknown>) =>
    world.withSettings(stringify({ config: { ...settings, ...changed } }));

  const configurations = () =>
    world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);

  it("shows what one with the account shows", async () => {
    const before = full("one", "600");
    await (await withChange(before)).up(world.record);
    const recorded = await world.stack.exportStack();
    const state = withoutSecrets(recorded);
    const offline = (changed: Record<string, unknown>) =>
      offlinePreview({ ...settings, ...changed }, { state, folder, passphrase: "" });
    const text = JSON.stringify(state);
    expect(configurations().filter((each) => each.includes("type: worker"))).toHaveLength(2);
    const secrets = configurations().flatMap(secretsIn);
    const forms = secrets.filter(isSecret).flatMap(({ value }) => formsOf(value));
    expect(forms.filter((form) => JSON.stringify(recorded).includes(form))).not.toEqual([]);
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
    expect(await offline(before)).toBe(await previewText(await withChange(before)));
    expect(await offline(before)).toContain("nothing changes");
    const after = full("two", "700");
    const expected = await previewText(await withChange(after));
    for (const part of [
      "spot",
      "batch",
      "patches",
      "inlineManifests",
      "cluster-autoscaler.manifest",
    ]) {
      expect(expected).toContain(part);
    }
    // Of lists of objects, an export can say only which objects come and go: it has no key of their digests.
    expect(partsOf(await offline(after))).toEqual(partsOf(expected));
  });
});

/** The lines of a preview, without those of what changes inside objects that are applied after the bootstrap. */
function partsOf(text: string): readonly string[] {
  const ofObjects =
    /^(?:local: .*|Pools of Karpenter|batch: Karpenter replaces .*|~ KubernetesObjects .*|)$/;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !ofObjects.test(line));
}
