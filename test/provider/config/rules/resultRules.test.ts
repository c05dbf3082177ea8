import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MachineType } from "../../../../provider/config/machineBasics";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { resultProblems } from "../../../../provider/config/rules/resultRules";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { machineConfigurationHandler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../resources/samples";
import { fillPlaceholders } from "../placeholders";

/** What is wrong with a configuration of contract v1.12 (Kubernetes v1.35) with a patch. */
function problems(machineType: MachineType, patch: string): string[] {
  const file = join(__dirname, "../testdata/generate/v1.12", `${machineType}.yaml`);
  const documents = decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")));
  const schema = talosSchema("v1.12");
  return validateDocuments(applyPatches(documents, [patch], { schema }), { schema }).map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

const kubernetes = (minor: number) => `registry.k8s.io/kube-apiserver:v1.${minor}.0`;

/** A range by patch, on Kubernetes v1.35 if nothing is said, and the beginning of the refusal. */
const ranges: readonly (readonly [patch: string, refusal: string | undefined])[] = [
  ["{network: {serviceSubnets: [10.96.0.0/11]}}", undefined],
  ["{network: {podSubnets: [172.16.0.0/16], serviceSubnets: [10.0.0.0/8]}}", undefined],
  [
    `{network: {serviceSubnets: [10.96.0.0/11]}, apiServer: {image: "${kubernetes(33)}"}}`,
    'serviceSubnets[0]: "10.96.0.0/11" is too big for services: kube-apiserver before Kubernetes 1.34 takes /12 at most',
  ],
  [
    `{network: {serviceSubnets: [10.96.0.0/11]}, apiServer: {image: "${kubernetes(33)}", extraArgs: {feature-gates: "AllAlpha=true,DisableAllocatorDualWrite=true"}}}`,
    undefined,
  ],
  [
    "{network: {serviceSubnets: [10.96.0.0/11]}, apiServer: {extraArgs: {feature_gates: DisableAllocatorDualWrite=false}}}",
    'serviceSubnets[0]: "10.96.0.0/11" is too big for services: kube-apiserver without the feature gate DisableAllocatorDualWrite takes /12 at most',
  ],
  [
    "{network: {serviceSubnets: ['fd00:10:96::/63']}}",
    'serviceSubnets[0]: "fd00:10:96::/63" is too big for services: kube-apiserver takes /64 at most',
  ],
  ["{network: {serviceSubnets: ['fd00:10:96::/64']}}", undefined],
  [
    `{network: {serviceSubnets: ['fd00:10:96::/64']}, apiServer: {image: "${kubernetes(33)}"}}`,
    'serviceSubnets[0]: "fd00:10:96::/64" is too big for services: kube-apiserver before Kubernetes 1.34 takes /108 at most',
  ],
  ["{network: {serviceSubnets: [10.96.0.0/28]}}", undefined],
  [
    "{network: {serviceSubnets: [10.96.0.0/29]}}",
    'serviceSubnets[0]: "10.96.0.0/29" is too small for services: /28 at least, because the tenth address is the one of DNS',
  ],
  [
    "{network: {serviceSubnets: [10.96.0.0/16, 10.97.0.0/16]}}",
    "serviceSubnets: write one network, or two for both IP versions: one of IPv4 and one of IPv6",
  ],
  [
    "{network: {podSubnets: [10.244.0.0/16, 10.245.0.0/16]}}",
    "podSubnets: write one network, or two for both IP versions: one of IPv4 and one of IPv6",
  ],
  ["{network: {podSubnets: [10.244.0.0/24]}}", undefined],
  [
    "{network: {podSubnets: [10.244.0.0/25]}}",
    'podSubnets[0]: "10.244.0.0/25" is too small for pods: each node gets a /24 of it, so /24 at least',
  ],
  [
    "{network: {podSubnets: [10.244.0.0/25]}, controllerManager: {extraArgs: {node-cidr-mask-size: '27'}}}",
    undefined,
  ],
  [
    "{network: {podSubnets: [10.244.0.0/25]}, controllerManager: {extraArgs: {node-cidr-mask-size-ipv6: '80'}}}",
    'podSubnets[0]: "10.244.0.0/25" is too small for pods: each node gets a /24 of it, so /24 at least',
  ],
  [
    "{network: {podSubnets: [10.244.0.0/25]}, controllerManager: {extraArgs: {allocate-node-cidrs: 'false'}}}",
    undefined,
  ],
  [
    "{network: {podSubnets: ['fd00:10:244::/47']}}",
    'podSubnets[0]: "fd00:10:244::/47" is too big for pods: each node gets a /64 of it, so /48 at most',
  ],
  ["{network: {podSubnets: ['fd00:10:244::/48']}}", undefined],
];

test.each(ranges)("the ranges of %s", (cluster, refusal) => {
  const expected = refusal === undefined ? [] : [`cluster.network.${refusal}`];
  expect(problems("controlplane", `cluster: ${cluster}`)).toEqual(expected);
});

test.each<readonly [MachineType, string, string | undefined]>([
  [
    "controlplane",
    "cluster: {apiServer: {extraArgs: {service_cluster_ip_range: 10.50.0.0/16}}}",
    "cluster.apiServer.extraArgs.service_cluster_ip_range: \"10.50.0.0/16\" isn't what cluster.network.serviceSubnets says (10.96.0.0/12), from which Talos takes the address of DNS and the one in the API server's certificate: leave it out, and set cluster.network.serviceSubnets",
  ],
  [
    "controlplane",
    "cluster: {apiServer: {extraArgs: {service-cluster-ip-range: 10.96.0.0/12}}}",
    undefined,
  ],
  [
    "controlplane",
    "cluster: {controllerManager: {extraArgs: {service-cluster-ip-range: 10.96.0.0/12}}}",
    "cluster.controllerManager.extraArgs.service-cluster-ip-range: Talos sets it from cluster.network.serviceSubnets and adds this value, and kube-controller-manager ends with two ranges of one IP version: leave it out, and set cluster.network.serviceSubnets",
  ],
  [
    "controlplane",
    "cluster: {controllerManager: {extraArgs: {cluster-cidr: '10.244.0.0/17,10.50.0.0/16'}}}",
    'cluster.controllerManager.extraArgs.cluster-cidr: "10.50.0.0/16" isn\'t within cluster.network.podSubnets (10.244.0.0/16), by which pod networks and kube-proxy know the addresses of pods: leave it out, and set cluster.network.podSubnets',
  ],
  [
    "controlplane",
    "cluster: {controllerManager: {extraArgs: {cluster-cidr: 10.244.0.0/17}}}",
    undefined,
  ],
  [
    "worker",
    "machine: {kubelet: {extraConfig: {clusterDomain: x.local}}}",
    'machine.kubelet.extraConfig.clusterDomain: "x.local" isn\'t the domain of the cluster\'s DNS, "cluster.local", so pods find no service by its name: leave it out, and set cluster.network.dnsDomain on all machines',
  ],
  ["worker", "machine: {kubelet: {extraArgs: {cluster-domain: cluster.local.}}}", undefined],
  [
    "worker",
    "{cluster: {network: {dnsDomain: x.local}}, machine: {kubelet: {extraConfig: {clusterDomain: x.local}}}}",
    undefined,
  ],
])("what repeats a setting of a %s's cluster says the same: %s", (machineType, patch, refusal) => {
  const config = applyPatches([{ machine: { type: machineType }, cluster: {} }], [patch], {
    schema: talosSchema("v1.12"),
  });
  const found = resultProblems(config, 12).map(({ path, message }) => `${path}: ${message}`);
  expect(found).toEqual(refusal === undefined ? [] : [refusal]);
});

test("a worker's ranges are judged by the control plane, which has the flags for them", () => {
  const patch = "cluster: {network: {podSubnets: [10.244.0.0/25], serviceSubnets: [10.96.0.0/29]}}";
  expect(problems("worker", patch)).toEqual([]);
});

const FORBIDDEN =
  '"node-role.kubernetes.io/worker" is a label that Kubernetes does not let workers set on their own nodes: set it with kubectl or a controller, or use your own name, like "example.com/role"';

test.each<readonly [MachineType, string, string | undefined]>([
  ["worker", "nodeLabels: {node-role.kubernetes.io/worker: '', example.com/a: b}", "nodeLabels"],
  ["worker", "nodeLabels: {node.kubernetes.io/a: b, example.com/a: b}", undefined],
  ["controlplane", "nodeLabels: {node-role.kubernetes.io/worker: ''}", undefined],
])("labels of a %s: %s", (machineType, machine, place) => {
  const expected = `machine.${place}["node-role.kubernetes.io/worker"]: ${FORBIDDEN}`;
  expect(problems(machineType, `machine: {${machine}}`)).toEqual(
    place === undefined ? [] : [expected],
  );
});

test.each<MachineType>(["controlplane", "worker"])("labels by the flag of a %s", (machineType) => {
  const patch = (labels: string) => `machine: {kubelet: {extraArgs: {node-labels: "${labels}"}}}`;
  expect(problems(machineType, patch("example.com/a=b,node-role.kubernetes.io/worker="))).toEqual([
    `machine.kubelet.extraArgs.node-labels: ${FORBIDDEN}`,
  ]);
  expect(problems(machineType, patch("example.com/a=b,node.kubernetes.io/pool=a"))).toEqual([]);
});

const refusedFile = (file: string) =>
  `machine.files[0].path: "${file}" can't be created: Talos creates files below /var only, and a machine with another one restarts in each boot; put it below /var, and mount it from there`;

test.each([
  ["/data/uploads/.keep", "create", true],
  ["/etc/kubernetes/manifests/sub/a.yaml", "create", true],
  ["/variable/a", "create", true],
  ["/var/../etc/hosts", "create", true],
  ["/var", "create", true],
  ["/var/lib/a/", "create", true],
  ["/var/lib/../a", "create", false],
  ["var/a", "create", false],
  ["/etc/hosts", "overwrite", false],
  ["/etc/hosts", "append", false],
  ["/var/lib/a", "create", false],
  ["/etc/kubernetes/manifests/a.yaml", "create", false],
  ["/etc/cri/conf.d/20-customization.part", "create", false],
])("the file %s by %s", (file, op, isRefused) => {
  const patch = `machine: {files: [{path: ${file}, op: ${op}, content: a, permissions: 0o644}]}`;
  expect(problems("worker", patch)).toEqual(isRefused ? [refusedFile(file)] : []);
});

// Which files Talos' image has can't be known.
test.each(["overwrite", "append"])("the file of %s is warned about", async (op) => {
  const patches = (files: string) => [`machine: {files: [${files}]}`];
  const inputs = await machineConfigurationInputs();
  const checked = await machineConfigurationHandler.check(undefined, {
    ...inputs,
    patches: patches(
      `{path: /var/a, op: create, content: a, permissions: 0o644}, {path: /etc/hosts, op: ${op}, content: a, permissions: 0o644}`,
    ),
  });
  expect(checked.failures).toEqual([]);
  expect(checked.warnings).toEqual([
    `machine.files: "${op}" needs the file "/etc/hosts" in Talos' image: without it, a machine restarts in each boot; look with \`talosctl ls\` on a machine of the same Talos before`,
  ]);
});

test("folders that Talos' image has to have are warned about", async () => {
  const mount = (source: string) =>
    `{source: ${source}, destination: /a, type: bind, options: [bind, rw]}`;
  const checked = await machineConfigurationHandler.check(undefined, {
    ...(await machineConfigurationInputs()),
    patches: [
      `machine: {kubelet: {extraMounts: [${mount("/data")}, ${mount("/var/a")}]}, disks: [{device: /dev/sdb, partitions: [{mountpoint: /srv}]}]}`,
      "cluster: {apiServer: {extraVolumes: [{hostPath: /srv/a, mountPath: /a}, {hostPath: /etc/kubernetes/a, mountPath: /b}]}}",
    ],
  });
  expect(checked.failures).toEqual([]);
  const rest = (consequence: string) =>
    `has to be in Talos' image, because nothing can be made there: without it, ${consequence}; use a folder below /var, or look with \`talosctl ls\` on a machine of the same Talos before`;
  expect(checked.warnings).toEqual([
    `machine.kubelet.extraMounts: "/data" ${rest("kubelet never starts")}`,
    `cluster.apiServer.extraVolumes: "/srv/a" ${rest("the component never starts")}`,
    `machine.disks: "/srv" ${rest("the partition is never mounted")}`,
  ]);
});

test.each([
  [
    "KubeNodeConfig",
    'labels: {node-role.kubernetes.io/worker: ""}',
    'labels["node-role.kubernetes.io/worker"]',
  ],
  [
    "KubeletConfig",
    "extraArgs: {node-labels: node-role.kubernetes.io/worker=}",
    "extraArgs.node-labels",
  ],
])("labels of workers in the document %s of Talos v1.14", async (kind, content, path) => {
  const { failures } = await machineConfigurationHandler.check(undefined, {
    ...(await machineConfigurationInputs()),
    machineType: "worker",
    talosVersion: "v1.14.1",
    versionContract: "v1.14",
    patches: [`apiVersion: v1alpha1\nkind: ${kind}\n${content}\n`],
  });
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringContaining(`${kind}: ${path}: "node-role.kubernetes.io/worker" is a label`),
  ]);
});

test("what Talos warns of in a document is a warning of the preview", async () => {
  const checked = await machineConfigurationHandler.check(undefined, {
    ...(await machineConfigurationInputs()),
    talosVersion: "v1.14.1",
    patches: ["apiVersion: v1alpha1\nkind: ContainerConfig\nname: a\nimage: ghcr.io/a/b:1\n"],
  });
  expect(checked.failures).toEqual([]);
  expect(checked.warnings).toEqual([
    "ContainerConfig/a: image has no digest: another image may run after a restart",
  ]);
});
