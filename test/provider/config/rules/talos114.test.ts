import { ConfigError, type ConfigProblem } from "../../../../provider/config/configError";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { MachineType } from "../../../../provider/config/machineBasics";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { deniedFlagPrefixes } from "../../../../provider/config/rules/deniedFlags";
import { documentWarnings } from "../../../../provider/config/rules/documentWarnings";
import { protectedSettings } from "../../../../provider/config/rules/kubeletRules";
import { replacedSettings } from "../../../../provider/config/rules/replacedSettings";
import { CONTROL_PLANE_KINDS } from "../../../../provider/config/rules/wholeConfigRules";
import { newestSchema, talosSchemas } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { generateSecretsBundle } from "../../../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../../../provider/pki/secretsBundle";
import { machinerySources } from "../../talosSources";
import { goldenVerdicts, newerGoldenFolder, platformMode, VALIDATION_MODES } from "../golden";
import { fillRecording } from "../placeholders";

const schema = talosSchemas.get(14) ?? newestSchema;
let secretsBundle: SecretsBundle;

beforeAll(async () => {
  secretsBundle = await generateSecretsBundle();
});

/** A recording with secrets of the right form, as Talos checks certificates and keys. */
function filled(text: string): string {
  const at = (path: string) =>
    path
      .split(".")
      .reduce<unknown>(
        (value, key) => (value as Readonly<Record<string, unknown>>)[key],
        secretsBundle,
      );
  return fillRecording(text, (path) => String(at(path)));
}

function problemsOf(text: string, mode: (typeof VALIDATION_MODES)[number]): string[] {
  return said(() =>
    validateDocuments(decodeDocuments(text, schema), { schema, mode: platformMode(mode) }),
  );
}

/** What is found, or why nothing can be read. */
function said(find: () => readonly ConfigProblem[]): string[] {
  let problems: readonly ConfigProblem[];
  try {
    problems = find();
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    problems = error.problems;
  }
  return problems.map(({ document, path, message }) => `${document}: ${path}: ${message}`);
}

/** What talosctl leaves to the machine, which refuses it. */
const stricter = ["bad-kubernetes-image"];
/** What only the machine can judge: a field of a disk, in CEL. */
const laxer = ["bad-install-selector"];

const verdicts = goldenVerdicts(newerGoldenFolder);

test.skipIf(verdicts.length === 0).each(verdicts)(
  "the verdict of talosctl v1.14.1 on $name",
  ({ name, text, acceptedIn, warnings }) => {
    for (const mode of VALIDATION_MODES) {
      const problems = problemsOf(filled(text), mode);
      const expected = laxer.includes(name) || (acceptedIn[mode] && !stricter.includes(name));
      expect(problems.length === 0, [mode, ...problems].join("\n")).toBe(expected);
    }
    if (acceptedIn.cloud) {
      expect(documentWarnings(decodeDocuments(filled(text), schema))).toHaveLength(warnings);
    }
  },
);

test("there are 38 verdicts, or none", () => {
  expect([0, 38]).toContain(verdicts.length);
});

describe("the tables are those of Talos v1.14.1", () => {
  const source = machinerySources.at(-1);

  test("kinds that conflict with the machine configuration", () => {
    // Volumes have a rule of their own, by name.
    const kinds = [...new Set(replacedSettings.map(({ kind }) => kind)), "VolumeConfig"];
    expect(kinds.sort()).toEqual(source?.conflictingKinds);
  });

  test("kinds for control plane machines", () => {
    expect([...CONTROL_PLANE_KINDS].sort()).toEqual(source?.controlPlaneKinds);
  });

  test("denied beginnings of flags, and settings of kubelet", () => {
    expect([...deniedFlagPrefixes.keys()].sort()).toEqual(source?.deniedFlagPrefixes);
    expect([...protectedSettings].sort()).toEqual(source?.protectedKubeletSettings);
  });
});

