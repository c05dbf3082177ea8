import type { TalosClusterArgs } from "../../../components";
import type { ClusterMachineConfigurationArgs } from "../../../components/cluster/arguments/clusterControlPlaneArgs";
import type {
  ClusterWorkerConfigurationArgs,
  FixedClusterWorkerPoolArgs,
  KarpenterClusterWorkerPoolArgs,
} from "../../../components/cluster/arguments/clusterWorkersArgs";
import { METRICS_SOURCES } from "../../../components/cluster/arguments/talosClusterArgs";
import { ROTATION_STAGES } from "../../../provider/pki/rotation/rotation";

/** Arguments, or some of their members. */
export type Needs = Omit<Partial<TalosClusterArgs>, "network"> & {
  readonly network?: Partial<TalosClusterArgs["network"]>;
};

/** A value of an argument, with the other arguments that it needs. */
interface Cell {
  readonly value: unknown;
  readonly needs: Needs;
}

/** The arguments of one type of the schema, each with its cells. */
export interface CellGroup {
  /** The type's name in the schema. */
  readonly type: string;
  /** The cluster's argument with a value of the type. */
  readonly place: (value: object) => Needs;
  readonly cells: Readonly<Record<string, readonly Cell[]>>;
}

/** Cells of each member. A member without a row doesn't compile. */
type Cells<Args> = { readonly [Name in keyof Args]-?: readonly Cell[] };

const one = (value: unknown, needs: Needs = {}): readonly Cell[] => [{ value, needs }];
const each = (values: readonly unknown[], needs: Needs = {}) =>
  values.flatMap((value) => one(value, needs));

/** The members have cells of their own. */
const INSIDE: readonly Cell[] = [];

/** What the minimal cluster has, and this value can't stand beside. */
const LEFT_OUT = undefined as never;

const kmsKeyArn = "arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
const withNat: Needs = { network: { nat: "single" } };
const ofApps = (apps: object) => ({ workerPools: { apps } }) as Needs;
const privatePool = { subnets: "private", machineCount: 1 } as const;
const karpenter: Needs = {
  irsa: true,
  ...withNat,
  addOns: { cloudController: true, karpenter: true },
};
const certificateAuthority = `-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIQIRi6zePL6mKjOipn+dNuaTAKBggqhkjOPQQDAjASMRAw
DgYDVQQKEwdBY21lIENvMB4XDTE3MTAyMDE5NDMwNloXDTE4MTAyMDE5NDMwNlow
EjEQMA4GA1UEChMHQWNtZSBDbzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABD0d
7VNhbWvZLWPuj/RtHFjvtJBEwOkhbN/BnnE8rnZR8+sbwnc/KhCk3FhnpHZnQz7B
5aETbbIgmuvewdjvSBSjYzBhMA4GA1UdDwEB/wQEAwICpDATBgNVHSUEDDAKBggr
BgEFBQcDATAPBgNVHRMBAf8EBTADAQH/MCkGA1UdEQQiMCCCDmxvY2FsaG9zdDo1
NDUzgg4xMjcuMC4wLjE6NTQ1MzAKBggqhkjOPQQDAgNIADBFAiEA2zpJEPQyz6/l
Wf86aX6PepsntZv2GYlA5UpabfT2EZICICpJ5h/iI+i341gBmLiAFQOyTDT+/wQc
6MF9+Yw1Yy0t
-----END CERTIFICATE-----
`;

const sysctl = { machine: { sysctls: { "vm.max_map_count": "262144" } } };

const KMS_KEY_ARN = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";

