import { parseAllDocuments } from "yaml";
import { generateMachineConfig } from "../../../../../provider/config/generateMachineConfig";
import type { MachineType } from "../../../../../provider/config/machineBasics";
import type { ConfigDocument } from "../../../../../provider/config/machineConfig";
import { applyPatches } from "../../../../../provider/config/patch";
import { formatPath } from "../../../../../provider/config/path";
import {
  documentsInstead,
  fieldsInstead,
} from "../../../../../provider/config/rules/instead/documentsInstead";
import { replacedSettings } from "../../../../../provider/config/rules/replacedSettings";
import { talosSchema } from "../../../../../provider/config/talosSchemas";
import { validateDocuments } from "../../../../../provider/config/validate";
import { sharedSecrets } from "../../../pki/sharedSecrets";
import { inputWith } from "../../generate/expectGenerated";

const CONTRACT = "v1.14";
const schema = talosSchema(CONTRACT);

const generated = new Map<MachineType, ConfigDocument[]>();

beforeAll(async () => {
  const secretsBundle = await sharedSecrets();
  for (const machineType of ["controlplane", "worker"] as const) {
    const options = { secretsBundle, machineType, kubernetesVersion: "1.37.0" };
    generated.set(machineType, generateMachineConfig(inputWith(CONTRACT, options)));
  }
});

/** What is said of a patch, each as `path: message`. */
function said(machineType: MachineType, patch: string): string[] {
  const patched = applyPatches(generated.get(machineType) ?? [], [patch], { schema });
  return validateDocuments(patched, { schema }).map(({ path, message }) => `${path}: ${message}`);
}

/** The documents that a message shows. */
function shownIn(message: string): string {
  return message.slice(message.indexOf(":\n") + 2);
}

type Case = readonly [patch: string, field: string, ...shown: ConfigDocument[]];

