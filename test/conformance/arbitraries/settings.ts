import fc from "fast-check";
import type { ConfigDocument } from "../../../provider/config/machineConfig";

const word = fc.constantFrom("one", "two", "three", "four");
const truth = fc.boolean();
const flags = fc.dictionary(
  fc.constantFrom("v", "feature-gates", "profiling", "logging-format"),
  fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 2 })),
  { maxKeys: 2 },
);
const env = fc.dictionary(fc.constantFrom("HTTP_PROXY", "NO_PROXY"), word, { maxKeys: 2 });
const object = fc.dictionary(word, fc.oneof(word, truth), { minKeys: 1, maxKeys: 2 });
const labels = fc.dictionary(fc.constantFrom("example.com/pool", "zone", "disk"), word, {
  maxKeys: 2,
});
const taints = fc.dictionary(
  fc.constantFrom("example.com/only", "gpu"),
  fc.constantFrom("NoSchedule", "a:NoExecute"),
  { maxKeys: 1 },
);
const words = fc.array(word, { minLength: 1, maxLength: 2 });
const ranges = fc.constantFrom(["10.244.0.0/16"], ["10.30.0.0/16", "fd00::/56"]);
const endpoint = fc.constantFrom("https://10.5.0.2:6443", "https://api.example.com:6443");

function imageOf(name: string) {
  return fc.constantFrom("v1.36.3", "v1.37.0").map((tag) => `registry.example.com/${name}:${tag}`);
}