const ofCluster: Cells<TalosClusterArgs> = {
  environment: one("staging"),
  domain: one("corp.example.com"),
  clusterName: one("other"),
  talosVersion: INSIDE,
  versionContract: INSIDE,
  contractDefaults: one("v1.11"),
  newDefaults: one(["secureEphemeral"], { contractDefaults: "v1.11" }),
  kubernetesVersion: one("v1.34.2"),
  operatorCidrs: one(["198.51.100.0/24", "203.0.113.7/32"]),
  kubernetesApiCidrs: one(["198.51.100.0/24"]),
  allowWorldToKubernetesApi: one(true),
  exposure: each(["internal", "both", "direct"]),
  talosApiThroughLoadBalancer: one(true, { controlPlane: { delivery: "userData" } }),
  apiHealthCheck: each(["listening", "answering"]),
  loadBalancerIdleTimeoutSeconds: one(600),
  network: INSIDE,
  metrics: one([...METRICS_SOURCES]),
  firewall: INSIDE,
  cni: each(["flannel", "cilium", "calico", "none"]),
  cniManifests: one(["https://example.com/cni.yaml"], { cni: "calico" }),
  kubeSpan: one(true),
  addOns: INSIDE,
  irsa: each([true, { publicKeys: [], webhook: true }, { bucketName: "demo-oidc" }]),
  access: INSIDE,
  recoverFrom: one({ path: "etcd.snapshot" }),
  rotation: INSIDE,
  secretsEncryption: one(
    { pluginImage: "example.com/kms:v1", kmsKeyArns: { 1: KMS_KEY_ARN } },
    { talosVersion: "v1.14.1", versionContract: "v1.14", kubernetesVersion: "v1.37.2" },
  ),
  controlPlane: INSIDE,
  workers: INSIDE,
  workerPools: INSIDE,
  dns: each([{ createZone: true }, { zoneId: "Z0123456789ABCDEFGHIJ" }]),
  loadBalancerDeletionProtection: one(true),
  podCidrs: one(["10.200.0.0/16"]),
  serviceCidrs: one(["10.100.0.0/16"]),
  machineConfiguration: INSIDE,
  patches: one([sysctl]),
  talosconfigRoles: one(["os:reader"]),
  talosconfigLifetimeHours: one(24),
  kubeconfigLifetimeHours: one(24),
  healthGates: one(["etcd"]),
  syncManifests: one(false),
  manifests: one([{ name: "a", contents: "kind: List" }]),
  addOnDelivery: each(["machineConfiguration", "afterBootstrap"], {
    addOns: { ebsCsi: true, metricsServer: true },
  }),
  helm: each([
    {
      web: {
        chart: "web",
        version: "1.2.3",
        repository: "https://charts.example.com",
        repositoryUsername: "reader",
        repositoryPassword: "a-password",
        namespace: "web",
        createNamespace: false,
        values: { replicas: 2 },
        dependsOn: ["certificates"],
        timeoutSeconds: 600,
        atomic: true,
        waitForJobs: true,
      },
      certificates: { chart: "./charts/certificates", skipAwait: true, skipCrds: true },
    },
    { web: { chart: "oci://registry.example.com:5000/web", version: "v1.2.3-rc.1" } },
  ]),
  applyTimeoutSeconds: one(600),
  applySettledSeconds: one(60),
  protect: one(true),
  acceptedChanges: one({ contractDefaults: "v1.12" }),
  tags: one({ team: "platform" }),
  quotas: one({ elasticAddresses: 6 }),
};

const ofNetwork: Cells<TalosClusterArgs["network"]> = {
  cidrBlock: one("10.20.0.0/16"),
  zones: one(["us-east-1a", "us-east-1b"]),
  zoneCount: one(2, { network: { zones: LEFT_OUT } }),
  internetAccess: one(false, {
    exposure: "internal",
    talosApiThroughLoadBalancer: true,
    operatorCidrs: ["10.0.0.0/8"],
    dns: { createZone: true, privateZone: true },
    controlPlane: { subnets: "private", delivery: "userData" },
    machineConfiguration: {
      registryMirrors: { "*": ["https://mirror.example.com"] },
      timeServers: ["169.254.169.123"],
      discovery: false,
    },
    workers: {
      machineConfiguration: {
        registryMirrors: { "*": ["https://mirror.example.com"] },
        timeServers: ["169.254.169.123"],
        discovery: false,
      },
    },
    workerPools: { apps: privatePool },
  }),
  workerCidrBlock: one("100.64.0.0/16", {
    workerPools: { inner: { subnets: "worker", machineCount: 1 } },
    ...withNat,
  }),
  privateSubnets: one(true),
  nat: each(["single", "perZone"], { workerPools: { apps: privatePool } }),
  natZone: one("us-east-1b", withNat),
  ipv6: one(true),
  gatewayEndpoints: one(["s3"]),
  interfaceEndpoints: one(["ec2"], {
    network: { privateSubnets: true },
  }),
  flowLogs: one(true),
  adopt: one(
    {
      vpcId: "vpc-0123456789abcdef0",
      publicSubnetIds: { "us-east-1a": "subnet-0123456789abcdef0" },
    },
    { network: { zones: LEFT_OUT } },
  ),
};

