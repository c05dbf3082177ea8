import { judgeAuthorities } from "../../../../provider/config/authorityPath";
import { birthChanges, birthValues } from "../../../../provider/config/birth/birthSettings";
import { ineffectiveChanges } from "../../../../provider/config/effects/ineffectiveChanges";
import { outlineDocuments } from "../../../../provider/config/effects/outline";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import { judgeKubernetesPath, releaseOf } from "../../../../provider/config/kubernetesPath";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import type { MachineConfigInput } from "../../../../provider/config/machineConfigInput";
import { manifestInputs } from "../../../../provider/config/manifestInputs";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { changedPlannedSettings } from "../../../../provider/config/plannedSettings";
import {
  kubeletVersion,
  newerThanApiServer,
} from "../../../../provider/config/releases/kubernetesSkew";
import { removedInKubernetes } from "../../../../provider/config/releases/removedInKubernetes";
import { schemaOfDocuments } from "../../../../provider/config/schema/talosSchemas";
import { fieldsOfDocuments } from "../../../../provider/config/settings/fieldsOf";
import { installerOf } from "../../../../provider/config/settings/installer";
import { valueIn } from "../../../../provider/config/settings/settingIn";
import { settingPatches } from "../../../../provider/config/settings/settingPatch";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import { imagesOf } from "../../../../provider/lifecycle/upgrade/controlPlaneImages";
import { secretsBundleFromMachineConfig } from "../../../../provider/pki/secretsBundleFromMachineConfig";
import { machineConfigurationInputs } from "../../resources/samples";

/** Options whose settings stand in fields of contract v1.13, and in documents of v1.14. */
const options = {
  talosVersion: "v1.14.1",
  installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
  kubeSpan: true,
  nodeLabels: { "example.com/pool": "blue" },
  sysctls: { "vm.max_map_count": "262144" },
  kernelModules: [{ name: "nbd" }],
  certSans: ["api.example.com"],
  kubeletExtraArgs: { v: "2" },
  inlineManifests: [
    { name: "one", contents: "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n" },
  ],
  extraManifests: ["https://example.com/one.yaml"],
} satisfies Partial<MachineConfigInput>;

let [fields, documents]: (readonly ConfigDocument[])[] = [];
let [former, next]: ConfigDocument[] = [];

describe.each(["controlplane", "worker"] as const)("a %s that options describe", (machineType) => {
  beforeAll(async () => {
    const inputs = await machineConfigurationInputs();
    [fields, documents] = ["v1.13", "v1.14"].map((versionContract) =>
      generateMachineConfig({ ...inputs, ...options, machineType, versionContract }),
    );
    [former, next] = [fields, documents].map((all = []) => outlineDocuments(all));
  });

  it("runs the same in both forms, and keeps what it was born with", () => {
    const [before = {}, after = {}] = [former, next];
    for (const read of [installerOf, releaseOf, kubeletVersion, imagesOf]) {
      expect(read(after)).toEqual(read(before));
    }
    expect(installerOf(after)).toBe(options.installerImage);
    expect(birthValues(after, 14)).toEqual(birthValues(before, 14));
    expect(birthChanges(before, after, 14)).toEqual([]);
    expect(judgeAuthorities(before, after)).toEqual({ problems: [], notes: [] });
    expect(judgeKubernetesPath(before, after)).toEqual({});
    expect([...newerThanApiServer(after, "1.35.0"), ...removedInKubernetes(before, after)]).toEqual(
      [],
    );
    const ineffective = ineffectiveChanges(before, after, { isUpgraded: true, isSynced: true });
    // No document has them: an image is installed already.
    expect(ineffective.filter(({ path }) => !OF_INSTALLATION.test(path))).toEqual([]);
    expect(schemaOfDocuments(documents ?? []).talosMinor).toBe(14);
  });

  it("has the same settings in fields", () => {
    const [before = {}, after = {}] = [former, next];
    const planned = Object.fromEntries(SAME.map((path) => [path, { wayOut: "leave it" }]));
    expect(changedPlannedSettings(before, after, planned)).toEqual([]);
    expect(valueIn(after, "machine.kubelet.extraArgs")).toEqual({ v: "2" });
    const isControlPlane = machineType === "controlplane";
    const { "cluster.network.cni": _, ...inputs } = manifestInputs(after);
    const { "cluster.network.cni": _cni, ...inputsBefore } = manifestInputs(before);
    expect(isControlPlane ? inputs : {}).toMatchObject(isControlPlane ? inputsBefore : {});
  });

  it("gets another image where the form has it", () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.36.1";
    for (const all of [fields, documents]) {
      const patched = applyPatches(
        all ?? [],
        settingPatches(all ?? [], [["machine.kubelet.image", image]]),
      );
      expect(kubeletVersion(fieldsOfDocuments(patched))).toBe("v1.36.1");
      expect(patched.map(({ kind }) => kind)).toEqual((all ?? []).map(({ kind }) => kind));
    }
  });
});

it("gives a control plane's secrets back, in both forms", async () => {
  const inputs = await machineConfigurationInputs();
  for (const versionContract of ["v1.13", "v1.14"]) {
    const made = generateMachineConfig({ ...inputs, ...options, versionContract });
    expect(secretsBundleFromMachineConfig(encodeDocuments(made))).toEqual(inputs.secretsBundle);
  }
});

const OF_INSTALLATION = /^(?:machine\.install\.(?!image)|UnattendedInstallConfig$)/;

/** Settings that both contracts have, with the same meaning. */
const SAME: readonly string[] = [
  "machine.ca",
  "machine.token",
  "machine.certSANs",
  "machine.install.image",
  "machine.type",
  "machine.nodeLabels",
  "machine.sysctls",
  "machine.network.kubespan.enabled",
  "machine.features.kubePrism",
  "machine.features.hostDNS",
  "machine.kubelet.image",
  "cluster.id",
  "cluster.secret",
  "cluster.clusterName",
  "cluster.controlPlane.endpoint",
  "cluster.ca",
  "cluster.aggregatorCA",
  "cluster.serviceAccount",
  "cluster.token",
  "cluster.secretboxEncryptionSecret",
  "cluster.etcd.ca",
  "cluster.discovery.enabled",
  ...["podSubnets", "serviceSubnets", "dnsDomain"].map((key) => `cluster.network.${key}`),
  "cluster.apiServer.certSANs",
  "cluster.apiServer.auditPolicy",
  "cluster.inlineManifests",
  "cluster.extraManifests",
  "cluster.apiServer.admissionControl",
  "cluster.proxy.image",
];
