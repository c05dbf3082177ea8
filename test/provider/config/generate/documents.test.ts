import { isDeepStrictEqual } from "node:util";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { MachineBasics } from "../../../../provider/config/machineBasics";
import {
  type ConfigDocument,
  documentId,
  type YamlValue,
} from "../../../../provider/config/machineConfig";
import { documentWarnings } from "../../../../provider/config/rules/documentWarnings";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { PLACEHOLDERS } from "../../../../provider/config/secrets/placeholder";
import { validateDocuments } from "../../../../provider/config/validate";
import type { SecretsBundle } from "../../../../provider/pki/secretsBundle";
import { placeholderBundle } from "../../../../provider/render/renderUnknown";
import { sharedSecrets } from "../../pki/sharedSecrets";
import { inputWith, type Options } from "./expectGenerated";

const CONTRACT = "v1.14";

let secretsBundle: SecretsBundle;

beforeAll(async () => {
  secretsBundle = await sharedSecrets();
});

/** The documents of a machine, which Talos' rules accept. */
function generate(options: Options): ConfigDocument[] {
  const documents = generateMachineConfig(inputWith(CONTRACT, { secretsBundle, ...options }));
  const { machineType } = options;
  expect(validateDocuments(documents, { schema: talosSchema(CONTRACT), machineType })).toEqual([]);
  return documents;
}

/** The documents that options change, by name; those that they take away are undefined. */
function changesBy(
  options: Options & Pick<MachineBasics, "machineType">,
): Record<string, YamlValue | undefined> {
  const { machineType } = options;
  const before = new Map(generate({ machineType }).map((each) => [documentId(each), each]));
  const after = new Map(generate(options).map((each) => [documentId(each), each]));
  return Object.fromEntries(
    [...new Set([...before.keys(), ...after.keys()])]
      .filter((id) => !isDeepStrictEqual(before.get(id), after.get(id)))
      .map((id) => {
        const { apiVersion, kind, name, ...fields } = after.get(id) ?? { gone: true };
        return [id, after.has(id) ? fields : undefined];
      }),
  );
}

const pem = (base64: string) => Buffer.from(base64, "base64").toString();