/** A patch written for older contracts, the field that the error is about, and what it shows. */
const cases: readonly Case[] = [
  [
    "machine: {nodeLabels: {a: b}}",
    "machine.nodeLabels",
    { kind: "KubeNodeConfig", labels: { a: "b" } },
  ],
  [
    "machine: {nodeAnnotations: {a: b}}",
    "machine.nodeAnnotations",
    { kind: "KubeNodeConfig", annotations: { a: "b" } },
  ],
  [
    "machine: {nodeTaints: {a: NoSchedule}}",
    "machine.nodeTaints",
    { kind: "KubeNodeConfig", taints: { a: "NoSchedule" } },
  ],
  [
    "cluster: {allowSchedulingOnControlPlanes: true}",
    "cluster.allowSchedulingOnControlPlanes",
    {
      kind: "KubeNodeConfig",
      taints: { "node-role.kubernetes.io/control-plane": { $patch: "delete" } },
    },
  ],
  [
    "machine: {kubelet: {extraArgs: {v: 4}, extraConfig: {maxPods: 200}, nodeIP: {validSubnets: [10.0.0.0/8]}}}",
    "machine.kubelet",
    { kind: "KubeletConfig", extraArgs: { v: "4" }, config: { maxPods: 200 } },
    { kind: "KubeNodeConfig", nodeIP: { validSubnets: ["10.0.0.0/8"] } },
  ],
  [
    "machine: {kubelet: {clusterDNS: [10.96.0.10], defaultRuntimeSeccompProfileEnabled: false, credentialProviderConfig: {apiVersion: kubelet.config.k8s.io/v1, kind: CredentialProviderConfig, providers: []}}}",
    "machine.kubelet",
    {
      kind: "KubeletConfig",
      clusterDNS: ["10.96.0.10"],
      defaultRuntimeSeccompProfileEnabled: false,
    },
    {
      kind: "KubeCredentialProviderConfig",
      configuration: {
        apiVersion: "kubelet.config.k8s.io/v1",
        kind: "CredentialProviderConfig",
        providers: [],
      },
    },
  ],
  [
    "machine: {install: {image: 'factory.talos.dev/aws-installer/abc:v1.14.1', disk: /dev/sdb, wipe: true}}",
    "machine.install",
    {
      kind: "UnattendedInstallConfig",
      installer: { image: "factory.talos.dev/aws-installer/abc:v1.14.1" },
      provisioning: { diskSelector: { match: 'disk.dev_path == "/dev/sdb"' }, wipe: true },
    },
  ],
  [
    "machine: {network: {hostname: node-1}}",
    "machine.network.hostname",
    { kind: "HostnameConfig", auto: "off", hostname: "node-1" },
  ],
  [
    "machine: {network: {nameservers: [10.0.0.2]}}",
    "machine.network.nameservers",
    { kind: "ResolverConfig", nameservers: [{ address: "10.0.0.2" }] },
  ],
  [
    "machine: {network: {searchDomains: [example.com]}}",
    "machine.network.searchDomains",
    { kind: "ResolverConfig", searchDomains: { domains: ["example.com"] } },
  ],
  [
    "machine: {network: {disableSearchDomain: true}}",
    "machine.network.disableSearchDomain",
    { kind: "ResolverConfig", searchDomains: { disableDefault: true } },
  ],
  [
    "machine: {features: {hostDNS: {enabled: true, resolveMemberNames: true}}}",
    "machine.features.hostDNS",
    { kind: "ResolverConfig", hostDNS: { enabled: true, resolveMemberNames: true } },
  ],
  [
    "machine: {features: {kubePrism: {enabled: true, port: 7446}}}",
    "machine.features.kubePrism",
    { kind: "KubePrismConfig", port: 7446 },
  ],
  [
    "machine: {features: {kubePrism: {enabled: false}}}",
    "machine.features.kubePrism",
    { kind: "KubePrismConfig", $patch: "delete" },
  ],
  [
    "cluster: {discovery: {enabled: false}}",
    "cluster.discovery",
    { kind: "DiscoveryServiceConfig", name: "default", $patch: "delete" },
  ],
  [
    "cluster: {discovery: {enabled: true, registries: {service: {endpoint: https://d.example.com}}}}",
    "cluster.discovery",
    { kind: "DiscoveryServiceConfig", name: "default", endpoint: "https://d.example.com" },
  ],
  [
    "cluster: {network: {dnsDomain: corp.internal, podSubnets: [10.128.0.0/16]}}",
    "cluster.network",
    { kind: "KubeNetworkConfig", dnsDomain: "corp.internal", podSubnets: ["10.128.0.0/16"] },
  ],
  [
    "cluster: {network: {cni: {name: none}}}",
    "cluster.network",
    { kind: "KubeFlannelCNIConfig", $patch: "delete" },
  ],
  [
    "cluster: {network: {cni: {name: custom, urls: ['https://example.com/cni.yaml']}}}",
    "cluster.network",
    { kind: "KubeFlannelCNIConfig", $patch: "delete" },
    {
      kind: "KubeExternalManifestConfig",
      name: "custom-cni",
      url: "https://example.com/cni.yaml",
    },
  ],
  [
    "cluster: {network: {cni: {name: flannel, flannel: {extraArgs: [--iface=eth1]}}}}",
    "cluster.network",
    { kind: "KubeFlannelCNIConfig", extraArgs: ["--iface=eth1"] },
  ],
  [
    "cluster: {clusterName: other}",
    "cluster.clusterName",
    { kind: "KubeClusterConfig", clusterName: "other" },
  ],
  [
    "cluster: {controlPlane: {endpoint: 'https://other.example.com:6443', localAPIServerPort: 7443}}",
    "cluster.controlPlane.endpoint",
    { kind: "KubeClusterConfig", endpoint: "https://other.example.com:6443" },
  ],
  [
    "cluster: {controlPlane: {localAPIServerPort: 7443}}",
    "cluster.controlPlane.localAPIServerPort",
    { kind: "KubeAPIServerConfig", apiPort: 7443 },
  ],
  [
    "cluster: {apiServer: {extraArgs: {event-ttl: 3h}, certSANs: [api.example.com], env: {GOGC: '50'}}}",
    "cluster.apiServer",
    {
      kind: "KubeAPIServerConfig",
      extraArgs: { "event-ttl": "3h" },
      env: { GOGC: "50" },
      certExtraSANs: ["api.example.com"],
    },
  ],
  [
    "cluster: {apiServer: {admissionControl: [{name: PodSecurity, configuration: {defaults: {enforce: privileged}}}], auditPolicy: {apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: None}]}}}",
    "cluster.apiServer",
    {
      kind: "KubeAdmissionControlConfig",
      name: "PodSecurity",
      configuration: { defaults: { enforce: "privileged" } },
    },
    {
      kind: "KubeAuditPolicyConfig",
      configuration: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "None" }] },
    },
  ],
  [
    "cluster: {apiServer: {extraArgs: {oidc-issuer-url: 'https://id.example.com', oidc-client-id: k8s, oidc-groups-claim: groups, oidc-required-claim: 'team=ops'}}}",
    "cluster.apiServer",
    {
      kind: "KubeAuthenticationConfig",
      configuration: {
        anonymous: {
          enabled: true,
          conditions: [{ path: "/livez" }, { path: "/readyz" }, { path: "/healthz" }],
        },
        jwt: [
          {
            issuer: { url: "https://id.example.com", audiences: ["k8s"] },
            claimMappings: {
              username: { claim: "sub", prefix: "https://id.example.com#" },
              groups: { claim: "groups", prefix: "" },
            },
            claimValidationRules: [{ claim: "team", requiredValue: "ops" }],
          },
        ],
      },
    },
  ],
  [
    "cluster: {controllerManager: {extraArgs: {v: 4}}}",
    "cluster.controllerManager",
    { kind: "KubeControllerManagerConfig", extraArgs: { v: "4" } },
  ],
  [
    "cluster: {scheduler: {config: {apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}}}",
    "cluster.scheduler",
    {
      kind: "KubeSchedulerConfig",
      config: {
        apiVersion: "kubescheduler.config.k8s.io/v1",
        kind: "KubeSchedulerConfiguration",
      },
    },
  ],
  [
    "machine: {controlPlane: {scheduler: {disabled: true}}}",
    "machine.controlPlane.scheduler",
    { kind: "KubeSchedulerConfig", enabled: false },
  ],
  [
    "machine: {controlPlane: {controllerManager: {disabled: true}}}",
    "machine.controlPlane.controllerManager",
    { kind: "KubeControllerManagerConfig", enabled: false },
  ],
  [
    "cluster: {proxy: {disabled: true}}",
    "cluster.proxy",
    { kind: "KubeProxyConfig", enabled: false },
  ],
  [
    "cluster: {proxy: {mode: nftables}}",
    "cluster.proxy",
    { kind: "KubeProxyConfig", mode: "nftables" },
  ],
  [
    "cluster: {coreDNS: {disabled: true}}",
    "cluster.coreDNS",
    { kind: "KubeCoreDNSConfig", enabled: false },
  ],
];

