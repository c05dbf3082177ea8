import { refusedAtBoot } from "../../../provider/config/bootValidation";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { sharedSecrets } from "../pki/sharedSecrets";

let plain: readonly ConfigDocument[];

beforeAll(async () => {
  plain = generateMachineConfig({
    clusterName: "demo",
    endpoint: "https://k8s.example.com:6443",
    machineType: "controlplane",
    secretsBundle: await sharedSecrets(),
    versionContract: "v1.13",
    kubernetesVersion: "1.36.0",
    installDisk: "/dev/xvda",
    installerImage: `factory.talos.dev/aws-installer/${"c".repeat(64)}:v1.13.9`,
  });
});

const refused = (patch: Patch, next = "v1.14.6", options = {}) =>
  refusedAtBoot(applyPatches(plain, [patch]), "v1.13.9", next, options);

describe("what another Talos refuses when it boots", () => {
  it("is nothing of a configuration that both accept", () => {
    expect(refused({ machine: { sysctls: { "vm.swappiness": "1" } } })).toEqual([]);
  });

  it("is a Kubernetes that it doesn't run, unless that changes before", () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.31.0";
    const patch = { machine: { kubelet: { image } } };
    expect(refused(patch)).toEqual([
      expect.stringMatching(
        /^machine\.kubelet\.image Kubernetes "1\.31\.0" is too old for Talos v1\.14\.6/,
      ),
    ]);
    expect(refused(patch, "v1.14.6", { imagesFollow: true })).toEqual([]);
    // Talos judges the configuration on its disk since v1.14.
    expect(refused({ machine: { kubelet: { image: "x/kubelet:v1.30.0" } } }, "v1.13.0")).toEqual(
      [],
    );
  });

  it("is what needs another document since then", () => {
    const patch = {
      cluster: { secretboxEncryptionSecret: { $patch: "delete" } },
      machine: { network: { kubespan: { enabled: true } } },
    };
    const withoutDiscovery = { cluster: { discovery: { enabled: false } } };
    expect(refused(withoutDiscovery)).toEqual([]);
    const problems = refusedAtBoot(
      applyPatches(plain, [patch, withoutDiscovery]),
      ...(["v1.13.9", "v1.14.6"] as const),
    );
    expect(problems.join("\n")).toMatch(/[Dd]iscovery/);
  });

  it("is a null in a list of mappings, which older releases read", () => {
    const [config, ...others] = plain;
    const [written] = decodeDocuments("machine: {type: controlplane, disks: [null], files: []}");
    const machine = {
      ...(config?.machine as ConfigDocument),
      ...(written?.machine as ConfigDocument),
    };
    const problems = refusedAtBoot([{ ...config, machine }, ...others], "v1.13.9", "v1.14.6");
    expect(problems).toEqual(["machine.disks[0] is null, which is no item of a list"]);
  });
});