/** What each option changes on a control plane, and on a worker. */
const cases: readonly (readonly [string, Options, object, object])[] = [
  [
    "nodeLabels, nodeAnnotations and nodeTaints",
    {
      nodeLabels: { "example.com/a": "b" },
      nodeAnnotations: { note: "c" },
      nodeTaints: { dedicated: "gpu:NoSchedule" },
    },
    {
      KubeNodeConfig: {
        nodeIP: {},
        labels: {
          "example.com/a": "b",
          "node-role.kubernetes.io/control-plane": "",
          "node.kubernetes.io/exclude-from-external-load-balancers": "",
        },
        annotations: { note: "c" },
        taints: {
          dedicated: "gpu:NoSchedule",
          "node-role.kubernetes.io/control-plane": "NoSchedule",
        },
      },
    },
    {
      KubeNodeConfig: { nodeIP: {}, labels: { "example.com/a": "b" }, annotations: { note: "c" } },
      KubeletConfig: {
        image: "ghcr.io/siderolabs/kubelet:v1.32.0",
        config: { registerWithTaints: [{ effect: "NoSchedule", key: "dedicated", value: "gpu" }] },
        defaultRuntimeSeccompProfileEnabled: true,
      },
    },
  ],
  [
    "allowSchedulingOnControlPlanes",
    { allowSchedulingOnControlPlanes: true },
    {
      KubeNodeConfig: {
        nodeIP: {},
        labels: {
          "node-role.kubernetes.io/control-plane": "",
          "node.kubernetes.io/exclude-from-external-load-balancers": "",
        },
      },
    },
    {},
  ],
  [
    "kubeletExtraArgs",
    { kubeletExtraArgs: { "max-pods": "250", "node-labels": ["a=b", "c=d"] } },
    {
      KubeletConfig: {
        image: "ghcr.io/siderolabs/kubelet:v1.32.0",
        config: {},
        extraArgs: { "max-pods": "250", "node-labels": ["a=b", "c=d"] },
        defaultRuntimeSeccompProfileEnabled: true,
      },
    },
    {
      KubeletConfig: expect.objectContaining({
        extraArgs: { "max-pods": "250", "node-labels": ["a=b", "c=d"] },
      }) as unknown,
    },
  ],
  [
    "registerWithFqdn",
    { registerWithFqdn: true },
    { KubeNodeConfig: expect.objectContaining({ registerWithFQDN: true }) as unknown },
    { KubeNodeConfig: { registerWithFQDN: true, nodeIP: {} } },
  ],
  [
    "sysctls and kernelModules",
    {
      sysctls: { "vm.max_map_count": "262144" },
      kernelModules: [{ name: "nvme_tcp", parameters: ["a=1"] }, { name: "br_netfilter" }],
    },
    {
      SysctlConfig: { params: { "vm.max_map_count": "262144" } },
      "KernelModuleConfig/nvme_tcp": { parameters: ["a=1"] },
      "KernelModuleConfig/br_netfilter": {},
    },
    {
      SysctlConfig: { params: { "vm.max_map_count": "262144" } },
      "KernelModuleConfig/nvme_tcp": { parameters: ["a=1"] },
      "KernelModuleConfig/br_netfilter": {},
    },
  ],
  [
    "nameservers and searchDomains, beside the host DNS",
    { nameservers: ["10.0.0.2"], searchDomains: ["example.com"] },
    {
      ResolverConfig: {
        nameservers: [{ address: "10.0.0.2" }],
        searchDomains: { domains: ["example.com"] },
        hostDNS: { enabled: true, forwardKubeDNSToHost: true },
      },
    },
    {
      ResolverConfig: {
        nameservers: [{ address: "10.0.0.2" }],
        searchDomains: { domains: ["example.com"] },
        hostDNS: { enabled: true, forwardKubeDNSToHost: true },
      },
    },
  ],
  [
    "features, changed",
    {
      features: {
        kubePrism: { port: 7446 },
        hostDns: { forwardKubeDnsToHost: false, resolveMemberNames: true },
        kubernetesTalosApiAccess: {
          allowedRoles: ["os:reader"],
          allowedKubernetesNamespaces: ["kube-system"],
        },
      },
    },
    {
      KubePrismConfig: { port: 7446 },
      ResolverConfig: { hostDNS: { enabled: true, resolveMemberNames: true } },
      KubeTalosAPIAccessConfig: {
        allowedRoles: ["os:reader"],
        allowedKubernetesNamespaces: ["kube-system"],
      },
    },
    {
      KubePrismConfig: { port: 7446 },
      ResolverConfig: { hostDNS: { enabled: true, resolveMemberNames: true } },
    },
  ],
  [
    "features, off",
    { features: { kubePrism: { enabled: false }, hostDns: { enabled: false } } },
    { KubePrismConfig: undefined, ResolverConfig: { hostDNS: { enabled: false } } },
    { KubePrismConfig: undefined, ResolverConfig: { hostDNS: { enabled: false } } },
  ],
  [
    "a pod network of one's own",
    { cni: { name: "none" } },
    { KubeFlannelCNIConfig: undefined },
    {},
  ],
  [
    "a pod network from URLs",
    { cni: { name: "custom", urls: ["https://example.com/a.yaml", "https://example.com/b.yaml"] } },
    {
      KubeFlannelCNIConfig: undefined,
      "KubeExternalManifestConfig/custom-cni": { url: "https://example.com/a.yaml" },
      "KubeExternalManifestConfig/custom-cni-2": { url: "https://example.com/b.yaml" },
    },
    {},
  ],
  [
    "kubeProxy",
    { kubeProxy: false },
    {
      KubeProxyConfig: {
        enabled: false,
        image: "registry.k8s.io/kube-proxy:v1.32.0",
        config: {},
      },
    },
    {},
  ],
  [
    "manifests",
    {
      extraManifests: ["https://example.com/a.yaml?token=x"],
      inlineManifests: [{ name: "ns", contents: "kind: Namespace\n" }],
      externalCloudProvider: { manifests: ["https://example.com/ccm.yaml"] },
    },
    {
      v1alpha1: expect.objectContaining({
        cluster: expect.objectContaining({
          externalCloudProvider: { enabled: true, manifests: ["https://example.com/ccm.yaml"] },
        }) as unknown,
      }) as unknown,
      "KubeExternalManifestConfig/extra-manifest-1": { url: "https://example.com/a.yaml?token=x" },
      "KubeInlineManifestConfig/ns": { manifest: "kind: Namespace\n" },
    },
    {
      v1alpha1: expect.objectContaining({
        cluster: expect.objectContaining({ externalCloudProvider: { enabled: true } }) as unknown,
      }) as unknown,
    },
  ],
  [
    "diskEncryption, beside how the volume is mounted",
    { diskEncryption: { ephemeral: [{ nodeId: {} }], state: [{ nodeId: {} }] } },
    {
      "VolumeConfig/EPHEMERAL": {
        encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] },
        mount: { secure: true },
      },
      "VolumeConfig/STATE": { encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] } },
    },
    {
      "VolumeConfig/EPHEMERAL": {
        encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] },
        mount: { secure: true },
      },
      "VolumeConfig/STATE": { encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] } },
    },
  ],
  [
    "secureEphemeral",
    { secureEphemeral: false },
    { "VolumeConfig/EPHEMERAL": { mount: { secure: false } } },
    { "VolumeConfig/EPHEMERAL": { mount: { secure: false } } },
  ],
  [
    "volumes that programs may be started on",
    {
      userVolumes: [
        { name: "engines", volumeType: "directory", secure: false },
        { name: "data", minSize: "1GiB", secure: false },
      ],
    },
    {
      "UserVolumeConfig/engines": { volumeType: "directory", mount: { secure: false } },
      "UserVolumeConfig/data": expect.objectContaining({ mount: { secure: false } }) as unknown,
    },
    {
      "UserVolumeConfig/engines": { volumeType: "directory", mount: { secure: false } },
      "UserVolumeConfig/data": expect.objectContaining({ mount: { secure: false } }) as unknown,
    },
  ],
  [
    "discoveryEndpoint and timeServers",
    { discoveryEndpoint: "https://discovery.example.com", timeServers: ["169.254.169.123"] },
    {
      "DiscoveryServiceConfig/default": { endpoint: "https://discovery.example.com" },
      TimeSyncConfig: { ntp: { servers: ["169.254.169.123"] } },
    },
    {
      "DiscoveryServiceConfig/default": { endpoint: "https://discovery.example.com" },
      TimeSyncConfig: { ntp: { servers: ["169.254.169.123"] } },
    },
  ],
  [
    "names for certificates",
    { certSans: ["a.example.com"], apiServerCertSans: ["b.example.com"] },
    {
      v1alpha1: expect.objectContaining({
        machine: expect.objectContaining({ certSANs: ["a.example.com"] }) as unknown,
      }) as unknown,
      KubeAPIServerConfig: {
        image: "registry.k8s.io/kube-apiserver:v1.32.0",
        certExtraSANs: ["b.example.com"],
      },
    },
    {
      v1alpha1: expect.objectContaining({
        machine: expect.objectContaining({ certSANs: ["a.example.com"] }) as unknown,
      }) as unknown,
    },
  ],
];

