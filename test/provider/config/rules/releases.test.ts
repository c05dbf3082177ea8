import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { fillPlaceholders } from "../placeholders";

const contracts = new Map(
  ["v1.10", "v1.11", "v1.12"].map((contract) => {
    const file = join(__dirname, "../testdata/generate", contract, "controlplane.yaml");
    return [contract, decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")))];
  }),
);

/** What is wrong with a patched configuration, which is that of the release's contract or the last before. */
function problems(release: string, patch: string): string[] {
  const schema = talosSchema(release);
  const documents = contracts.get(release) ?? contracts.get("v1.12") ?? [];
  return validateDocuments(applyPatches(documents, [patch], { schema }), { schema }).map(
    ({ document, path, message }) =>
      [document, path, message].filter((part) => part !== "").join(": "),
  );
}

/** A release, a patch, and what the configuration is refused for then, if at all. */
const table: readonly (readonly [release: string, patch: string, refusals: readonly string[]])[] = [
  [
    "v1.13",
    "machine: {features: {hostDNS: {enabled: false, forwardKubeDNSToHost: true}}}",
    ["v1alpha1: machine.features.hostDNS.enabled: has to be true for forwardKubeDNSToHost to work"],
  ],
  [
    // Refused from patches all the same, as from options: `resultRules`.
    "v1.12",
    "machine: {features: {hostDNS: {enabled: false, forwardKubeDNSToHost: true}}}",
    [],
  ],
  [
    "v1.13",
    "machine: {install: {extensions: [{image: a}, {image: a}]}}",
    ['v1alpha1: machine.install.extensions[1].image: "a" is there twice: name each extension once'],
  ],
  [
    "v1.12",
    "machine: {disks: [{device: /dev/sdb, partitions: [{mountpoint: /a}, {mountpoint: /b, size: 1GB}]}]}",
    [
      "v1alpha1: machine.disks[0].partitions[0].size: is required: only the last partition can use the remaining space",
    ],
  ],
  [
    "v1.12",
    "machine: {baseRuntimeSpecOverrides: {process: [a]}}",
    [
      "v1alpha1: machine.baseRuntimeSpecOverrides.process: has to be a mapping in an OCI runtime specification, not a list",
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: TimeSyncConfig, ntp: {}, ptp: {}, bootTimeout: -1s}",
    [
      "TimeSyncConfig: ptp: can't be set together with ntp: leave one out",
      'TimeSyncConfig: bootTimeout: "-1s" can\'t be negative',
    ],
  ],
  [
    "v1.12",
    "machine: {kubelet: {image: 'ghcr.io/siderolabs/kubelet:latest'}}",
    [
      'v1alpha1: machine.kubelet.image: "ghcr.io/siderolabs/kubelet:latest" has no version of Kubernetes in it: write one like "ghcr.io/siderolabs/kubelet:v1.35.0"',
    ],
  ],
  [
    "v1.10",
    "machine: {kubelet: {image: 'ghcr.io/siderolabs/kubelet:v1.36.0'}}",
    [
      'v1alpha1: machine.kubelet.image: Kubernetes "1.36.0" is too new for Talos v1.10.6, which runs Kubernetes 1.28 to 1.33: choose a version in that range, or a newer Talos',
    ],
  ],
  [
    "v1.10",
    "machine: {install: {image: 'example.com/installer:own'}, kubelet: {image: 'ghcr.io/siderolabs/kubelet:v1.36.0'}}",
    [
      'v1alpha1: machine.kubelet.image: Kubernetes "1.36.0" is too new for Talos v1.10, which runs Kubernetes 1.28 to 1.33: choose a version in that range, or a newer Talos',
    ],
  ],
  [
    "v1.13",
    "machine: {install: {image: 'ghcr.io/siderolabs/installer:v1.99.0'}, kubelet: {image: 'ghcr.io/siderolabs/kubelet:v1.99.0'}}",
    [
      'v1alpha1: machine.install.image: Talos "v1.99.0" is newer than this release of pulumi-talos-aws, which knows v1.10 to v1.14: install a newer release of the package, or write a release of these',
      'v1alpha1: machine.kubelet.image: Kubernetes "1.99.0" is newer than this release of pulumi-talos-aws knows, 1.28 to 1.37: install a newer release of the package, or choose a version in that range',
    ],
  ],
  [
    "v1.12",
    "cluster: {etcd: {subnet: x}}",
    [
      'v1alpha1: cluster.etcd.subnet: "x" is not a network or address, like 10.0.0.0/8 or !10.0.0.1',
    ],
  ],
  [
    "v1.13",
    "cluster: {network: {cni: {name: none, flannel: {kubeNetworkPoliciesEnabled: true}}}}",
    [
      'v1alpha1: cluster.network.cni.flannel.kubeNetworkPoliciesEnabled: has no effect with the CNI "none": leave it out',
    ],
  ],
  [
    "v1.12",
    "cluster: {network: {cni: {}}}",
    ['v1alpha1: cluster.network.cni.name: is required: "flannel", "custom" or "none"'],
  ],
  [
    "v1.12",
    "cluster: {network: {podSubnets: [10.96.0.0/16]}}",
    [
      'v1alpha1: cluster.network.serviceSubnets[0]: "10.96.0.0/12" overlaps with cluster.network.podSubnets[0], "10.96.0.0/16": pods and services need networks of their own',
    ],
  ],
  [
    "v1.12",
    "cluster: {apiServer: {authorizationConfig: [{type: ABAC}], extraArgs: {authorization-mode: RBAC}}}",
    [
      'v1alpha1: cluster.apiServer.authorizationConfig[0].type: "ABAC" is not allowed: did you mean "RBAC"? It has to be one of "Node", "RBAC", "Webhook"',
      "v1alpha1: cluster.apiServer.authorizationConfig[0].name: is required: it identifies the authorizer",
      "v1alpha1: cluster.apiServer.extraArgs.authorization-mode: can't be set together with authorizationConfig: leave one of them out",
    ],
  ],
  [
    "v1.12",
    "machine: {network: {interfaces: [{interface: bond0, bond: {interfaces: [eth0], mode: active-backup, lacpRate: fast, miimon: 100, updelay: 150, arpIPTarget: [10.0.0.1]}}]}}",
    [
      "v1alpha1: machine.network.interfaces[0].bond.updelay: 150 has to be a multiple of miimon, which is 100",
      "v1alpha1: machine.network.interfaces[0].bond.arpIPTarget: is not supported by Talos: leave it out",
      'v1alpha1: machine.network.interfaces[0].bond.lacpRate: can be set in the mode "802.3ad" only, not in "active-backup"',
    ],
  ],
  [
    "v1.13",
    "machine: {network: {kubespan: {enabled: true}}}\n---\n{apiVersion: v1alpha1, kind: KubeSpanConfig, enabled: true, mtu: 1000, filters: {endpoints: [x]}}",
    [
      "KubeSpanConfig: mtu: 1000 is too small: IPv6 needs at least 1280",
      'KubeSpanConfig: filters.endpoints[0]: "x" is not a network or address, like 10.0.0.0/8 or !10.0.0.1',
      "v1alpha1: machine.network.kubespan: can't be set together with the document KubeSpanConfig: leave it out, or leave the document KubeSpanConfig out",
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: HostnameConfig, auto: off}",
    ['HostnameConfig: says no hostname: set "auto" to "stable", or "hostname"'],
  ],
  ["v1.13", "{apiVersion: v1alpha1, kind: HostnameConfig, auto: off}", []],
  [
    "v1.10",
    "{apiVersion: v1alpha1, kind: VolumeConfig, name: STATE}",
    [
      'VolumeConfig/STATE: name: "STATE" is not a volume of Talos: EPHEMERAL, IMAGECACHE; for another volume use UserVolumeConfig',
    ],
  ],
  ["v1.11", "{apiVersion: v1alpha1, kind: VolumeConfig, name: STATE}", []],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: NetworkRuleConfig, name: a, portSelector: {ports: [80], protocol: tcp}, ingress: [{except: 10.0.0.0/8}]}",
    ["NetworkRuleConfig/a: ingress[0].subnet: is required: who may come in, like 10.0.0.0/8"],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: VolumeConfig, name: EPHEMERAL, provisioning: {diskSelector: {match: 'disks.size > 1u * GB'}}}",
    [
      'VolumeConfig/EPHEMERAL: provisioning.diskSelector.match: there is no variable "disks": did you mean "disk"?',
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: UserVolumeConfig, name: a, provisioning: {diskSelector: {match: 'size > 1u'}, minSize: -1GB}}",
    [
      'UserVolumeConfig/a: provisioning.diskSelector.match: there is no variable "size": an expression about disks can use disk, system_disk',
      'UserVolumeConfig/a: provisioning.minSize: "-1GB" can\'t be negative',
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: ExistingVolumeConfig, name: a, discovery: {volumeSelector: {match: 'vol.name == \"a\"'}}}",
    [
      'ExistingVolumeConfig/a: discovery.volumeSelector.match: there is no variable "vol": an expression about volumes can use volume, disk',
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: LinkAliasConfig, name: a, selector: {match: 'mac(lnk.permanent_addr) == \"a\"'}}",
    ['LinkAliasConfig/a: selector.match: there is no variable "lnk": did you mean "link"?'],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: LinkAliasConfig, name: 'net%d%d', selector: {match: 'true'}}",
    [
      'LinkAliasConfig/net%d%d: name: "net%d%d" has a "%" that is not the number at its end: write it like "net%d"',
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: OOMConfig, triggerExpression: memory_ful_avg10 > 1.0, cgroupRankingExpression: double(clas), sampleInterval: -1s}",
    [
      'OOMConfig: sampleInterval: "-1s" can\'t be negative',
      'OOMConfig: triggerExpression: there is no variable "memory_ful_avg10": did you mean "memory_full_avg10"?',
      'OOMConfig: cgroupRankingExpression: there is no variable "clas": did you mean "class"?',
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: VLANConfig, name: a, vlanID: 5000, addresses: [{address: 0.0.0.0/0}], routes: [{destination: 0.0.0.0/0, gateway: '::'}]}",
    [
      'VLANConfig/a: addresses[0].address: "0.0.0.0/0" is no address that a link can have',
      'VLANConfig/a: routes[0].destination: "0.0.0.0/0" is not allowed here: leave it out for the default route',
      'VLANConfig/a: routes[0].gateway: "::" is no address of a machine: leave it out, or write one',
      "VLANConfig/a: vlanID: 5000 is not the number of a VLAN: 1 to 4094",
      "VLANConfig/a: parent: is required: the link that carries the VLAN",
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: VRFConfig, name: a, table: main}",
    [
      'VRFConfig/a: table: "main" is not a table that a VRF can use: write the number of a table, 1 to 252',
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: BlackholeRouteConfig, name: a}",
    ['BlackholeRouteConfig/a: name: "a" has to be a network in CIDR notation, like 10.0.0.0/8'],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: RoutingRuleConfig, name: '32500', fwMask: 1}",
    [
      'RoutingRuleConfig/32500: name: "32500" has to be the rule\'s priority: a number from 1 to 32765 other than 32500',
      'RoutingRuleConfig/32500: table: is required, unless "action" refuses the packets',
      "RoutingRuleConfig/32500: fwMask: has no effect without fwMark: set that, or leave it out",
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: TCPProbeConfig, name: a, timeout: -1s, failureThreshold: -1}",
    [
      "TCPProbeConfig/a: endpoint: is required: a host and a port, like 10.0.0.1:443",
      'TCPProbeConfig/a: timeout: "-1s" can\'t be negative',
      "TCPProbeConfig/a: failureThreshold: -1 can't be negative",
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: EnvironmentConfig, variables: {1A: b}}",
    [
      'EnvironmentConfig: variables["1A"]: "1A" is not a name for an environment variable: letters, digits and "_", not starting with a digit',
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: ImageVerificationConfig, rules: [{skip: true}, {image: a, skip: true, deny: true}, {image: b, keyless: {}}, {image: c, publicKey: {}}, {image: d}]}",
    [
      "ImageVerificationConfig: rules[0].image: is required: which images the rule is for, like registry.k8s.io/*",
      "ImageVerificationConfig: rules[1]: has several settings: keep only one of skip, deny",
      "ImageVerificationConfig: rules[2].keyless.issuer: is required: the OIDC issuer of the signer",
      "ImageVerificationConfig: rules[2].keyless.subject: is required: the signer; or subjectRegex",
      "ImageVerificationConfig: rules[3].publicKey.certificate: is required: the signing key",
      "ImageVerificationConfig: rules[4]: is empty: set one of skip, deny, keyless, publicKey",
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: ExternalVolumeConfig, name: a_b}",
    [
      'ExternalVolumeConfig/a_b: name: "a_b" is not a name for a volume: 1 to 34 letters, digits and hyphens',
      'ExternalVolumeConfig/a_b: filesystemType: "none" is not allowed: has to be "virtiofs"',
      "ExternalVolumeConfig/a_b: mount.virtiofs.tag: is required: what the host calls the file system",
    ],
  ],
  [
    "v1.13",
    "{apiVersion: v1alpha1, kind: RegistryTLSConfig, name: a, ca: x, clientIdentity: {cert: YQ==, key: YQ==}}",
    [
      'RegistryTLSConfig/a: ca: has to be a certificate in PEM, with a line "-----BEGIN CERTIFICATE-----"',
      'RegistryTLSConfig/a: clientIdentity.cert: has to be a certificate in PEM, with a line "-----BEGIN CERTIFICATE-----"',
      'RegistryTLSConfig/a: clientIdentity.key: has to be a private key in PEM, with a line "-----BEGIN PRIVATE KEY-----"',
    ],
  ],
  [
    "v1.12",
    "{apiVersion: v1alpha1, kind: VolumeConfig, name: EPHEMERAL, encryption: {keys: [{nodeID: {}}]}}",
    ['VolumeConfig/EPHEMERAL: encryption.provider: "none" is not allowed: has to be "luks2"'],
  ],
];

test.each(table)("%s: %s", (release, patch, refusals) => {
  expect(problems(release, patch)).toEqual(refusals);
});