function pem(kind: string) {
  return fc
    .constantFrom("QQ==", "Qg==", "Qw==")
    .map((body) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`);
}

const certificate = pem("CERTIFICATE");
const key = pem("EC PRIVATE KEY");
const encoded = (text: string) => Buffer.from(text).toString("base64");

/** A record without some of its members. */
function some(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<ConfigDocument> {
  return fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<ConfigDocument>;
}

const component = (name: string) => ({ image: imageOf(name), extraArgs: flags, env });

const authority = fc.record({ crt: certificate.map(encoded), key: key.map(encoded) });

const machine = some({
  install: some({
    image: fc.constantFrom("factory.talos.dev/aws-installer/abc:v1.14.1", "other:v1.13.9"),
    wipe: truth,
  }),
  kubelet: some({
    image: imageOf("kubelet"),
    clusterDNS: fc.constant(["10.96.0.10"]),
    extraArgs: flags,
    extraConfig: object,
    credentialProviderConfig: object,
    defaultRuntimeSeccompProfileEnabled: truth,
    registerWithFQDN: truth,
    skipNodeRegistration: truth,
    nodeIP: fc.record({ validSubnets: fc.constant(["10.0.0.0/16"]) }),
  }),
  controlPlane: some({
    controllerManager: some({ disabled: truth }),
    scheduler: some({ disabled: truth }),
  }),
  nodeLabels: labels,
  nodeAnnotations: labels,
  nodeTaints: taints,
  sysctls: object.map(textsOf),
  sysfs: object.map(textsOf),
  kernel: some({
    modules: fc.uniqueArray(fc.record({ name: word, parameters: words }), {
      selector: ({ name }) => name,
      maxLength: 2,
    }),
  }),
  udev: some({ rules: words }),
  baseRuntimeSpecOverrides: object,
  network: some({
    hostname: word,
    kubespan: some({ enabled: truth, advertiseKubernetesNetworks: truth }),
  }),
  time: some({ disabled: truth, servers: words }),
  features: some({
    hostDNS: some({ enabled: truth, forwardKubeDNSToHost: truth, resolveMemberNames: truth }),
    imageCache: some({ localEnabled: truth }),
    kubePrism: some({ enabled: truth, port: fc.constantFrom(7445, 7446) }),
    kubernetesTalosAPIAccess: some({
      enabled: truth,
      allowedRoles: fc.constant(["os:reader"]),
      allowedKubernetesNamespaces: words,
    }),
  }),
  pods: fc.array(object, { maxLength: 2 }),
});

const cluster = some({
  id: word,
  secret: word,
  clusterName: word,
  controlPlane: fc.record({ endpoint, localAPIServerPort: fc.constantFrom(6443, 7443) }),
  network: some({
    dnsDomain: fc.constantFrom("cluster.local", "k8s.example.com"),
    podSubnets: ranges,
    serviceSubnets: fc.constant(["10.96.0.0/12"]),
    cni: fc.oneof(
      fc.record({ name: fc.constant("none") }),
      fc.record({
        name: fc.constant("flannel"),
        flannel: some({ extraArgs: words, kubeNetworkPoliciesEnabled: truth }),
      }),
    ),
  }),
  discovery: some({
    enabled: truth,
    registries: some({
      service: some({ disabled: truth, endpoint: fc.constant("https://own.example.com/") }),
    }),
  }),
  ca: authority,
  acceptedCAs: fc.array(fc.record({ crt: certificate.map(encoded) }), { maxLength: 2 }),
  aggregatorCA: authority,
  serviceAccount: fc.record({ key: key.map(encoded) }),
  apiServer: some({
    ...component("kube-apiserver"),
    certSANs: words,
    auditPolicy: object,
    admissionControl: plugins({ configuration: object }),
    authorizationConfig: fc.constant([{ type: "Node", name: "node" }]),
  }),
  controllerManager: some(component("kube-controller-manager")),
  scheduler: some({ ...component("kube-scheduler"), config: object }),
  proxy: some({
    disabled: truth,
    image: imageOf("kube-proxy"),
    mode: fc.constantFrom("nftables", "iptables"),
    extraArgs: flags,
  }),
  coreDNS: some({ disabled: truth, image: imageOf("coredns") }),
  inlineManifests: plugins({ contents: fc.constant("kind: Namespace\n") }),
  extraManifests: fc.constantFrom(
    [],
    ["https://example.com/a.yaml"],
    ["https://example.com/b.yaml"],
  ),
  allowSchedulingOnControlPlanes: truth,
});

function plugins(rest: Record<string, fc.Arbitrary<unknown>>) {
  return fc.uniqueArray(fc.record({ name: word, ...rest }), {
    selector: ({ name }) => name,
    maxLength: 2,
  });
}

function textsOf(values: ConfigDocument): ConfigDocument {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

const issuingCA = fc.record({ cert: certificate, key });
const role = "node-role.kubernetes.io/control-plane";

/** Documents by their kind. Some of them have names: `Kind/name`. */
const kinds: Record<string, fc.Arbitrary<ConfigDocument>> = {
  HostnameConfig: some({ hostname: word }),
  KubeSpanConfig: some({ enabled: truth, advertiseKubernetesNetworks: truth }),
  TimeSyncConfig: some({ enabled: truth, ntp: some({ servers: words }) }),
  // Without `wipe`, the document wipes and the field doesn't: nothing reads it on an installed machine.
  UnattendedInstallConfig: fc.record({
    installer: some({ image: fc.constant("factory.talos.dev/aws-installer/def:v1.14.2") }),
    provisioning: fc.record({ wipe: truth }),
  }),
  ResolverConfig: some({
    hostDNS: some({ enabled: truth, forwardKubeDNSToHost: truth, resolveMemberNames: truth }),
  }),
  SysctlConfig: some({ params: object.map(textsOf) }),
  SysfsConfig: some({ params: object.map(textsOf) }),
  "KernelModuleConfig/one": some({ parameters: words }),
  "KernelModuleConfig/five": some({ parameters: words }),
  UdevRulesConfig: some({ rules: words }),
  CRIBaseRuntimeSpecConfig: some({ overrides: object }),
  ImageCacheConfig: some({ local: some({ enabled: truth }) }),
  DiscoveryIdentityConfig: some({ clusterID: word, clusterSecret: word }),
  "DiscoveryServiceConfig/default": fc.record({
    endpoint: fc.constant("https://one.example.com/"),
  }),
  "DiscoveryServiceConfig/second": fc.record({ endpoint: fc.constant("https://two.example.com/") }),
  KubeletConfig: some({
    image: imageOf("kubelet"),
    config: object,
    extraArgs: flags,
    clusterDNS: fc.constant(["10.96.0.11"]),
    defaultRuntimeSeccompProfileEnabled: truth,
  }),
  KubeCredentialProviderConfig: some({ configuration: object }),
  // Talos adds the role itself to what is in fields, and only warns where a document doesn't have it.
  KubeNodeConfig: fc
    .tuple(
      some({
        skipNodeRegistration: truth,
        registerWithFQDN: truth,
        nodeIP: some({ validSubnets: fc.constant(["10.1.0.0/16"]) }),
        annotations: labels,
      }),
      labels,
      taints,
      truth,
    )
    .map(([rest, more, taint, isTainted]) => ({
      ...rest,
      labels: { ...more, [role]: "" },
      taints: { ...taint, ...(isTainted && { [role]: "NoSchedule" }) },
    })),
  KubePrismConfig: fc.record({ port: fc.constantFrom(7445, 7447) }),
  KubeClusterConfig: fc.record({ clusterName: word, endpoint }),
  KubeNetworkConfig: some({
    dnsDomain: fc.constant("docs.example.com"),
    podSubnets: ranges,
    serviceSubnets: fc.constant(["10.97.0.0/12"]),
  }),
  KubeFlannelCNIConfig: some({
    backendType: fc.constant("vxlan"),
    extraArgs: words,
    kubeNetworkPoliciesEnabled: truth,
  }),
  KubeAPIServerCAConfig: some({ issuingCA, acceptedCAs: fc.array(certificate, { maxLength: 2 }) }),
  KubeAggregatorCAConfig: fc.record({
    issuingCA,
    acceptedCAs: fc.array(certificate, { maxLength: 2 }),
  }),
  KubeServiceAccountConfig: fc.record({
    issuer: fc.record({ privateKey: key, issuerURL: endpoint }),
  }),
  KubeAPIServerConfig: some({
    ...component("kube-apiserver"),
    certExtraSANs: words,
    apiPort: fc.constantFrom(6443, 8443),
  }),
  KubeAuditPolicyConfig: some({ configuration: object }),
  "KubeAdmissionControlConfig/PodSecurity": some({ configuration: object }),
  "KubeAuthorizerConfig/rbac": fc.record({ type: fc.constant("RBAC") }),
  KubeControllerManagerConfig: some({ ...component("kube-controller-manager"), enabled: truth }),
  KubeSchedulerConfig: some({ ...component("kube-scheduler"), enabled: truth, config: object }),
  KubeProxyConfig: some({
    enabled: truth,
    image: imageOf("kube-proxy"),
    mode: fc.constantFrom("nftables", "ipvs"),
    config: object,
    extraArgs: flags,
  }),
  KubeCoreDNSConfig: some({ enabled: truth, image: imageOf("coredns") }),
  KubeTalosAPIAccessConfig: some({
    allowedRoles: fc.constant(["os:etcd:backup"]),
    allowedKubernetesNamespaces: words,
  }),
  "KubeInlineManifestConfig/five": fc.record({ manifest: fc.constant("kind: ConfigMap\n") }),
  "KubeExternalManifestConfig/six": fc.record({ url: fc.constant("https://example.com/c.yaml") }),
  "KubeStaticPodConfig/seven": fc.record({ pod: object }),
};

/** The kinds of documents that are tried. */
export const triedKinds: readonly string[] = Object.keys(kinds).map((id) => id.split("/")[0] ?? "");

/**
 * The documents of a configuration that Talos can read, with settings in fields, in documents and in both.
 * Talos need not accept them.
 */
export const randomSettings: fc.Arbitrary<ConfigDocument[]> = fc
  .tuple(fc.constantFrom("controlplane", "worker"), machine, cluster, some(kinds))
  .map(([type, ofMachine, { serviceAccount, ...ofCluster }, documents]) => [
    {
      version: "v1alpha1",
      machine: { type, ...ofMachine },
      cluster: {
        ...ofCluster,
        // Talos doesn't read it without an endpoint beside it, and refuses the configuration.
        ...(ofCluster.controlPlane !== undefined && { serviceAccount }),
      },
    },
    ...Object.entries(documents).map(([id, document]) => {
      const [kind = "", name] = id.split("/");
      const rest = document as ConfigDocument;
      return { apiVersion: "v1alpha1", kind, ...(name !== undefined && { name }), ...rest };
    }),
  ])
  // As they are read: dictionaries come without a prototype.
  .map((documents) => JSON.parse(JSON.stringify(documents)) as ConfigDocument[]);