test.each(cases)("%s", (_, options, controlPlane, worker) => {
  expect(changesBy({ ...options, machineType: "controlplane" })).toEqual(controlPlane);
  expect(changesBy({ ...options, machineType: "worker" })).toEqual(worker);
});

describe("what machines accept during a rotation", () => {
  const accepted = () => {
    const { k8s, os, k8sserviceaccount } = secretsBundle.certs;
    const key = Buffer.alloc(32, 7).toString("base64");
    return {
      talosCa: [k8s.crt],
      kubernetesCa: [os.crt],
      aggregatorCa: [os.crt],
      serviceAccountKey: [k8sserviceaccount.key],
      secretboxKey: [key],
      bootstrapToken: ["abcdef.0123456789abcdef"],
    };
  };

  test("on control planes", () => {
    const acceptedAuthorities = accepted();
    const { certs, secrets } = secretsBundle;
    const { os, k8s, k8saggregator, k8sserviceaccount } = certs;
    const [key = ""] = acceptedAuthorities.secretboxKey;
    const secretbox = (secret = "") => ({ secretbox: { keys: [{ name: "key2", secret }] } });
    expect(changesBy({ machineType: "controlplane", acceptedAuthorities })).toEqual({
      v1alpha1: expect.objectContaining({
        machine: expect.objectContaining({ acceptedCAs: [{ crt: k8s.crt }] }) as unknown,
      }) as unknown,
      KubeAPIServerCAConfig: {
        issuingCA: { cert: pem(k8s.crt), key: pem(k8s.key) },
        acceptedCAs: [pem(os.crt)],
      },
      KubeAggregatorCAConfig: {
        issuingCA: { cert: pem(k8saggregator.crt), key: pem(k8saggregator.key) },
        acceptedCAs: [pem(os.crt)],
      },
      KubeServiceAccountConfig: {
        issuer: {
          privateKey: pem(k8sserviceaccount.key),
          issuerURL: "https://api.example.com:6443",
        },
        accepted: { publicKeys: [pem(k8sserviceaccount.key)] },
      },
      KubeEtcdEncryptionConfig: {
        config: {
          resources: [
            {
              providers: [secretbox(secrets.secretboxencryptionsecret), secretbox(key)],
              resources: ["secrets"],
            },
          ],
        },
      },
      "KubeInlineManifestConfig/accepted-bootstrap-token-1": {
        manifest: expect.stringContaining("bootstrap-token-abcdef") as unknown,
      },
    });
  });

  test("on workers", () => {
    const acceptedAuthorities = accepted();
    const { os, k8s } = secretsBundle.certs;
    expect(changesBy({ machineType: "worker", acceptedAuthorities })).toEqual({
      v1alpha1: expect.objectContaining({
        machine: expect.objectContaining({ acceptedCAs: [{ crt: k8s.crt }] }) as unknown,
      }) as unknown,
      KubeAPIServerCAConfig: { acceptedCAs: [pem(k8s.crt), pem(os.crt)] },
    });
  });
});