const ofFirewall: Cells<NonNullable<TalosClusterArgs["firewall"]>> = {
  kubeSpanCidrs: one(["198.51.100.0/24"], { kubeSpan: true }),
  allowWorldToKubeSpan: one(true, { kubeSpan: true }),
  ciliumWireGuard: one(true, { cni: "cilium" }),
  monitoring: one(["kubelet", "controlPlane", "nodeExporter"]),
  monitoringFrom: one(
    { vpn: { cidr: "10.9.0.0/16" } },
    { firewall: { monitoring: ["kubelet", "etcd"] } },
  ),
  extraRules: one({
    ingress: {
      group: "controlPlane",
      protocol: "tcp",
      ports: 30_443,
      from: { world: true },
      description: "Ingress",
    },
  }),
  adopt: one({
    controlPlaneGroupId: "sg-0123456789abcdef0",
    workerGroupId: "sg-0123456789abcdef1",
    loadBalancerGroupId: "sg-0123456789abcdef2",
  }),
};

const ofAddOns: Cells<NonNullable<TalosClusterArgs["addOns"]>> = {
  cloudController: each([true, { manifest: "kind: List" }]),
  ebsCsi: each([true, { manifest: "kind: List", hostNetwork: true }]),
  clusterAutoscaler: one(true, {
    addOns: { cloudController: true },
    ...withNat,
    workerPools: {
      scaled: {
        subnets: "private",
        autoScaling: { minSize: 0, maxSize: 2 },
        labels: { "example.com/a": "b" },
        taints: { "example.com/a": "b:NoSchedule" },
      },
    },
  }),
  loadBalancerController: one(true, { addOns: { cloudController: true } }),
  nodeTerminationHandler: one(true),
  externalDns: one({ zoneIds: ["Z0123456789ABCDEFGHIJ"] }),
  servingCertificateApprover: one(true),
  metricsServer: one(true),
  auditLog: one(true),
  cilium: INSIDE,
  etcdBackup: one({ agePublicKey: "none" }),
  nodeProblemDetector: one(true),
  nvidiaDevicePlugin: one(true, {
    workerPools: { gpu: { instanceType: "g5.xlarge", gpu: "nvidia", machineCount: 1 } },
  }),
  flux: one({ url: "https://example.com/fleet.git", path: "clusters/demo" }),
  karpenter: one(true, karpenter),
};

const ofCilium: Cells<
  Exclude<NonNullable<TalosClusterArgs["addOns"]>["cilium"], boolean | undefined>
> = {
  kubeProxyReplacement: each([true, false]),
  wireGuard: one(true),
  hubble: one(true),
  metrics: one(true),
  gatewayApi: one(true),
  manifest: one("kind: List"),
  manifestUrls: one(["https://example.com/cilium.yaml"]),
  replicas: one(1),
  version: one("v1.20.1"),
  images: one({ "cilium-agent": "registry.example.com/cilium:v1" }),
  resources: one({ requests: { cpu: "100m" } }),
  extraArgs: one({ debug: "true" }),
  tolerations: one([{ operator: "Exists" }]),
};

const oidc = { issuerUrl: "https://login.example.com", audiences: ["kubernetes"] };
const aws = {
  issuerUrl: "https://0123456789ab.tokens.sts.global.api.aws",
  roles: { "arn:aws:iam::123456789012:role/operators": ["operators"] },
};

const ofAccess: Cells<NonNullable<TalosClusterArgs["access"]>> = {
  oidc: [
    ...one([oidc]),
    ...one([
      {
        ...oidc,
        usernameClaim: "email",
        usernamePrefix: "o:",
        groupsClaim: "groups",
        groupsPrefix: "g:",
        requiredClaims: { hd: "example.com" },
        certificateAuthority,
      },
      { ...oidc, issuerUrl: "https://other.example.com" },
    ]),
  ],
  aws: each([aws, { ...aws, allowAdministrators: true }]),
  groups: one({ operators: { clusterRole: "view" } }, { access: { oidc: [oidc] } }),
};

const ofRotation = Object.fromEntries(
  Object.entries(ROTATION_STAGES).map(([secret, stages]) => [
    secret,
    each([stages[0], stages.at(-1)].map((stage) => ({ to: 2, stage }))),
  ]),
);

