import * as pulumi from "@pulumi/pulumi";
import { makeUserData, patchConfiguration } from "../../../components/machines/makeUserData";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { installerImage } from "../../../provider/config/installer/installerImage";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/yaml/encode";
import { sharedSecrets } from "../../provider/pki/sharedSecrets";
import { build, valueOf } from "../mockedGraph";

let machineConfiguration: string;

beforeAll(async () => {
  machineConfiguration = encodeDocuments(
    generateMachineConfig({
      clusterName: "prod",
      endpoint: "https://k8s.prod.example.com:6443",
      machineType: "worker",
      secretsBundle: await sharedSecrets(),
      versionContract: "v1.12",
      kubernetesVersion: "v1.35.0",
      installDisk: "/dev/nvme0n1",
      installerImage: installerImage({ platform: "aws", talosVersion: "v1.12.1" }),
    }),
  );
});

const pool = () => new pulumi.ComponentResource("test:index:Pool", "pool");

const userDataOf = async (args: Parameters<typeof makeUserData>[0]) => {
  const { value } = await build(() => makeUserData(args, pool(), 'machines["1"].'));
  return Buffer.from(await valueOf(value), "base64").toString("utf8");
};

describe("makeUserData", () => {
  it("is the configuration of the role, and secret", async () => {
    expect(await userDataOf({ machineConfiguration })).toBe(machineConfiguration);
    const { value } = await build(() => makeUserData({ machineConfiguration }, pool()));
    expect(await (value as unknown as { isSecret: Promise<boolean> }).isSecret).toBe(true);
  });

  it("contains the machine's own patches", async () => {
    const patches = [{ machine: { sysctls: { "vm.swappiness": "10" } } }];
    const text = await userDataOf({ machineConfiguration, patches });
    expect(decodeDocuments(text)[0]).toMatchObject({
      machine: { type: "worker", sysctls: { "vm.swappiness": "10" } },
    });
  });

  it("fails the run for patches that can't be applied, also those known late", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    onTestFinished(() => told.mockRestore());
    const patches = pulumi.output([`{"machine": {"sysctls": "none"}}`]);
    await build(
      () => valueOf(makeUserData({ machineConfiguration, patches }, pool(), 'machines["1"].')),
      { preview: true },
    );
    expect(told.mock.calls.map(([problem]) => problem)).toEqual([
      expect.stringMatching(/^machines\["1"\]\.patches: .*machine\.sysctls/),
    ]);
  });

  it("names the machine whose patches can't be applied", () => {
    const patches = [{ machine: { sysctl: {} } }];
    expect(() => patchConfiguration(machineConfiguration, patches, "a.patches")).toThrow(
      /^a\.patches: .*sysctl/,
    );
  });
});
