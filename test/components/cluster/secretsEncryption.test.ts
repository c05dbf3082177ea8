import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { checkTalosCluster } from "../../../components/cluster/checks/checkTalosCluster";
import type { RotationStep } from "../../../provider";
import { make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

const KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const OTHER = "arn:aws:kms:us-east-1:123456789012:key/99999999-12ab-34cd-56ef-1234567890ab";
const pluginImage = "example.com/aws-encryption-provider:v0.5.0";
const release = {
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "1.37.2",
} as const;

async function madeWith(kmsKeyArns: Record<string, string>, secretboxKey?: RotationStep) {
  const { graph } = await make({
    ...release,
    workerPools: { apps: { machineCount: 1 } },
    secretsEncryption: { pluginImage, kmsKeyArns },
    ...(secretboxKey && { rotation: { secretboxKey } }),
  });
  const { inputs } = graph.named(talos("MachineConfiguration"), "c-control-plane");
  return {
    encryption: inputs.secretsEncryption,
    accepted: inputs.acceptedAuthorities as { secretboxKey?: unknown[] } | undefined,
    ofWorkers: graph.named(talos("MachineConfiguration"), "c-apps").inputs.secretsEncryption,
    generations: graph.ofType(talos("RotatedSecret")).map(({ name }) => name),
    policy: graph.named("aws:iam/rolePolicy:RolePolicy", "c-control-plane-policy").inputs
      .policy as string,
  };
}

describe("Secrets that AWS KMS encrypts", () => {
  it("are those of a new cluster from its birth", async () => {
    const { encryption, ofWorkers, generations, policy } = await madeWith({ 1: KEY });
    expect(encryption).toEqual({ pluginImage, providers: [KEY] });
    expect(ofWorkers).toBeUndefined();
    expect(generations).toEqual([]);
    expect(JSON.parse(policy)).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Action: ["kms:Decrypt", "kms:Encrypt"],
          Effect: "Allow",
          Resource: [KEY],
        }),
      ]) as unknown,
    });
  });

  it.each(["v1.13", "v1.14"])(
    "has kubelets fetch the plugin from ECR, by contract %s",
    async (contract) => {
      const image = "123456789012.dkr.ecr.us-east-1.amazonaws.com/aws-encryption-provider:v1";
      const { graph } = await make({
        ...release,
        kubernetesVersion: "1.36.0",
        versionContract: contract,
        secretsEncryption: { pluginImage: image, kmsKeyArns: { 1: KEY } },
      });
      const { inputs } = graph.named(talos("MachineConfiguration"), "c-control-plane");
      expect(JSON.stringify(inputs.patches)).toContain(
        contract === "v1.14"
          ? '"kind":"KubeCredentialProviderConfig"'
          : '"credentialProviderConfig"',
      );
      const { policy } = graph.named(
        "aws:iam/rolePolicy:RolePolicy",
        "c-control-plane-policy",
      ).inputs;
      expect(policy).toContain("ecr:BatchGetImage");
    },
  );

  it.each<[RotationStep["to"], RotationStep["stage"], readonly string[] | undefined, string[]]>([
    [2, "accept", ["secretbox", KEY], []],
    [2, "issue", [KEY, "secretbox"], []],
    [2, "drop", [KEY], []],
    [3, "accept", [KEY, OTHER], []],
    [3, "issue", [OTHER, KEY], []],
    [3, "drop", [OTHER], []],
    [4, "accept", [OTHER, "secretbox"], ["c-secretbox-key-4"]],
    [4, "issue", ["secretbox", OTHER], ["c-secretbox-key-4"]],
    [4, "drop", undefined, ["c-secretbox-key-4"]],
    [5, "accept", undefined, ["c-secretbox-key-4", "c-secretbox-key-5"]],
  ])("follow the rotation to generation %i, stage %s", async (to, stage, providers, own) => {
    const made = await madeWith({ 2: KEY, ...(to > 2 && { 3: OTHER }) }, { to, stage });
    const expected = providers === undefined ? undefined : { pluginImage, providers };
    expect(made.encryption).toEqual(expected);
    expect(made.generations).toEqual(own);
    expect(made.accepted?.secretboxKey).toEqual(
      own.length === 2 ? [expect.anything(), expect.anything()] : undefined,
    );
    // Also in the stage that drops it: machines read with it until they have done so.
    expect(made.policy).toContain(KEY);
    expect(made.policy.includes(OTHER)).toBe(to > 2);
  });

  function problems(args: Partial<TalosClusterArgs>): readonly string[] {
    const chosen = chooseAddOns({ ...standardCluster, ...release, ...args });
    return checkTalosCluster("c", chosen).map(({ property, reason }) => `${property}: ${reason}`);
  }

  it.each<[string, Partial<TalosClusterArgs>, RegExp]>([
    [
      "an alias",
      { secretsEncryption: { pluginImage, kmsKeyArns: { 1: "alias/secrets" } } },
      /^secretsEncryption\.kmsKeyArns\.1: "alias\/secrets" is no ARN of a key in KMS/,
    ],
    [
      "no key",
      { secretsEncryption: { pluginImage, kmsKeyArns: {} } },
      /^secretsEncryption\.kmsKeyArns: has no key/,
    ],
    [
      "a generation that no machine uses",
      { secretsEncryption: { pluginImage, kmsKeyArns: { 2: KEY } } },
      /kmsKeyArns\.2: no machine uses generation 2: set rotation\.secretboxKey to \{to: 2, stage: "accept"\}/,
    ],
    [
      "a generation that is no number",
      { secretsEncryption: { pluginImage, kmsKeyArns: { production: KEY } } },
      /kmsKeyArns\.production: "production" is no generation/,
    ],
    [
      "a key in two generations",
      {
        secretsEncryption: { pluginImage, kmsKeyArns: { 1: KEY, 2: KEY } },
        rotation: { secretboxKey: { to: 2, stage: "accept" } },
      },
      /kmsKeyArns\.2: generation 1 has the same key/,
    ],
    [
      "an image that isn't pinned",
      { secretsEncryption: { pluginImage: "kms:latest", kmsKeyArns: { 1: KEY } } },
      /^secretsEncryption\.pluginImage: "kms:latest" is whatever is newest/,
    ],
    [
      "machines without a role",
      {
        secretsEncryption: { pluginImage, kmsKeyArns: { 1: KEY } },
        controlPlane: { role: { none: true } },
      },
      /^controlPlane\.role\.none: machines without a role can't use the keys/,
    ],
    [
      "pods that would have the machine's role",
      {
        secretsEncryption: { pluginImage, kmsKeyArns: { 1: KEY } },
        controlPlane: { metadataHopLimit: 2 },
      },
      /^controlPlane\.metadataHopLimit: .* by secretsEncryption/,
    ],
    [
      "a network without internet that has no way to KMS",
      {
        secretsEncryption: { pluginImage, kmsKeyArns: { 1: KEY } },
        network: { zones: ["us-east-1a"], internetAccess: false },
      },
      /"kms" \(secretsEncryption\)[^]*"example\.com" \(secretsEncryption\)/,
    ],
    [
      "a stage that doesn't exist",
      {
        secretsEncryption: { pluginImage, kmsKeyArns: { 2: KEY } },
        rotation: { secretboxKey: { to: 2, stage: "begin" as "accept" } },
      },
      /^rotation\.secretboxKey\.stage: "begin" is not a stage/,
    ],
    [
      "a network without internet that has no way to ECR",
      {
        secretsEncryption: {
          pluginImage: "123456789012.dkr.ecr.us-east-1.amazonaws.com/kms:v1",
          kmsKeyArns: { 1: KEY },
        },
        network: { zones: ["us-east-1a"], internetAccess: false },
      },
      /"ecr\.dkr" \(secretsEncryption\)/,
    ],
    [
      "an older Talos",
      {
        talosVersion: "v1.13.9",
        versionContract: "v1.12",
        kubernetesVersion: "1.35.0",
        secretsEncryption: { pluginImage, kmsKeyArns: { 1: KEY } },
      },
      /^secretsEncryption: Talos v1\.13\.9 has no document for it/,
    ],
  ])("are refused with %s", (_, args, why) => {
    expect(problems(args).join("\n")).toMatch(why);
  });
});
