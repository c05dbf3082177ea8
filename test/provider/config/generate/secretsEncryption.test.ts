import { describe, expect, it } from "vitest";
import { checkMachineConfigInput } from "../../../../provider/config/checkInput";
import { kmsProviderName } from "../../../../provider/config/generate/kmsPlugin";
import { secretsEncryption } from "../../../../provider/config/generate/secretsEncryption";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { versionContract } from "../../../../provider/config/releases/versionContract";
import { sharedSecrets } from "../../pki/sharedSecrets";

const KEY = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const OTHER = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/mrk-0123456789abcdef";
const pluginImage = "example.com/aws-encryption-provider:v0.5.0";

describe("secretsEncryption", () => {
  const secretsBundle = sharedSecrets();
  async function documents(providers: string[], contract = "v1.14", machineType = "controlplane") {
    const { documents: made = [], replaced } = secretsEncryption.generate(
      {
        machineType: machineType as "controlplane",
        secretsBundle: await secretsBundle,
        versionContract: contract,
        talosVersion: "v1.14.1",
        secretsEncryption: { pluginImage, providers },
      },
      versionContract(contract, {}),
    );
    return { made, replaced };
  }

  it.each(["v1.13", "v1.14"])("has providers in their order, by contract %s", async (contract) => {
    const { secrets } = await secretsBundle;
    const { made, replaced } = await documents([KEY, "secretbox", OTHER], contract);
    const [config] = made;
    const kms = (arn: string) => ({
      kms: {
        apiVersion: "v2",
        name: kmsProviderName(arn),
        endpoint: `unix:///var/log/audit/kube/${kmsProviderName(arn)}.sock`,
        timeout: "3s",
      },
    });
    const secret = secrets.secretboxencryptionsecret;
    const providers = [
      kms(KEY),
      { secretbox: { keys: [{ name: "key2", secret }] } },
      kms(OTHER),
      ...(contract === "v1.13" ? [{ identity: {} }] : []),
    ];
    expect(config).toMatchObject({
      kind: "KubeEtcdEncryptionConfig",
      config: { resources: [{ resources: ["secrets"], providers }] },
    });
    expect(replaced).toContainEqual(["cluster", "secretboxEncryptionSecret"]);
  });

  it("runs a plugin for each key, which stays while keys change places, come and go", async () => {
    const pods = async (providers: string[]) =>
      new Map(
        (await documents(providers)).made
          .filter(({ kind }) => kind === "KubeStaticPodConfig")
          .map(({ name, pod }) => [name, pod as ConfigDocument]),
      );
    const before = await pods([KEY, OTHER]);
    expect(await pods([OTHER, KEY])).toEqual(before);
    const alone = [...(await pods([KEY])), ...(await pods([OTHER]))];
    expect(new Map(alone)).toEqual(before);
    expect([...before.keys()].sort()).toEqual(
      [KEY, OTHER].map((arn) => `kms-plugin-${kmsProviderName(arn)}`).sort(),
    );
    const args = [...before.values()].map((pod) => JSON.stringify(pod));
    expect(args.join()).toContain(`--key=${KEY}`);
    expect(args.join()).toContain("--region=us-gov-west-1");
    expect(new Set(args.join().match(/--health-port=127\.[\d.]+:\d+/g)).size).toBe(2);
  });

  it("adds nothing to workers", async () => {
    expect(await documents([KEY], "v1.14", "worker")).toEqual({ made: [], replaced: undefined });
  });

  it.each<[string, object, string]>([
    ["an alias", { providers: [KEY.replace(/key.*/, "alias/secrets")] }, "no ARN of a key in KMS"],
    ["no key", { providers: ["secretbox"] }, "has no key of KMS"],
    ["a key twice", { providers: [KEY, KEY] }, "is there twice"],
    ["an image without a version", { providers: [KEY], pluginImage: "kms" }, "name a version"],
  ])("refuses %s", (_, given, why) => {
    const problems = checkMachineConfigInput({
      versionContract: "v1.14",
      secretsEncryption: { pluginImage, providers: [], ...given },
    });
    expect(problems.map(({ reason }) => reason).join()).toContain(why);
  });

  it.each([
    ["v1.13.9", "v1.12"],
    [undefined, "v1.13"],
  ])("refuses Talos %s of contract %s", (talosVersion, contract) => {
    const [problem] = checkMachineConfigInput({
      versionContract: contract,
      talosVersion,
      secretsEncryption: { pluginImage, providers: [KEY] },
    });
    expect(problem?.reason).toMatch(/^Talos v1\.13.* has no document for it/);
  });
});
