import * as pulumi from "@pulumi/pulumi";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import { planCluster } from "../../../../components/cluster/plan/planCluster";
import type { Plan } from "../../../../components/cluster/planned/plan";
import { plannedSettingsOf } from "../../../../components/cluster/planned/plannedSettings";
import type { MachineType } from "../../../../provider";
import { UNKNOWN } from "../../../../provider/base/unknown";
import { machineConfigurationHandler as handler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../../provider/resources/samples";
import { valueOf } from "../../mockedGraph";
import { standardCluster } from "../standardCluster";

const ENDPOINT = "https://k8s.demo.example.com:6443";
const issuer = {
  url: pulumi.output("https://oidc.example.com"),
  keysUrl: pulumi.output("https://oidc.example.com/keys.json"),
};

/** A case: what a cluster plans, what its role's configuration gets, and what it is refused for. */
interface Case {
  readonly role?: MachineType;
  readonly args?: Partial<TalosClusterArgs>;
  readonly plan?: Partial<Plan>;
  readonly options?: object;
  readonly patch?: string;
  readonly machines?: Readonly<Record<string, string>>;
}

/** What a role's configuration is refused for with a patch, as a cluster makes it. */
async function refusals({ role = "controlplane", args, plan, options, patch, machines }: Case) {
  const planned = plannedSettingsOf({
    args: planCluster(chooseAddOns({ ...standardCluster, ...args }), () => pulumi.output("")),
    role,
    clusterName: pulumi.output("demo"),
    endpoint: pulumi.output(ENDPOINT),
    ...plan,
  });
  const given = {
    ...(await machineConfigurationInputs()),
    machineType: role,
    ...options,
    plannedSettings: await valueOf(planned),
    ...(patch !== undefined && { patches: [patch] }),
    ...(machines !== undefined && {
      machinePatches: Object.fromEntries(
        Object.entries(machines).map(([key, each]) => [key, [each]]),
      ),
    }),
  };
  const { failures } = await handler.check(undefined, given);
  // Before there are secrets, it is refused for the same.
  const early = await handler.check(undefined, { ...given, secretsBundle: UNKNOWN as never });
  expect(early.failures.map(({ property }) => property)).toEqual(
    failures.map(({ property }) => property),
  );
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
}

const refused = (path: string, now: string, planned: string, wayOut: string) =>
  `${path}: ${now === "" ? "it would be missing" : `it would be ${now}`}, but everything around the machines is planned for ${planned}: leave it out of patches and transformations, and ${wayOut}`;

const doc = (kind: string, content: string) => `apiVersion: v1alpha1\nkind: ${kind}\n${content}\n`;

describe("a control plane's patch is refused, with the argument to use:", () => {
  it.each<readonly [string, string, string, string]>([
    [
      "cluster: {network: {cni: {name: none}}, proxy: {disabled: true}}",
      ...(["cluster.network.cni.name", '"none"', '"flannel"'] as const),
    ],
    [
      "cluster: {controlPlane: {localAPIServerPort: 443}}",
      "cluster.controlPlane.localAPIServerPort",
      "443",
      "6443",
    ],
    [
      "cluster: {network: {podSubnets: [10.200.0.0/16]}}",
      ...(["cluster.network.podSubnets", '["10.200.0.0/16"]', '["10.244.0.0/16"]'] as const),
    ],
    [
      "cluster: {network: {serviceSubnets: [10.100.0.0/16]}}",
      ...(["cluster.network.serviceSubnets", '["10.100.0.0/16"]', '["10.96.0.0/12"]'] as const),
    ],
    [
      "cluster: {network: {dnsDomain: example.local}}",
      ...(["cluster.network.dnsDomain", '"example.local"', '"cluster.local"'] as const),
    ],
    [
      "cluster: {controlPlane: {endpoint: 'https://10.0.0.1:6443'}}",
      ...(["cluster.controlPlane.endpoint", '"https://10.0.0.1:6443"', `"${ENDPOINT}"`] as const),
    ],
    ["cluster: {clusterName: other}", "cluster.clusterName", '"other"', '"demo"'],
    [
      "cluster: {externalCloudProvider: {enabled: true}}",
      ...(["cluster.externalCloudProvider.enabled", "true", "false"] as const),
    ],
    [
      "cluster: {apiServer: {extraArgs: {secure-port: '443'}}}",
      ...(["cluster.apiServer.extraArgs.secure-port", '"443"', "none"] as const),
    ],
    [
      "cluster: {apiServer: {extraArgs: {secure_port: '443'}}}",
      ...(["cluster.apiServer.extraArgs.secure_port", '"443"', "none"] as const),
    ],
    [
      "cluster: {scheduler: {extraArgs: {secure-port: '1'}}}",
      ...(["cluster.scheduler.extraArgs.secure-port", '"1"', "none"] as const),
    ],
    [
      "cluster: {apiServer: {extraArgs: {advertise-address: 1.2.3.4}}}",
      ...(["cluster.apiServer.extraArgs.advertise-address", '"1.2.3.4"', "none"] as const),
    ],
    [
      "cluster: {etcd: {extraArgs: {advertise-client-urls: 'https://1.2.3.4:2379'}}}",
      "cluster.etcd.extraArgs.advertise-client-urls",
      '"https://1.2.3.4:2379"',
      "none",
    ],
    [
      "cluster: {etcd: {advertisedSubnets: [192.168.0.0/16]}}",
      ...(["cluster.etcd.advertisedSubnets", '["192.168.0.0/16"]', '["10.0.0.0/16"]'] as const),
    ],
    [
      "machine: {kubelet: {nodeIP: {validSubnets: ['!10.0.0.0/8']}}}",
      ...(["machine.kubelet.nodeIP.validSubnets", '["!10.0.0.0/8"]', '["10.0.0.0/16"]'] as const),
    ],
    [
      "machine: {kubelet: {extraArgs: {cloud-provider: external}}}",
      ...(["machine.kubelet.extraArgs.cloud-provider", '"external"', "none"] as const),
    ],
    [
      "machine: {network: {interfaces: [{interface: eth0, dhcp: true, vip: {ip: 10.0.0.9}}]}}",
      ...(["machine.network.interfaces.eth0.vip", "another section", "none"] as const),
    ],
    [
      doc("Layer2VIPConfig", "name: 10.0.0.9\nlink: eth0"),
      ...(["Layer2VIPConfig/10.0.0.9", "another section", "none"] as const),
    ],
    [
      doc("HostnameConfig", 'auto: "off"\nhostname: one'),
      "HostnameConfig.hostname",
      '"one"',
      "none",
    ],
  ])("%s", async (patch, path, now, planned) => {
    const found = await refusals({ patch });
    const start = refused(path, now, planned, "");
    expect(found).toEqual([expect.stringContaining(`patches: ${start}`)]);
    expect(found.join("")).toMatch(/, and (set|keep|leave|use|name|give) /);
  });
});

it("the way of flannel's packets, by a document of Talos v1.14", async () => {
  const options = {
    talosVersion: "v1.14.1",
    versionContract: "v1.14",
    kubernetesVersion: "1.36.0",
  };
  const way = "keep it: the firewall opens 4789/udp between machines, for VXLAN";
  for (const [member, value, usual] of [
    ["backendType", '"wireguard"', '"vxlan"'],
    ["backendPort", "8472", "4789"],
  ] as const) {
    const patch = doc("KubeFlannelCNIConfig", `${member}: ${value}`);
    expect(await refusals({ options, patch })).toEqual([
      `patches: ${refused(`KubeFlannelCNIConfig.${member}`, value, usual, way)}`,
    ]);
  }
});

const KUBE_SPAN = ["true", "false", "set the argument kubeSpan"] as const;

it.each<MachineType>(["controlplane", "worker"])("KubeSpan by a patch of a %s", async (role) => {
  expect(
    await refusals({ role, patch: "machine: {network: {kubespan: {enabled: true}}}" }),
  ).toEqual([`patches: ${refused("machine.network.kubespan.enabled", ...KUBE_SPAN)}`]);
  const options = { talosVersion: "v1.13.0" };
  expect(await refusals({ role, options, patch: doc("KubeSpanConfig", "enabled: true") })).toEqual([
    `patches: ${refused("KubeSpanConfig.enabled", ...KUBE_SPAN)}`,
  ]);
  // A cluster that has it loses it no more easily.
  const plan = {
    args: { kubeSpan: true },
    options: { ...options, versionContract: "v1.13", kubeSpan: true },
  };
  expect(await refusals({ role, ...plan })).toEqual([]);
  expect(await refusals({ role, ...plan, patch: doc("KubeSpanConfig", "$patch: delete") })).toEqual(
    [`patches: ${refused("machine.network.kubespan.enabled", "false", "true", KUBE_SPAN[2])}`],
  );
});

const pool = (more: object) => ({ plan: { pool: { machineCount: 2, ...more }, machineCount: 2 } });
const scaled = {
  args: { addOns: { cloudController: true, clusterAutoscaler: true } },
  plan: { pool: { autoScaling: { minSize: 0, maxSize: 3 } } },
  options: { externalCloudProvider: {}, registerWithFqdn: true },
} as const;
const volume = { name: "data", minSize: "1GiB" };
const KUBE_PROXY_LESS = {
  addOns: { cilium: { manifest: "a: 1", kubeProxyReplacement: true } },
} as const;
const cilium = {
  args: KUBE_PROXY_LESS,
  options: { cni: { name: "none" }, kubeProxy: false },
} as const;

describe("what only some clusters plan by is refused in them:", () => {
  it.each<readonly [string, Case, string]>([
    [
      "another issuer than AWS trusts",
      {
        plan: { issuer },
        patch:
          "cluster: {apiServer: {extraArgs: {service-account-issuer: 'https://a.example.com', service-account-jwks-uri: 'https://oidc.example.com/keys.json', service_account_issuer: 'https://k8s.demo.example.com:6443'}}}",
      },
      "cluster.apiServer.extraArgs.service-account-issuer",
    ],
    [
      "KubePrism elsewhere than Cilium calls it",
      { ...cilium, patch: "machine: {features: {kubePrism: {port: 7446}}}" },
      "machine.features.kubePrism.port",
    ],
    [
      "no KubePrism where Cilium calls it",
      { ...cilium, options: { ...cilium.options, features: { kubePrism: { enabled: false } } } },
      "machine.features.kubePrism.enabled",
    ],
    [
      "a kube-proxy beside Cilium",
      { ...cilium, patch: "cluster: {proxy: {disabled: false}}" },
      "cluster.proxy.disabled",
    ],
    [
      "discovery in a network without internet",
      {
        args: { network: { ...standardCluster.network, internetAccess: false } },
        options: { discovery: false },
        patch: "cluster: {discovery: {enabled: true}}",
      },
      "cluster.discovery.enabled",
    ],
    [
      "labels that the autoscaler doesn't know",
      { role: "worker", ...scaled, patch: "machine: {nodeLabels: {example.com/a: b}}" },
      "machine.nodeLabels",
    ],
    [
      "the same by the kubelet's flag",
      {
        role: "worker",
        ...scaled,
        patch: "machine: {kubelet: {extraArgs: {node-labels: example.com/a=b}}}",
      },
      "machine.kubelet.extraArgs.node-labels",
    ],
    [
      "a node's name that the cloud controller doesn't find",
      {
        role: "worker",
        ...scaled,
        patch: "machine: {kubelet: {registerWithFQDN: false}}",
      },
      "machine.kubelet.registerWithFQDN",
    ],
    [
      "a data volume elsewhere",
      {
        role: "worker",
        ...pool({ dataVolumes: { data: { sizeGib: 10 } } }),
        options: { userVolumes: [volume] },
        patch: doc("UserVolumeConfig", "name: data\nprovisioning: {maxSize: 5GiB}"),
      },
      "UserVolumeConfig/data",
    ],
    [
      "etcd's volume elsewhere",
      {
        args: { controlPlane: { etcdVolume: { sizeGib: 20 } } },
        patch: doc("VolumeConfig", "name: EPHEMERAL\nprovisioning: {maxSize: 5GiB}"),
      },
      "VolumeConfig/EPHEMERAL.provisioning",
    ],
    [
      "workloads on control planes, for which add-ons have no permission",
      {
        args: { addOns: { metricsServer: true } },
        patch: "cluster: {allowSchedulingOnControlPlanes: true}",
      },
      "cluster.allowSchedulingOnControlPlanes",
    ],
    [
      "a manifest of an add-on",
      {
        options: { inlineManifests: [{ name: "cilium", contents: "a: 1" }] },
        patch: "cluster: {inlineManifests: {$patch: delete}}",
      },
      "cluster.inlineManifests",
    ],
    [
      "no name of the load balancer in the certificate",
      {
        options: { certSans: ["k8s.demo.example.com"] },
        patch: "machine: {certSANs: {$patch: delete}}",
      },
      "machine.certSANs",
    ],
  ])("%s", async (_, given, path) => {
    const { patch: _patch, ...without } = given;
    if (given.patch !== undefined && given.plan?.issuer === undefined) {
      expect(await refusals(without)).toEqual([]);
    }
    expect(await refusals(given)).toEqual([
      expect.stringContaining(`patches: ${path}: it would be`),
    ]);
  });
});

it.each<readonly [string, Case]>([
  [
    "the same again",
    { patch: "cluster: {network: {cni: {name: flannel}, podSubnets: [10.244.0.0/16]}}" },
  ],
  ["kube-proxy, which nothing is planned by", { patch: "cluster: {proxy: {disabled: true}}" }],
  ["discovery, with internet", { patch: "cluster: {discovery: {enabled: false}}" }],
  [
    "more names",
    { options: { certSans: ["a.example.com"] }, patch: "machine: {certSANs: [b.example.com]}" },
  ],
  [
    "one more manifest",
    {
      options: { inlineManifests: [{ name: "a", contents: "a: 1" }] },
      patch:
        "cluster: {inlineManifests: [{name: b, contents: 'b: 1'}], extraManifests: ['https://example.com/a.yaml']}",
    },
  ],
  [
    "networks that contain the machines'",
    { patch: "machine: {kubelet: {nodeIP: {validSubnets: [10.0.0.0/8, '::/0']}}}" },
  ],
  [
    "the name of the only machine",
    { plan: { machineCount: 1 }, patch: doc("HostnameConfig", 'auto: "off"\nhostname: one') },
  ],
  [
    "labels, without an autoscaler",
    { role: "worker", patch: "machine: {nodeLabels: {example.com/a: b}}" },
  ],
  [
    "workloads on control planes, without add-ons",
    { patch: "cluster: {allowSchedulingOnControlPlanes: true}" },
  ],
  ["KubePrism, without Cilium", { patch: "machine: {features: {kubePrism: {port: 7446}}}" }],
])("a patch may say %s", async (_, given) => {
  expect(await refusals(given)).toEqual([]);
});

describe("the patches of a single machine", () => {
  it("are refused for what all machines are planned by", async () => {
    const found = await refusals({
      machines: { "1": "cluster: {controlPlane: {localAPIServerPort: 443}}", "2": "debug: true" },
    });
    expect(found).toEqual([
      expect.stringMatching(
        /^machinePatches\["1"\]: cluster\.controlPlane\.localAPIServerPort: it would be 443, /,
      ),
    ]);
  });

  it("may name it, but no two alike", async () => {
    const named = (name: string) => doc("HostnameConfig", `auto: "off"\nhostname: ${name}`);
    expect(await refusals({ machines: { "1": named("a"), "2": named("b") } })).toEqual([]);
    expect(await refusals({ machines: { "1": named("a"), "2": named("a") } })).toEqual([
      'machinePatches["2"]: "a" is the host name of the machine "1" already: give each its own, because Kubernetes knows a machine by it',
    ]);
  });

  it("have no node's name of another, by the flag of the kubelet either", async () => {
    const flag = (name: string) => `machine: {kubelet: {extraArgs: {hostname_override: ${name}}}}`;
    expect(await refusals({ machines: { "1": flag("a"), "2": flag("b") } })).toEqual([]);
    const named = doc("HostnameConfig", `auto: "off"\nhostname: a`);
    for (const one of [flag("a"), named]) {
      expect(await refusals({ machines: { "1": one, "2": flag("a") } })).toEqual([
        'machinePatches["2"]: "a" is the name of the node of the machine "1" already: give each its own, by its host name or the kubelet\'s flag hostname-override, because Kubernetes knows a machine by it',
      ]);
    }
  });

  it("have no name of a worker", async () => {
    const named = doc("HostnameConfig", `auto: "off"\nhostname: a`);
    const options = (otherPatches: object) => ({
      machines: { "1": named },
      options: { otherPatches },
    });
    expect(await refusals(options({ "workerPools.apps": [UNKNOWN] }))).toEqual([]);
    expect(await refusals(options({ "workerPools.apps": ["machine: {network: 1}"] }))).toEqual([]);
    expect(await refusals(options({ "workerPools.apps": [named] }))).toEqual([
      'otherPatches: workerPools.apps: "a" is the host name of the machine "1" already: give each its own, because Kubernetes knows a machine by it',
    ]);
    const other = doc("HostnameConfig", `auto: "off"\nhostname: b`);
    expect(
      await refusals(options({ 'workerPools.a.machines["1"]': [other], "workerPools.b": [other] })),
    ).toEqual([
      'otherPatches: workerPools.b: "b" is the host name of workerPools.a.machines["1"] already: give each its own, because Kubernetes knows a machine by it',
    ]);
  });

  it("of roles with one machine each have no name in common", async () => {
    const patch = doc("HostnameConfig", `auto: "off"\nhostname: a`);
    const otherPatches = { "workerPools.apps": [patch] };
    expect(await refusals({ patch, plan: { machineCount: 1 }, options: { otherPatches } })).toEqual(
      [
        'otherPatches: workerPools.apps: "a" is the host name of the machines of this configuration already: give each its own, because Kubernetes knows a machine by it',
      ],
    );
  });

  it("name no other installer", async () => {
    const patch = "machine: {install: {image: 'ghcr.io/siderolabs/installer:v1.12.1'}}";
    expect(await refusals({ machines: { "1": patch } })).toEqual([
      expect.stringContaining('machinePatches["1"]: machine.install.image: '),
    ]);
  });
});

// A transformation changes the inputs of the child, not what the cluster plans by.
it.each<readonly [string, object]>([
  ["machine.network.kubespan.enabled", { kubeSpan: true, versionContract: "v1.11" }],
  ["KubeSpanConfig.enabled", { kubeSpan: true, versionContract: "v1.13", talosVersion: "v1.13.0" }],
  ["cluster.network.cni.name", { cni: { name: "none" } }],
  ["cluster.network.podSubnets", { podCidrs: ["10.200.0.0/16"] }],
  ["cluster.network.serviceSubnets", { serviceCidrs: ["10.100.0.0/16"] }],
  ["cluster.network.dnsDomain", { dnsDomain: "example.local" }],
  ["cluster.controlPlane.endpoint", { endpoint: "https://10.0.0.1:6443" }],
  ["cluster.clusterName", { clusterName: "other" }],
  ["cluster.externalCloudProvider.enabled", { externalCloudProvider: {} }],
])("a transformation that changes %s is refused", async (path, options) => {
  expect(await refusals({ options })).toEqual([
    expect.stringContaining(`patches: ${path}: it would be`),
  ]);
});