const ofControlPlane: Cells<NonNullable<TalosClusterArgs["controlPlane"]>> = {
  subnets: one("private", {
    ...withNat,
    controlPlane: { delivery: "userData" },
    talosApiThroughLoadBalancer: true,
  }),
  delivery: each(["apply", "userData"]),
  firstContact: one("firstAnswer"),
  machines: one({ "1": { patches: [sysctl] } }),
  role: one({ permissions: { ecrPull: true } }),
  drain: one({ timeoutSeconds: 60 }),
  machineCount: one(1),
  instanceType: one("m7g.large"),
  etcdVolume: each([{ sizeGib: 10 }, { sizeGib: 10, holds: "etcd" }]),
  fixedAddresses: one(true),
  terminationProtection: one(true),
  metadataHopLimit: one(2),
  rootVolumeSizeGib: one(100),
  rootVolume: one({ type: "gp3", iops: 4_000 }),
  kmsKeyId: one(kmsKeyArn),
  detailedMonitoring: one(true),
  cpuCredits: one("standard", { controlPlane: { instanceType: "t3.large" } }),
  imageId: one("ami-0123456789abcdef0"),
  imageOwner: one("123456789012"),
  imageName: one("talos-v1.14.1", { controlPlane: { imageOwner: "123456789012" } }),
};

const ofWorkers: Cells<NonNullable<TalosClusterArgs["workers"]>> = {
  machineConfiguration: INSIDE,
  patches: one([sysctl]),
  role: one({ none: true }),
};

type PoolArgs = Omit<FixedClusterWorkerPoolArgs, "autoScaling" | "karpenter"> &
  Pick<KarpenterClusterWorkerPoolArgs, "karpenter"> & { readonly autoScaling: object };

const ofPool: Cells<PoolArgs> = {
  machineCount: one(3),
  machines: one({ "1": { patches: [sysctl] } }),
  maxUnavailable: one(2),
  drain: one({ timeoutSeconds: 60 }),
  terminationProtection: one(true),
  subnets: one("private", withNat),
  zones: one(["us-east-1a"]),
  ingress: one({ listeners: { https: { port: 443, targetPort: 30_443 } }, allowWorld: true }),
  role: one({ permissions: { ecrPull: true } }),
  labels: one({ "example.com/a": "b" }),
  taints: one({ "example.com/a": "b:NoSchedule" }),
  gpu: one("nvidia", ofApps({ instanceType: "g5.xlarge" })),
  // Its options are those of `workers.machineConfiguration`, before these.
  machineConfiguration: one({
    sysctls: { "vm.max_map_count": "262144" },
    certSans: ["a.example.com"],
  }),
  patches: one([sysctl]),
  tags: one({ team: "apps" }),
  instanceType: one("m7g.large"),
  moreSecurityGroupIds: one(["sg-0123456789abcdef0"]),
  targets: one({
    web: {
      targetGroupArn:
        "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef",
    },
  }),
  dataVolumes: one({ data: { sizeGib: 20 } }),
  placementGroup: one({ strategy: "spread" }),
  capacityReservation: one({
    resourceGroupArn: "arn:aws:resource-groups:us-east-1:123456789012:group/reserved",
  }),
  metadataHopLimit: one(2),
  rootVolumeSizeGib: one(100),
  rootVolume: one({ type: "gp3", iops: 4_000 }),
  kmsKeyId: one(kmsKeyArn),
  detailedMonitoring: one(true),
  cpuCredits: one("standard", ofApps({ instanceType: "t3.large" })),
  imageId: one("ami-0123456789abcdef0"),
  imageOwner: one("123456789012", ofApps({ imageId: LEFT_OUT })),
  imageName: one("talos-v1.14.1", ofApps({ imageId: LEFT_OUT, imageOwner: "123456789012" })),
  autoScaling: one(
    { minSize: 0, maxSize: 2 },
    {
      ...withNat,
      workerPools: { apps: { subnets: "private", machineCount: LEFT_OUT } },
    },
  ),
  karpenter: one(
    { limits: { vcpus: 8 } },
    {
      ...karpenter,
      workerPools: {
        other: { machineCount: 1 },
        apps: {
          subnets: "private",
          machineCount: LEFT_OUT,
          labels: { "example.com/a": "b" },
          taints: { "example.com/a": "b:NoSchedule" },
        },
      },
    },
  ),
};

