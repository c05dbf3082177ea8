import { publicServiceAccountKey } from "../../../../provider/config/generate/acceptedServiceAccountKeys";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { MachineConfigInput } from "../../../../provider/config/machineConfigInput";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import type { SecretsBundle } from "../../../../provider/pki/secretsBundle";
import { sharedSecrets } from "../../pki/sharedSecrets";
import { inputWith, type Options, problemsOf } from "./expectGenerated";

/** What an option can say, in each field that it has: each value makes another configuration. */
interface Option<Value> {
  /** Of machines of both roles. */
  readonly all?: readonly Value[];
  /** Of control planes alone: workers don't run what reads it. */
  readonly controlPlanes?: readonly Value[];
}

/** What isn't an option of the configuration's content. */
type Given = keyof Pick<
  MachineConfigInput,
  | "versionContract"
  | "contractDefaults"
  | "newDefaults"
  | "talosVersion"
  | "machineType"
  | "secretsBundle"
  | "persist"
>;

type Table = {
  readonly [Name in Exclude<keyof MachineConfigInput, Given>]-?: Option<
    NonNullable<MachineConfigInput[Name]>
  >;
};

const link = { name: "net0" };
const route = { gateway: "10.1.0.1" };
const volume = { name: "data", minSize: "10GiB" };
const tpm = (more: object) => ({ ephemeral: [{ tpm: more }] });

const access = (more: object) => ({
  kubernetesTalosApiAccess: {
    allowedRoles: ["os:reader" as const],
    allowedKubernetesNamespaces: ["a"],
    ...more,
  },
});

const KMS_KEY_ARN = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";

/** Each option, with values that differ in one field each. A new option doesn't compile without a row. */
function table({ certs, secrets: { secretboxencryptionsecret = "" } }: SecretsBundle): Table {
  return {
    clusterName: { all: ["other"] },
    endpoint: { all: ["https://other.example.com:6443"] },
    kubernetesVersion: { all: ["1.33.0"] },
    installDisk: { all: ["/dev/nvme0n1"] },
    installerImage: { all: ["factory.talos.dev/aws-installer/abc:v1.14.6"] },
    certSans: { all: [["talos.example.com"]] },
    apiServerCertSans: { controlPlanes: [["k8s.example.com"]] },
    acceptedAuthorities: {
      all: [{ talosCa: [certs.k8s.crt] }, { kubernetesCa: [certs.os.crt] }],
      controlPlanes: [
        { etcdCa: [certs.os.crt] },
        { aggregatorCa: [certs.os.crt] },
        { serviceAccountKey: [publicServiceAccountKey(certs.k8sserviceaccount.key), certs.os.crt] },
        { secretboxKey: [secretboxencryptionsecret, secretboxencryptionsecret.replace(/^./, "0")] },
        { bootstrapToken: ["abcdef.0123456789abcdef"] },
      ],
    },
    secretsEncryption: {
      controlPlanes: [
        { pluginImage: "example.com/kms:v1", providers: [KMS_KEY_ARN, "secretbox"] },
        { pluginImage: "example.com/kms:v1", providers: ["secretbox", KMS_KEY_ARN] },
        { pluginImage: "example.com/kms:v1", providers: [KMS_KEY_ARN] },
        { pluginImage: "example.com/kms:v2", providers: [KMS_KEY_ARN] },
      ],
    },
    dnsDomain: { all: ["corp.internal"] },
    podCidrs: { all: [["10.10.0.0/16"]] },
    serviceCidrs: { all: [["10.11.0.0/16"]] },
    cni: {
      controlPlanes: [
        { name: "none" },
        { name: "custom", urls: ["https://example.com/a.yaml"] },
        { name: "custom", urls: ["https://example.com/b.yaml"] },
      ],
    },
    kubeProxy: { controlPlanes: [false] },
    discovery: { all: [false] },
    discoveryEndpoint: { all: ["https://discovery.example.com"] },
    kubeSpan: { all: [true] },
    registryMirrors: { all: [{ "docker.io": ["https://a.example.com"] }, { "*": [] }] },
    nodeLabels: { all: [{ "example.com/a": "b" }] },
    nodeAnnotations: { all: [{ "example.com/a": "b" }] },
    nodeTaints: { all: [{ "example.com/a": "b:NoSchedule" }] },
    allowSchedulingOnControlPlanes: { controlPlanes: [true] },
    hostname: { all: ["node-1"] },
    nameservers: { all: [["10.0.0.2"]] },
    searchDomains: { all: [["example.com"]] },
    timeServers: { all: [["time.example.com"]] },
    networkInterfaces: {
      all: [
        [link],
        [{ ...link, selector: { macAddress: "06:00:00:00:00:01" } }],
        [{ ...link, selector: { driver: "ena" } }],
        [{ ...link, selector: { busPath: "0000:00:06.0" } }],
        [{ ...link, selector: { pciId: "1D0F:EC20" } }],
        [{ ...link, addresses: ["10.1.0.2/24"] }],
        [{ ...link, dhcp: true }],
        [{ ...link, mtu: 9001 }],
        [{ ...link, routes: [route] }],
        [{ ...link, routes: [{ ...route, destination: "10.20.0.0/16" }] }],
        [{ ...link, routes: [{ ...route, source: "10.1.0.2" }] }],
        [{ ...link, routes: [{ ...route, metric: 5 }] }],
      ],
    },
    sysctls: { all: [{ "vm.max_map_count": "262144" }] },
    kernelModules: { all: [[{ name: "nbd" }], [{ name: "nbd", parameters: ["nbds_max=8"] }]] },
    kubeletExtraArgs: { all: [{ v: "2" }, { "root-dir": "/var/lib/kubelet" }] },
    registerWithFqdn: { all: [true] },
    extraManifests: { controlPlanes: [["https://example.com/a.yaml"]] },
    inlineManifests: {
      controlPlanes: [
        [{ name: "a", contents: "kind: A\n" }],
        [{ name: "a", contents: "kind: B\n" }],
      ],
    },
    externalCloudProvider: {
      all: [{}],
      controlPlanes: [{ manifests: ["https://example.com/a.yaml"] }],
    },
    diskEncryption: {
      all: [
        { state: [{ nodeId: {} }] },
        tpm({}),
        tpm({ checkSecurebootStatusOnEnroll: true }),
        { ephemeral: [{ static: { passphrase: "a" } }] },
        { ephemeral: [{ kms: { endpoint: "https://kms.example.com:4050" } }] },
      ],
    },
    secureEphemeral: { all: [false] },
    userVolumes: {
      all: [
        [volume],
        [{ ...volume, diskSelector: 'disk.transport == "nvme"' }],
        [{ ...volume, maxSize: "20GiB" }],
        [{ ...volume, grow: true }],
        [{ ...volume, filesystem: "ext4" }],
        [{ ...volume, secure: false }],
        [{ ...volume, encryption: [{ nodeId: {} }] }],
        [{ name: "data", volumeType: "disk" }],
        [{ name: "data", volumeType: "directory" }],
      ],
    },
    features: {
      all: [
        { kubePrism: { enabled: false } },
        { kubePrism: { port: 7446 } },
        { hostDns: { enabled: false } },
        { hostDns: { forwardKubeDnsToHost: false } },
        { hostDns: { resolveMemberNames: true } },
      ],
      controlPlanes: [
        access({}),
        access({ allowedRoles: ["os:admin"] }),
        access({ allowedKubernetesNamespaces: ["b"] }),
      ],
    },
  };
}