/** A configuration of contract v1.12 that a machine of v1.14 reads, with a patch. */
function patched(machineType: MachineType, patch: string): ConfigDocument[] {
  const documents = generateMachineConfig({
    clusterName: "example",
    endpoint: "https://api.example.com:6443",
    machineType,
    secretsBundle,
    versionContract: "v1.12",
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/xvda",
    installerImage: "factory.talos.dev/aws-installer/abc:latest",
  });
  return applyPatches(documents, [patch], { schema });
}

function problemsAfter(machineType: MachineType, patch: string): string[] {
  return said(() => validateDocuments(patched(machineType, patch), { schema }));
}

const document = (kind: string, content: string) =>
  `apiVersion: v1alpha1\nkind: ${kind}\n${content}`;

test.each([
  [
    "a worker with a document for control planes",
    "worker",
    document("KubeCoreDNSConfig", "enabled: false"),
    "KubeCoreDNSConfig: : is for control plane machines only: leave it out on workers",
  ],
  [
    "KubePrism twice",
    "worker",
    document("KubePrismConfig", "port: 7445"),
    "v1alpha1: machine.features.kubePrism: can't be set together with the document KubePrismConfig: leave it out, or leave the document KubePrismConfig out",
  ],
  [
    "a denied flag",
    "controlplane",
    document(
      "KubeAPIServerConfig",
      "image: registry.k8s.io/kube-apiserver:v1.35.0\nextraArgs: {oidc-issuer-url: https://a}",
    ),
    "KubeAPIServerConfig: extraArgs.oidc-issuer-url: can't be set: use the document KubeAuthenticationConfig",
  ],
  [
    "a denied flag that no document has",
    "controlplane",
    document(
      "KubeAPIServerConfig",
      "image: registry.k8s.io/kube-apiserver:v1.35.0\nextraArgs: {oidc-signing-algs: RS256}",
    ),
    "KubeAPIServerConfig: extraArgs.oidc-signing-algs: can't be set: no document has this, leave it out",
  ],
  [
    "an image that this Talos does not run",
    "controlplane",
    document("KubeSchedulerConfig", "image: registry.k8s.io/kube-scheduler:v1.31.0"),
    'KubeSchedulerConfig: image: Kubernetes "1.31.0" is too old for Talos v1.14, which runs Kubernetes 1.32 to 1.37',
  ],
  [
    "a file of Talos",
    "worker",
    document("EtcFileConfig", "name: cri/conf.d/x\ncontents: a"),
    'EtcFileConfig/cri/conf.d/x: name: "cri/conf.d/x" is written by Talos itself',
  ],
  [
    "a file outside /etc",
    "worker",
    document("EtcFileConfig", "name: a/../../x\ncontents: a"),
    "is not a path within /etc",
  ],
  [
    "containers that wait for each other",
    "worker",
    `${document("ContainerConfig", "name: a\nimage: b\ndependsOn: {containers: [b]}")}\n---\n${document("ContainerConfig", "name: b\nimage: b\ndependsOn: {containers: [a]}")}`,
    "ContainerConfig/a: dependsOn.containers: waits for a container that waits for it",
  ],
  [
    "a container of no image",
    "worker",
    document("ContainerConfig", "name: a\nimage: ghcr.io/A/b:1"),
    'ContainerConfig/a: image: "ghcr.io/A/b:1" is not the name of an image',
  ],
  ["a null in a list", "worker", "machine: {disks: [null]}", "machine.disks[0]"],
  [
    "an encrypted protocol without a name",
    "worker",
    document("ResolverConfig", "nameservers: [{address: 10.0.0.1, protocol: DoT}]"),
    "ResolverConfig: nameservers[0].tlsServerName: is required for the protocol DoT",
  ],
  [
    "a name twice for a pair of links",
    "worker",
    document("VethConfig", "name: a\npeer: {name: a}"),
    "has to be another name",
  ],
  [
    "a volume that is no volume of Talos",
    "worker",
    document("VolumeConfig", "name: VAR"),
    "is not a volume of Talos: STATE, EPHEMERAL, IMAGECACHE, ETCD, CRI, KUBELET, LOG",
  ],
  [
    "mount options of a folder",
    "worker",
    document("VolumeConfig", "name: ETCD\nmount: {secure: true}"),
    "VolumeConfig/ETCD: mount: needs provisioning",
  ],
] as const)("refuses %s", (_, machineType, patch, expected) => {
  expect(problemsAfter(machineType, patch).join("\n")).toContain(expected);
});