/** Options of the configuration of workers. */
const ofWorkerOptions: Cells<ClusterWorkerConfigurationArgs> = {
  secureEphemeral: one(true),
  nodeAnnotations: one({ "example.com/a": "b" }),
  kubeProxy: one(false, { cni: "cilium", machineConfiguration: { kubeProxy: false } }),
  certSans: one(["talos.example.com"]),
  dnsDomain: one("corp.internal", {
    machineConfiguration: { dnsDomain: "corp.internal" },
    workers: { machineConfiguration: { dnsDomain: "corp.internal" } },
  }),
  discovery: one(false),
  discoveryEndpoint: one("https://discovery.example.com/"),
  registryMirrors: one({ "docker.io": ["https://mirror.example.com"] }),
  nameservers: one(["10.0.0.2"]),
  searchDomains: one(["example.com"]),
  timeServers: one(["time.example.com"]),
  networkInterfaces: one([{ name: "eth0", dhcp: true, mtu: 1_400 }]),
  sysctls: one({ "vm.max_map_count": "262144" }),
  kernelModules: one([{ name: "nbd", parameters: ["nbds_max=8"] }]),
  kubeletExtraArgs: each([{ v: "2" }, { "max-pods": "60", "rotate-server-certificates": "true" }]),
  registerWithFqdn: one(true),
  externalCloudProvider: one(
    {},
    {
      machineConfiguration: { externalCloudProvider: {} },
      workers: { machineConfiguration: { externalCloudProvider: {} } },
    },
  ),
  diskEncryption: one({ state: [{ nodeId: {} }], ephemeral: [{ nodeId: {} }] }),
  userVolumes: one([{ name: "data", minSize: "10GiB", diskSelector: "!system_disk" }]),
  features: each([
    { kubePrism: { port: 7_446 }, hostDns: { resolveMemberNames: true } },
    { kubePrism: { enabled: false } },
    { hostDns: { enabled: false } },
  ]),
  schematicId: one("376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba"),
  systemExtensions: one(["siderolabs/nvme-cli"]),
  ecrCredentialProvider: one(true),
  extraKernelArgs: one(["console=ttyS0"]),
};

const ofOptions: Cells<ClusterMachineConfigurationArgs> = {
  ...ofWorkerOptions,
  kubeProxy: one(false, { cni: "cilium" }),
  features: [
    ...ofWorkerOptions.features,
    ...one({
      kubernetesTalosApiAccess: {
        allowedRoles: ["os:reader"],
        allowedKubernetesNamespaces: ["kube-system"],
      },
    }),
  ],
  nodeLabels: one({ "example.com/a": "b" }),
  nodeTaints: one({ "example.com/a": "b:NoSchedule" }),
  apiServerCertSans: one(["k8s.example.com"]),
  allowSchedulingOnControlPlanes: each([true, false]),
  extraManifests: one(["https://example.com/a.yaml"]),
  inlineManifests: one([{ name: "a", contents: "kind: List" }]),
};

/** Each argument of a cluster with an example, by the types of the schema. */
export const argumentCells: Readonly<Record<string, CellGroup>> = {
  "": { type: "TalosCluster", place: (value) => value, cells: ofCluster },
  network: { type: "ClusterNetwork", place: (network) => ({ network }), cells: ofNetwork },
  firewall: { type: "ClusterFirewall", place: (firewall) => ({ firewall }), cells: ofFirewall },
  addOns: { type: "ClusterAddOns", place: (addOns) => ({ addOns }), cells: ofAddOns },
  "addOns.cilium": {
    type: "ClusterAddOnsCilium",
    place: (cilium) => ({ addOns: { cilium } }),
    cells: ofCilium,
  },
  access: { type: "ClusterAccess", place: (access) => ({ access }), cells: ofAccess },
  rotation: { type: "Rotation", place: (rotation) => ({ rotation }), cells: ofRotation },
  controlPlane: {
    type: "ClusterControlPlane",
    place: (controlPlane) => ({ controlPlane }),
    cells: ofControlPlane,
  },
  workers: { type: "ClusterWorkers", place: (workers) => ({ workers }), cells: ofWorkers },
  workerPools: { type: "ClusterWorkerPool", place: ofApps, cells: ofPool },
  machineConfiguration: {
    type: "ClusterMachineConfiguration",
    place: (machineConfiguration) => ({ machineConfiguration }),
    cells: ofOptions,
  },
  "workers.machineConfiguration": {
    type: "ClusterWorkerConfiguration",
    place: (machineConfiguration) => ({ workers: { machineConfiguration } }),
    cells: ofWorkerOptions,
  },
};