describe("the encryption of etcd's data", () => {
  const providersFor = (secrets: Partial<SecretsBundle["secrets"]>): unknown => {
    const { bootstraptoken } = secretsBundle.secrets;
    const documents = generate({
      machineType: "controlplane",
      secretsBundle: { ...secretsBundle, secrets: { bootstraptoken, ...secrets } },
    });
    const found = documents.find(({ kind }) => kind === "KubeEtcdEncryptionConfig");
    return (found?.config as unknown as { resources: { providers: unknown }[] }).resources[0]
      ?.providers;
  };
  const secretbox = { secretbox: { keys: [{ name: "key2", secret: "c2VjcmV0Ym94" }] } };
  const aescbc = { aescbc: { keys: [{ name: "key1", secret: "YWVz" }] } };

  test("with a secretbox key alone is what Talos writes: nothing else is read", () => {
    expect(providersFor({ secretboxencryptionsecret: "c2VjcmV0Ym94" })).toEqual([secretbox]);
  });

  test("with an AES-CBC key is what Talos rendered before, not a secretbox of that key", () => {
    expect(providersFor({ aescbcencryptionsecret: "YWVz" })).toEqual([aescbc, { identity: {} }]);
    expect(
      providersFor({
        aescbcencryptionsecret: "YWVz",
        secretboxencryptionsecret: "c2VjcmV0Ym94",
      }),
    ).toEqual([secretbox, aescbc, { identity: {} }]);
  });
});

test("are right in a preview too, before the cluster's secrets exist", () => {
  for (const machineType of ["controlplane", "worker"] as const) {
    const [placeholder = ""] = PLACEHOLDERS;
    const documents = generate({ machineType, secretsBundle: placeholderBundle(placeholder) });
    expect(documentWarnings(documents)).toEqual([]);
  }
});