test.each([
  [
    "a role that came with v1.13",
    "controlplane",
    "machine: {features: {kubernetesTalosAPIAccess: {enabled: true, allowedRoles: ['os:meta:writer']}}}",
  ],
  [
    "etcd on a partition of its own",
    "controlplane",
    document(
      "VolumeConfig",
      "name: ETCD\nprovisioning: {diskSelector: {match: '!system_disk'}, minSize: 2GB}",
    ),
  ],
  [
    "the sysctls of both",
    "worker",
    `machine: {sysctls: {a: "1"}}\n---\n${document("SysctlConfig", "params: {a: '2'}")}`,
  ],
  [
    "a container by its digest",
    "worker",
    document("ContainerConfig", `name: a\nimage: localhost:5000/a/b:1@sha256:${"a".repeat(64)}`),
  ],
  [
    "a container",
    "worker",
    document(
      "ContainerConfig",
      "name: a\nimage: ghcr.io/a/b:1\nresources: {limits: {cpu: 100m, memory: 64MiB}}",
    ),
  ],
] as const)("accepts %s", (_, machineType, patch) => {
  expect(problemsAfter(machineType, patch)).toEqual([]);
});

test.each([
  [
    "KubeNodeConfig",
    "labels: {a: b}",
    "labels lacks node-role.kubernetes.io/control-plane: Talos adds it only where labels are in machine.nodeLabels, so keep it in this document",
  ],
  ["KubeNodeConfig", "skipNodeRegistration: true", undefined],
  [
    "KubeProxyConfig",
    "image: a:v1.35.0\nmode: iptables\nextraArgs: {v: 4}",
    'mode "iptables" is not recommended: leave it out, which is "nftables"',
    "extraArgs may have no effect, because kube-proxy reads a file: write config instead",
  ],
  ["KubeProxyConfig", "enabled: false\nmode: ipvs", undefined],
  [
    "KubeAuthorizerConfig",
    "name: a\ntype: RBAC\nwebhook: {a: b}",
    'webhook has no effect: only the type "Webhook" asks one',
  ],
  [
    "KubeTalosAPIAccessConfig",
    "allowedKubernetesNamespaces: [a]",
    "allowedRoles is empty: nothing may call the Talos API",
  ],
  [
    "ResolverConfig",
    "nameservers: [{address: 1.1.1.1, protocol: DoT, tlsServerName: a}]",
    "nameservers all need the right time, and a machine that boots may need a name to get the time: add one without encryption, or time servers by their addresses",
  ],
  [
    "ResolverConfig",
    "nameservers: [{address: 1.1.1.1, protocol: DoT}, {address: 10.0.0.2}]",
    undefined,
  ],
  [
    "ContainerConfig",
    "name: a\nimage: a/b:1",
    "image has no digest: another image may run after a restart",
  ],
  ["BGPInstanceConfig", "name: a\nlocalASN: 1", "has no neighbors: it does nothing"],
  [
    "UnattendedInstallConfig",
    "provisioning: {diskSelector: {match: system_disk}}",
    "installer.image is missing: Talos is installed only if the machine booted an image of the Image Factory",
  ],
] as const)("warns of %s as Talos does: %s", (kind, content, ...expected) => {
  const [found = {}] = decodeDocuments(document(kind, content), schema);
  const warnings = documentWarnings([{ machine: { type: "controlplane" } }, found]);
  const said = warnings.map((line) => line.replace(/^[^:]*: /, ""));
  expect(said).toEqual(expected.filter((line) => line !== undefined));
});

test("releases before have none of the rules over all documents", () => {
  const documents = [
    { machine: { type: "worker", network: { kubespan: { enabled: true } } }, cluster: {} },
  ];
  const placesOf = (minor: number) =>
    validateDocuments(documents, { schema: talosSchemas.get(minor) }).map(({ document: id }) => id);
  expect(placesOf(13)).not.toContain("");
  expect(placesOf(14)).toContain("");
});
