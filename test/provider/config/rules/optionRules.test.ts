import type { InstallerOptions } from "../../../../provider/config/installer/installerImage";
import type { MachineConfigInput } from "../../../../provider/config/machineConfigInput";
import { machineConfigurationHandler as handler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../resources/samples";

type Options = Omit<MachineConfigInput, "installerImage" | "persist" | "secretsBundle"> &
  InstallerOptions;

/** A rule of an option: a value that it refuses, and patches that would bring the same. */
interface Rule {
  readonly option: object;
  /** Each is refused. A text is why no patch can bring it. */
  readonly patches: readonly string[] | string;
  /** Of the machine. Default: a control plane. */
  readonly worker?: boolean;
}

const document = (kind: string, content: string) =>
  `apiVersion: v1alpha1\nkind: ${kind}\n${content}\n`;
const machine = (content: string) => `machine: {${content}}`;
const cluster = (content: string) => `cluster: {${content}}`;

/**
 * Each rule of an option holds for what a patch brings too. An option without a row doesn't compile,
 * and a row without a rule says why there is none.
 */
const rules: Readonly<Record<keyof Options, readonly Rule[] | string>> = {
  clusterName: [
    {
      option: { clusterName: "not a name" },
      patches: [cluster("clusterName: not a name")],
    },
  ],
  endpoint: [
    {
      option: { endpoint: "http://k8s.example.com:6443" },
      patches: [cluster("controlPlane: {endpoint: 'http://k8s.example.com:6443'}")],
    },
  ],
  machineType: [{ option: { machineType: "init" }, patches: [machine("type: init")] }],
  platform: [
    { option: { platform: "moon" }, patches: "a configuration names no platform" },
    {
      option: { platform: undefined },
      patches: [machine("install: {image: 'ghcr.io/siderolabs/installer:v1.12.1'}")],
    },
  ],
  talosVersion: [
    {
      option: { talosVersion: "1.12" },
      patches: [
        machine(`install: {image: 'factory.talos.dev/aws-installer/${"a".repeat(64)}:v1.12.0'}`),
        machine(`install: {image: 'factory.talos.dev/aws-installer/${"a".repeat(64)}'}`),
      ],
    },
  ],
  versionContract: [
    { option: { versionContract: "v0.9" }, patches: "it only chooses how settings are written" },
  ],
  contractDefaults: [
    { option: { contractDefaults: "v1.11" }, patches: "a configuration names no contract" },
  ],
  newDefaults: [
    {
      option: { newDefaults: ["workloadIsolation"] },
      patches: "a configuration names no contract",
    },
  ],
  kubernetesVersion: [
    {
      option: { kubernetesVersion: "1.36.0" },
      patches: [
        machine("kubelet: {image: 'ghcr.io/siderolabs/kubelet:v1.36.0'}"),
        cluster("apiServer: {image: 'registry.k8s.io/kube-apiserver:v1.36.0'}"),
      ],
    },
  ],
  installDisk: [{ option: { installDisk: "xvda" }, patches: [machine("install: {disk: xvda}")] }],
  schematicId: [
    {
      option: { schematicId: "abc" },
      patches: [machine("install: {image: 'factory.talos.dev/aws-installer/abc:v1.12.1'}")],
    },
  ],
  systemExtensions: [
    { option: { systemExtensions: ["not an extension"] }, patches: "a schematic holds them" },
  ],
  ecrCredentialProvider: "any value is right",
  extraKernelArgs: [{ option: { extraKernelArgs: ["a b"] }, patches: "a schematic holds them" }],
  certSans: [
    {
      option: { certSans: ["not a name"] },
      patches: [machine("certSANs: [not a name]")],
    },
  ],
  apiServerCertSans: [
    {
      option: { apiServerCertSans: ["not a name"] },
      patches: [cluster("apiServer: {certSANs: [not a name]}")],
    },
  ],
  dnsDomain: [
    {
      option: { dnsDomain: "not a domain" },
      patches: [cluster("network: {dnsDomain: not a domain}")],
    },
  ],
  podCidrs: [
    {
      option: { podCidrs: ["10.244.0.0"] },
      patches: [cluster("network: {podSubnets: [10.244.0.0]}")],
    },
    {
      option: { podCidrs: ["10.244.0.1/16"] },
      patches: [cluster("network: {podSubnets: [10.244.0.1/16]}")],
    },
    {
      option: { podCidrs: ["10.96.0.0/16"] },
      patches: [cluster("network: {podSubnets: [10.96.0.0/16]}")],
    },
    {
      option: { podCidrs: ["10.244.0.0/25"] },
      patches: [cluster("network: {podSubnets: [10.244.0.0/25]}")],
    },
    {
      option: { podCidrs: ["10.244.0.0/16", "10.245.0.0/16"] },
      patches: [cluster("network: {podSubnets: [10.244.0.0/16, 10.245.0.0/16]}")],
    },
    {
      option: { podCidrs: ["fd00:10:244::/56"], serviceCidrs: ["10.96.0.0/12"] },
      patches: [cluster("network: {podSubnets: ['fd00:10:244::/56']}")],
    },
    {
      option: { podCidrs: ["10.244.0.0/23"], nodeCount: 3 },
      patches: [cluster("network: {podSubnets: [10.244.0.0/23]}")],
    },
  ],
  serviceCidrs: [
    {
      option: { serviceCidrs: ["10.96.0.1/12"] },
      patches: [cluster("network: {serviceSubnets: [10.96.0.1/12]}")],
    },
    {
      option: { serviceCidrs: ["10.96.0.0/29"] },
      patches: [cluster("network: {serviceSubnets: [10.96.0.0/29]}")],
    },
    {
      option: { serviceCidrs: ["10.96.0.0/11"], kubernetesVersion: "1.33.0" },
      patches: [cluster("network: {serviceSubnets: [10.96.0.0/11]}")],
    },
  ],
  registryMirrors: [
    {
      option: { registryMirrors: { "https://docker.io": ["https://a.example.com"] } },
      patches: [
        machine(
          "registries: {mirrors: {'https://docker.io': {endpoints: ['https://a.example.com']}}}",
        ),
        document(
          "RegistryMirrorConfig",
          "name: https://docker.io\nendpoints: [{url: 'https://a.example.com'}]",
        ),
      ],
    },
    {
      option: { registryMirrors: { "docker.io": ["a.example.com"] } },
      patches: [
        machine("registries: {mirrors: {docker.io: {endpoints: [a.example.com]}}}"),
        document("RegistryMirrorConfig", "name: docker.io\nendpoints: [{url: a.example.com}]"),
      ],
    },
    {
      option: { registryMirrors: { "docker.io": ["https://me:secret@a.example.com"] } },
      patches: [
        machine(
          "registries: {mirrors: {docker.io: {endpoints: ['https://me:secret@a.example.com']}}}",
        ),
        document(
          "RegistryMirrorConfig",
          "name: docker.io\nendpoints: [{url: 'https://me:secret@a.example.com'}]",
        ),
      ],
    },
  ],
  hostname: [
    {
      option: { hostname: "Machine_1" },
      patches: [
        document("HostnameConfig", 'auto: "off"\nhostname: Machine_1'),
        "- {op: add, path: /machine/network/hostname, value: Machine_1}",
      ],
    },
    {
      option: { hostname: "a".repeat(64) },
      patches: [document("HostnameConfig", `auto: "off"\nhostname: ${"a".repeat(64)}`)],
    },
  ],
  discovery: "any value is right",
  discoveryEndpoint: [
    {
      option: { discoveryEndpoint: "discovery.example.com" },
      patches: [cluster("discovery: {registries: {service: {endpoint: discovery.example.com}}}")],
    },
  ],
  kubeSpan: [
    {
      option: { kubeSpan: true, discovery: false },
      patches: [
        `${machine("network: {kubespan: {enabled: true}}")}\n${cluster("discovery: {enabled: false}")}`,
      ],
    },
  ],
  nameservers: [
    {
      option: { nameservers: ["dns.example.com"] },
      patches: [
        machine("network: {nameservers: [dns.example.com]}"),
        document("ResolverConfig", "nameservers: [{address: dns.example.com}]"),
      ],
    },
  ],
  searchDomains: [
    {
      option: { searchDomains: ["not a domain"] },
      patches: [
        machine("network: {searchDomains: [not a domain]}"),
        document("ResolverConfig", "searchDomains: {domains: [not a domain]}"),
      ],
    },
  ],
  timeServers: [
    {
      option: { timeServers: ["not a server"] },
      patches: [
        machine("time: {servers: [not a server]}"),
        document("TimeSyncConfig", "ntp: {servers: [not a server]}"),
      ],
    },
  ],
  networkInterfaces: [
    {
      option: { networkInterfaces: [{ name: "a name that is too long" }] },
      patches: [
        machine("network: {interfaces: [{interface: a name that is too long, dhcp: true}]}"),
        document("LinkConfig", "name: a name that is too long"),
        document("DHCPv4Config", "name: a name that is too long"),
      ],
    },
    {
      option: { networkInterfaces: [{ name: "eth1", addresses: ["10.0.0.5/33"] }] },
      patches: [
        machine("network: {interfaces: [{interface: eth1, addresses: [10.0.0.5/33]}]}"),
        document("LinkConfig", "name: eth1\naddresses: [{address: 10.0.0.5/33}]"),
      ],
    },
    {
      option: { networkInterfaces: [{ name: "eth1", mtu: 40 }] },
      patches: [
        machine("network: {interfaces: [{interface: eth1, mtu: 40}]}"),
        document("LinkConfig", "name: eth1\nmtu: 40"),
      ],
    },
    {
      option: { networkInterfaces: [{ name: "eth1", routes: [{ gateway: "router" }] }] },
      patches: [
        machine("network: {interfaces: [{interface: eth1, routes: [{gateway: router}]}]}"),
        document("LinkConfig", "name: eth1\nroutes: [{gateway: router}]"),
      ],
    },
    {
      option: {
        networkInterfaces: [
          { name: "eth1", routes: [{ destination: "10.0.0.0/8", gateway: "fd00::1" }] },
        ],
      },
      patches: [
        machine(
          "network: {interfaces: [{interface: eth1, routes: [{network: 10.0.0.0/8, gateway: 'fd00::1'}]}]}",
        ),
        document(
          "LinkConfig",
          "name: eth1\nroutes: [{destination: 10.0.0.0/8, gateway: 'fd00::1'}]",
        ),
      ],
    },
  ],
  diskEncryption: [
    {
      option: { diskEncryption: { state: [] } },
      patches: [
        machine("systemDiskEncryption: {state: {provider: luks2, keys: []}}"),
        document("VolumeConfig", "name: STATE\nencryption: {provider: luks2}"),
      ],
    },
    {
      option: { diskEncryption: { state: [{ kms: { endpoint: "kms.example.com" } }] } },
      patches: [
        machine(
          "systemDiskEncryption: {state: {provider: luks2, keys: [{slot: 0, kms: {endpoint: kms.example.com}}]}}",
        ),
        document(
          "VolumeConfig",
          "name: STATE\nencryption: {provider: luks2, keys: [{slot: 0, kms: {endpoint: kms.example.com}}]}",
        ),
      ],
    },
    {
      option: { diskEncryption: { state: [{ static: { passphrase: "" } }] } },
      patches: [
        machine(
          "systemDiskEncryption: {state: {provider: luks2, keys: [{slot: 0, static: {passphrase: ''}}]}}",
        ),
        document(
          "VolumeConfig",
          "name: STATE\nencryption: {provider: luks2, keys: [{slot: 0, static: {passphrase: ''}}]}",
        ),
      ],
    },
  ],
  secureEphemeral: [
    {
      option: { secureEphemeral: false },
      patches: [document("VolumeConfig", "name: EPHEMERAL\nmount: {secure: false}")],
    },
  ],
  userVolumes: [
    {
      option: { userVolumes: [{ name: "data", minSize: "1GiB", secure: false }] },
      patches: [
        document(
          "UserVolumeConfig",
          "name: data\nprovisioning: {diskSelector: {match: '!system_disk'}, minSize: 1GiB}\nmount: {secure: false}",
        ),
      ],
    },
    {
      option: { userVolumes: [{ name: "not a name", minSize: "1GiB" }] },
      patches: [
        document(
          "UserVolumeConfig",
          "name: not a name\nprovisioning: {diskSelector: {match: '!system_disk'}, minSize: 1GiB}",
        ),
      ],
    },
    {
      option: { userVolumes: [{ name: "data" }] },
      patches: [
        document(
          "UserVolumeConfig",
          "name: data\nprovisioning: {diskSelector: {match: '!system_disk'}}",
        ),
      ],
    },
    {
      option: { userVolumes: [{ name: "data", minSize: "2GiB", maxSize: "1GiB" }] },
      patches: [
        document(
          "UserVolumeConfig",
          "name: data\nprovisioning: {diskSelector: {match: '!system_disk'}, minSize: 2GiB, maxSize: 1GiB}",
        ),
      ],
    },
    {
      option: { userVolumes: [{ name: "data", minSize: "1GiB", diskSelector: "disk.size >" }] },
      patches: [
        document(
          "UserVolumeConfig",
          "name: data\nprovisioning: {diskSelector: {match: 'disk.size >'}, minSize: 1GiB}",
        ),
      ],
    },
    {
      option: { userVolumes: [{ name: "data", minSize: "1GiB", filesystem: "zfs" }] },
      patches: [
        document(
          "UserVolumeConfig",
          "name: data\nprovisioning: {diskSelector: {match: '!system_disk'}, minSize: 1GiB}\nfilesystem: {type: zfs}",
        ),
      ],
    },
  ],
  nodeLabels: [
    {
      option: { nodeLabels: { "not a name": "a" } },
      patches: [
        machine("nodeLabels: {not a name: a}"),
        machine("kubelet: {extraArgs: {node-labels: not a name=a}}"),
      ],
    },
    {
      option: { nodeLabels: { a: "not a value" } },
      patches: [
        machine("nodeLabels: {a: not a value}"),
        machine("kubelet: {extraArgs: {node-labels: a=not a value}}"),
      ],
    },
    {
      option: { nodeLabels: { "node-role.kubernetes.io/worker": "" } },
      patches: [
        machine("nodeLabels: {node-role.kubernetes.io/worker: ''}"),
        machine("kubelet: {extraArgs: {node-labels: node-role.kubernetes.io/worker=}}"),
      ],
      worker: true,
    },
  ],
  nodeAnnotations: [
    {
      option: { nodeAnnotations: { "not a name": "a" } },
      patches: [machine("nodeAnnotations: {not a name: a}")],
    },
    {
      option: { nodeAnnotations: { "talos.dev/owned-labels": "a" } },
      patches: [machine("nodeAnnotations: {talos.dev/owned-labels: a}")],
    },
  ],
  nodeTaints: [
    {
      option: { nodeTaints: { a: "Never" } },
      patches: [
        machine("nodeTaints: {a: Never}"),
        machine("kubelet: {extraConfig: {registerWithTaints: [{key: a, effect: Never}]}}"),
        machine("kubelet: {extraArgs: {register-with-taints: 'a=:Never'}}"),
      ],
    },
    {
      option: { nodeTaints: { "not a name": "NoSchedule" } },
      patches: [
        machine("nodeTaints: {not a name: NoSchedule}"),
        machine(
          "kubelet: {extraConfig: {registerWithTaints: [{key: not a name, effect: NoSchedule}]}}",
        ),
        machine("kubelet: {extraArgs: {register-with-taints: 'not a name=:NoSchedule'}}"),
      ],
    },
  ],
  allowSchedulingOnControlPlanes: "any value is right",
  sysctls: [
    { option: { sysctls: { swappiness: "1" } }, patches: [machine("sysctls: {swappiness: '1'}")] },
    {
      option: { sysctls: { "vm.swappiness": " " } },
      patches: [machine("sysctls: {vm.swappiness: ' '}")],
    },
  ],
  kernelModules: [
    {
      option: { kernelModules: [{ name: "nvme_tcp.ko.xz" }] },
      patches: [machine("kernel: {modules: [{name: nvme_tcp.ko.xz}]}")],
    },
    {
      option: { kernelModules: [{ name: "nvme_tcp" }, { name: "nvme_tcp" }] },
      patches: [
        "- {op: add, path: /machine/kernel, value: {modules: [{name: nvme_tcp}, {name: nvme_tcp}]}}",
      ],
    },
  ],
  kubeletExtraArgs: [
    {
      option: { kubeletExtraArgs: { kubeconfig: "/a" } },
      patches: [machine("kubelet: {extraArgs: {kubeconfig: /a}}")],
    },
    {
      option: { kubeletExtraArgs: { "--max-pods": "200" } },
      patches: [machine("kubelet: {extraArgs: {--max-pods: '200'}}")],
    },
    {
      option: { kubeletExtraArgs: { "max-pods": ["1", "2"] } },
      patches: [machine("kubelet: {extraArgs: {max-pods: ['1', '2']}}")],
    },
  ],
  registerWithFqdn: "any value is right",
  features: [
    {
      option: { features: { kubePrism: { port: 70_000 } } },
      patches: [machine("features: {kubePrism: {port: 70000}}")],
    },
    {
      option: { features: { hostDns: { enabled: false, forwardKubeDnsToHost: true } } },
      patches: [machine("features: {hostDNS: {enabled: false, forwardKubeDNSToHost: true}}")],
    },
    {
      option: {
        features: {
          kubernetesTalosApiAccess: { allowedRoles: ["os:root"], allowedKubernetesNamespaces: [] },
        },
      },
      patches: [
        machine("features: {kubernetesTalosAPIAccess: {enabled: true, allowedRoles: ['os:root']}}"),
      ],
    },
    {
      option: {
        features: {
          kubernetesTalosApiAccess: {
            allowedRoles: ["os:reader"],
            allowedKubernetesNamespaces: ["Not One"],
          },
        },
      },
      patches: [
        machine(
          "features: {kubernetesTalosAPIAccess: {enabled: true, allowedRoles: ['os:reader'], allowedKubernetesNamespaces: [Not One]}}",
        ),
      ],
    },
  ],
  cni: [
    {
      option: { cni: { name: "cilium" } },
      patches: [cluster("network: {cni: {name: cilium}}")],
    },
    {
      option: { cni: { name: "custom" } },
      patches: [cluster("network: {cni: {name: custom}}")],
    },
    {
      option: { cni: { name: "none", urls: ["https://example.com/a.yaml"] } },
      patches: [cluster("network: {cni: {name: none, urls: ['https://example.com/a.yaml']}}")],
    },
    {
      option: { cni: { name: "custom", urls: ["a.yaml"] } },
      patches: [cluster("network: {cni: {name: custom, urls: [a.yaml]}}")],
    },
  ],
  kubeProxy: "any value is right",
  extraManifests: [
    { option: { extraManifests: ["a.yaml"] }, patches: [cluster("extraManifests: [a.yaml]")] },
  ],
  inlineManifests: [
    {
      option: { inlineManifests: [{ name: " ", contents: "a: 1" }] },
      patches: [cluster("inlineManifests: [{name: ' ', contents: 'a: 1'}]")],
    },
    {
      option: {
        inlineManifests: [
          { name: "a", contents: "a: 1" },
          { name: "a", contents: "a: 2" },
        ],
      },
      patches: [
        cluster("inlineManifests: [{name: a, contents: 'a: 1'}, {name: a, contents: 'a: 2'}]"),
      ],
    },
  ],
  externalCloudProvider: [
    {
      option: { externalCloudProvider: { manifests: ["a.yaml"] } },
      patches: [cluster("externalCloudProvider: {enabled: true, manifests: [a.yaml]}")],
    },
  ],
  acceptedAuthorities: "any value is right",
  secretsEncryption: [
    {
      option: {
        secretsEncryption: { pluginImage: "example.com/kms", providers: ["alias/secrets"] },
      },
      patches: "patches can't set the document: ownedDocuments",
    },
  ],
};

async function failures(given: object): Promise<readonly string[]> {
  const inputs = await machineConfigurationInputs();
  const { failures: found } = await handler.check(undefined, { ...inputs, ...given });
  return found.map(({ property, reason }) => `${property}: ${reason}`);
}

const cases = Object.entries(rules).flatMap(([name, rows]) =>
  typeof rows === "string" ? [] : rows.map((row, index) => [`${name} ${index + 1}`, row] as const),
);

describe("a rule of an option", () => {
  it.each(cases)("holds for the option %s, and for its patches", async (_, rule) => {
    const machineType = rule.worker === true ? "worker" : "controlplane";
    const refused = await failures({ machineType, ...rule.option });
    expect(refused).not.toEqual([]);
    expect(refused.join()).not.toContain("me:secret");
    const { kubernetesVersion, nodeCount, versionContract } = rule.option as Partial<
      Record<string, unknown>
    >;
    const setting = {
      ...(kubernetesVersion === "1.33.0" && { kubernetesVersion }),
      ...(nodeCount !== undefined && { nodeCount }),
      ...(versionContract === "v1.11" && { versionContract }),
    };
    for (const patch of typeof rule.patches === "string" ? [] : rule.patches) {
      // A JSON patch changes a single document.
      const contract = patch.startsWith("-") ? { versionContract: "v1.11" } : {};
      const told = await failures({ machineType, ...setting, ...contract, patches: [patch] });
      expect({ patch, told }).toEqual({
        patch,
        told: [expect.stringMatching(/^patches: |^podCidrs: /)],
      });
      expect(told.join()).not.toContain("me:secret");
    }
  });
});
