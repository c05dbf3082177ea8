import * as pulumi from "@pulumi/pulumi";
import type { MachineConfigPatch } from "../../../provider/config/gen/machineConfigPatch";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import type { MachineConfigurationArgs } from "../../../provider/resources/machineConfiguration";
import { placeholderBundle } from "./placeholders";

const documents = generateMachineConfig({
  clusterName: "example",
  endpoint: "https://api.example.com:6443",
  machineType: "worker",
  secretsBundle: placeholderBundle,
  versionContract: "v1.13",
  kubernetesVersion: "1.36.0",
  installDisk: "/dev/xvda",
  installerImage: "factory.talos.dev/aws-installer/abc:v1.13.9",
});

test.each<readonly [string, MachineConfigPatch, string]>([
  [
    "fields and a removal",
    {
      machine: {
        sysctls: { "vm.max_map_count": "262144" },
        kubelet: { extraArgs: { v: "4", "feature-gates": ["A=true", "B=true"] } },
        features: { kubePrism: { $patch: "delete" } },
        install: { image: { $patch: "delete" } },
      },
    },
    `machine:
       sysctls: { vm.max_map_count: 262144 }
       kubelet: { extraArgs: { v: 4, feature-gates: [A=true, B=true] } }
       features: { kubePrism: { $patch: delete } }
       install: { image: { $patch: delete } }`,
  ],
  [
    "a document of its own",
    {
      apiVersion: "v1alpha1",
      kind: "UserVolumeConfig",
      name: "data",
      volumeType: "partition",
      provisioning: { diskSelector: { match: "!system_disk" }, minSize: "10GiB", maxSize: "50%" },
    },
    `{apiVersion: v1alpha1, kind: UserVolumeConfig, name: data, volumeType: partition,
      provisioning: {diskSelector: {match: "!system_disk"}, minSize: 10GiB, maxSize: 50%}}`,
  ],
  [
    "the removal of a document",
    { apiVersion: "v1alpha1", kind: "HostnameConfig", $patch: "delete" },
    "{apiVersion: v1alpha1, kind: HostnameConfig, $patch: delete}",
  ],
  [
    "ports as numbers and ranges",
    {
      apiVersion: "v1alpha1",
      kind: "NetworkRuleConfig",
      name: "ingress",
      portSelector: { ports: [80, "30000-32767"], protocol: "tcp" },
      ingress: [{ subnet: "10.0.0.0/8", except: "10.1.0.0/16" }],
    },
    `{apiVersion: v1alpha1, kind: NetworkRuleConfig, name: ingress,
      portSelector: {ports: [80, 30000-32767], protocol: tcp},
      ingress: [{subnet: 10.0.0.0/8, except: 10.1.0.0/16}]}`,
  ],
])("an object patches like its text: %s", (_, typed, text) => {
  expect(applyPatches(documents, [typed])).toEqual(applyPatches(documents, [text]));
});

test("a typed patch is a document and a patch to the compiler", () => {
  const typed: MachineConfigPatch = { machine: { certSANs: ["api.example.com"] } };
  const document: ConfigDocument = typed;
  const patches: Patch[] = [typed, "machine: {}"];
  const given: MachineConfigurationArgs["patches"] = [typed, pulumi.output(typed)];
  expect([document, ...patches, ...given]).toHaveLength(5);
});

test("the compiler rejects what Talos can't read", () => {
  const wrong: MachineConfigPatch[] = [
    // @ts-expect-error an unknown section
    { machines: {} },
    // @ts-expect-error an unknown field
    { machine: { kubelt: {} } },
    // @ts-expect-error a word that is not among the allowed ones
    { machine: { type: "master" } },
    // @ts-expect-error text where a switch belongs
    { machine: { install: { wipe: "maybe" } } },
    // @ts-expect-error a kind that does not exist
    { apiVersion: "v1alpha1", kind: "HostnamConfig" },
    // @ts-expect-error a document without the name that tells it from others
    { apiVersion: "v1alpha1", kind: "VolumeConfig" },
    // @ts-expect-error a field of another kind
    { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable", machine: {} },
    // @ts-expect-error a document without its version
    { kind: "HostnameConfig", auto: "stable" },
    // @ts-expect-error another directive than the one there is
    { machine: { kubelet: { $patch: "replace" } } },
  ];
  for (const patch of wrong) {
    expect(() => applyPatches(documents, [patch])).toThrow();
  }
});