describe.each<[contract: string, refused: readonly string[], ofControlPlanes: readonly string[]]>([
  // Talos can't do otherwise: each is refused with that reason.
  ["v1.12", ["secureEphemeral", "userVolumes"], ["secretsEncryption"]],
  ["v1.13", [], ["secretsEncryption"]],
  ["v1.14", [], []],
])("of contract %s, each option", (contract, ofAll, ofControlPlanes) => {
  const release = { talosVersion: `${contract}.1`, versionContract: contract };

  it.each(["controlplane", "worker"] as const)("has an effect on a %s", async (machineType) => {
    const secretsBundle = await sharedSecrets();
    const textOf = (options: Options) =>
      encodeDocuments(
        generateMachineConfig(
          inputWith(contract, { ...release, secretsBundle, machineType, ...options }),
        ),
      );
    const idle: string[] = [];
    const refused = new Set<string>();
    for (const [name, { all = [], controlPlanes = [] }] of Object.entries(table(secretsBundle))) {
      const made = new Set([textOf({})]);
      const values: readonly unknown[] =
        machineType === "worker" ? all : [...all, ...controlPlanes];
      for (const value of values) {
        const options: Options = { [name]: value };
        if (problemsOf({ ...release, machineType, ...options }).length > 0) {
          refused.add(name);
          continue;
        }
        const text = textOf(options);
        idle.push(...(made.has(text) ? [`${name}: ${JSON.stringify(value)}`] : []));
        made.add(text);
      }
    }
    const expected = machineType === "worker" ? ofAll : [...ofAll, ...ofControlPlanes];
    expect([...refused].sort()).toEqual([...expected].sort());
    expect(idle).toEqual([]);
  });
});