test.each(cases.map(([patch, field, ...shown]) => ({ patch, field, shown })))(
  "$patch",
  ({ patch, field, shown }) => {
    const message = said("controlplane", patch).find((line) => line.startsWith(`${field}: `)) ?? "";
    expect(message).toContain("is in documents of this configuration");
    const text = shownIn(message);
    expect(parseAllDocuments(text).map((document) => document.toJS() as unknown)).toEqual(
      shown.map((document) => ({ apiVersion: "v1alpha1", ...document })),
    );
    // What is shown can be pasted as it is.
    expect(said("controlplane", text)).toEqual([]);
  },
);

test("one patch without a pod network serves workers too", () => {
  const [message = ""] = said("worker", "cluster: {network: {cni: {name: none}}}");
  expect(said("worker", shownIn(message))).toEqual([]);
});

test("what no document says is named, each with what to do", () => {
  const patch =
    "machine: {kubelet: {extraMounts: [{destination: /a, type: bind, source: /a}]}}\ncluster: {apiServer: {extraArgs: {oidc-signing-algs: RS256, oidc-ca-file: /x}, extraVolumes: [{hostPath: /a, mountPath: /a}]}}";
  const lines = said("controlplane", patch).map((line) =>
    line.replace(/^.*?refuses it here: /, ""),
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      "machine.kubelet.extraMounts has no document: mount a volume with UserVolumeConfig instead",
      "cluster.apiServer.extraArgs.oidc-ca-file is a text there: add its content as jwt[0].issuer.certificateAuthority of KubeAuthenticationConfig; cluster.apiServer.extraArgs.oidc-signing-algs has no document: all algorithms with public keys are accepted; cluster.apiServer.extraVolumes has no document: files of a component come from its own documents",
    ]),
  );
});

test("no secret is shown, and the cluster's keys are the bundle's", async () => {
  const { certs } = await sharedSecrets();
  const { crt, key } = certs.k8s;
  const patch = `cluster: {ca: {crt: ${crt}, key: ${key}}, apiServer: {env: {PASSWORD: hunter2}}}`;
  const lines = said("controlplane", patch);
  expect(lines.join("\n")).not.toContain("hunter2");
  expect(lines.join("\n")).not.toContain(key);
  expect(lines.find((line) => line.startsWith("cluster.ca: "))).toContain(
    "it comes from the secrets bundle, so leave it out",
  );
  expect(lines.find((line) => line.startsWith("cluster.apiServer: "))).toContain(
    "patch KubeAPIServerConfig instead, with your own value for each «secret»",
  );
});

test("each field that a document replaces is known", () => {
  const paths = replacedSettings.map(({ path }) => formatPath(path));
  const outer = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)));
  expect(outer.filter((path) => !fieldsInstead.includes(path))).toEqual([]);
  for (const field of fieldsInstead) {
    expect(documentsInstead(field, null), field).toBeDefined();
  }
});

test("an older contract with a document is told of both", () => {
  const older = generateMachineConfig(inputWith("v1.12", { kubernetesVersion: "1.35.0" }));
  const patch = "apiVersion: v1alpha1\nkind: KubePrismConfig\nport: 7445\n";
  const patched = applyPatches(older, [patch], { schema });
  expect(validateDocuments(patched, { schema })).toContainEqual({
    document: "v1alpha1",
    path: "machine.features.kubePrism",
    message:
      "can't be set together with the document KubePrismConfig: leave it out, or leave the document KubePrismConfig out",
  });
});
