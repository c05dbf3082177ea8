import {
  birthChanges,
  birthValues,
  deviations,
  recordedBirth,
  wholeBirth,
} from "../../../../provider/config/birth/birthSettings";
import { changeEffects } from "../../../../provider/config/effects/changeEffects";
import { NOT_MADE_YET } from "../../../../provider/config/effects/outline";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";

const controlPlane = (cluster: ConfigDocument, more: ConfigDocument = {}): ConfigDocument => ({
  machine: { type: "controlplane" },
  cluster,
  ...more,
});
const network = (settings: ConfigDocument): ConfigDocument => controlPlane({ network: settings });
const volume = (id: string, settings: ConfigDocument): ConfigDocument =>
  controlPlane({}, { [id]: settings });
const endpoint = (url: string, apiServer: ConfigDocument = {}): ConfigDocument =>
  controlPlane({ controlPlane: { endpoint: url }, apiServer });
const issuer = (url: string, former?: string): ConfigDocument => ({
  extraArgs: {
    "service-account-issuer": url,
    ...(former !== undefined && { service_account_issuer: former }),
  },
});
const luks = { provider: "luks2", keys: [{ slot: 0 }] };
const MARK = "«secret hmac:11111111»";
const keys = (...items: readonly ConfigDocument[]): ConfigDocument => ({
  encryption: { provider: "luks2", keys: [...items] },
});
const legacy = (place: string): ConfigDocument => ({
  machine: { type: "worker", systemDiskEncryption: { [place]: luks } },
});

function linesOf(before: ConfigDocument, after: ConfigDocument): readonly string[] {
  return birthChanges(before, after, 12).map(
    ({ path, before: old, after: now }) => `${path}: ${old} → ${now}`,
  );
}

describe("a running machine keeps", () => {
  it.each<[string, ConfigDocument, ConfigDocument, string]>([
    [
      "the ranges of pods",
      network({ podSubnets: ["10.244.0.0/16", "fd00::/48"] }),
      network({ podSubnets: ["10.200.0.0/16", "fd00::/48"] }),
      "cluster.network.podSubnets: 10.244.0.0/16, fd00::/48 → 10.200.0.0/16, fd00::/48",
    ],
    [
      "Talos' default range",
      network({}),
      network({ podSubnets: ["10.200.0.0/16"] }),
      "cluster.network.podSubnets: 10.244.0.0/16 → 10.200.0.0/16",
    ],
    [
      "the ranges of services",
      network({ serviceSubnets: ["10.97.0.0/16"] }),
      network({}),
      "cluster.network.serviceSubnets: 10.97.0.0/16 → 10.96.0.0/12",
    ],
    [
      "the domain",
      network({}),
      network({ dnsDomain: "k8s.example" }),
      "cluster.network.dnsDomain: cluster.local → k8s.example",
    ],
    [
      "the domain of another document",
      { KubeNetworkConfig: { dnsDomain: "a.local" } },
      { KubeNetworkConfig: { dnsDomain: "b.local" } },
      "KubeNetworkConfig.dnsDomain: a.local → b.local",
    ],
    [
      "the endpoint",
      endpoint("https://a:6443"),
      endpoint("https://b:6443"),
      "cluster.controlPlane.endpoint: https://a:6443 → https://b:6443",
    ],
    [
      "the cluster's name",
      controlPlane({ clusterName: "a" }),
      controlPlane({ clusterName: "b" }),
      "cluster.clusterName: a → b",
    ],
    [
      "the cluster's secret",
      controlPlane({ secret: "«secret sha256:11111111»" }),
      controlPlane({ secret: "«secret sha256:22222222»" }),
      "cluster.secret: «secret sha256:11111111» → «secret sha256:22222222»",
    ],
    [
      "its type",
      { machine: { type: "worker" } },
      { machine: { type: "controlplane" } },
      "machine.type: worker → controlplane",
    ],
    [
      "an unencrypted volume",
      volume("VolumeConfig/EPHEMERAL", {}),
      volume("VolumeConfig/EPHEMERAL", { encryption: luks }),
      "VolumeConfig/EPHEMERAL.encryption.provider: none → luks2",
    ],
    [
      "an encrypted volume",
      volume("VolumeConfig/STATE", { encryption: luks }),
      controlPlane({}),
      "VolumeConfig/STATE.encryption.provider: luks2 → none",
    ],
    [
      "an encrypted volume of the machine's section",
      legacy("ephemeral"),
      { machine: { type: "worker" } },
      "machine.systemDiskEncryption.ephemeral.provider: luks2 → none",
    ],
    [
      "an unencrypted user volume",
      volume("UserVolumeConfig/data", {}),
      volume("UserVolumeConfig/data", { encryption: luks }),
      "UserVolumeConfig/data.encryption.provider: none → luks2",
    ],
    [
      "an unencrypted raw volume",
      volume("RawVolumeConfig/ceph", {}),
      volume("RawVolumeConfig/ceph", { encryption: luks }),
      "RawVolumeConfig/ceph.encryption.provider: none → luks2",
    ],
    [
      "the keys of a volume, without one of which nothing opens it",
      volume("VolumeConfig/STATE", keys({ slot: 0, nodeID: {} })),
      volume("VolumeConfig/STATE", keys({ slot: 0, static: { passphrase: MARK } })),
      `VolumeConfig/STATE.encryption.keys: slot 0 {"nodeID":{}} → slot 0 {"static":{"passphrase":"${MARK}"}}`,
    ],
    [
      "a key in its slot",
      volume("UserVolumeConfig/data", keys({ slot: 0, nodeID: {} })),
      volume("UserVolumeConfig/data", keys({ slot: 1, nodeID: {} })),
      'UserVolumeConfig/data.encryption.keys: slot 0 {"nodeID":{}} → slot 1 {"nodeID":{}}',
    ],
    [
      "a volume's file system",
      volume("UserVolumeConfig/data", {}),
      volume("UserVolumeConfig/data", { filesystem: { type: "ext4" } }),
      "UserVolumeConfig/data.filesystem.type: xfs → ext4",
    ],
  ])("%s", (_, before, after, change) => {
    expect(linesOf(before, after)).toEqual([change]);
    const effects = changeEffects(before, after, 14).map(({ effect }) => effect);
    expect(effects).toContain("never");
  });

  it.each<[string, ConfigDocument, ConfigDocument, string]>([
    [
      "the part of etcd that API servers read",
      controlPlane({}),
      controlPlane({ apiServer: { extraArgs: { etcd_prefix: "/other" } } }),
      "cluster.apiServer.extraArgs.etcd_prefix: /registry → /other",
    ],
    [
      "the folder of etcd's log",
      controlPlane({}),
      controlPlane({ etcd: { extraArgs: { "wal-dir": "/var/lib/etcd/log" } } }),
      "cluster.etcd.extraArgs.wal-dir: none → /var/lib/etcd/log",
    ],
    [
      "the audience of tokens",
      endpoint("https://a:6443"),
      endpoint("https://a:6443", { extraArgs: { "api-audiences": "b,c" } }),
      "cluster.apiServer.extraArgs.api-audiences: https://a:6443 → b,c",
    ],
    [
      "a key of Secrets in etcd",
      controlPlane({ aescbcEncryptionSecret: "«secret sha256:11111111»" }),
      controlPlane({}),
      "cluster.aescbcEncryptionSecret: «secret sha256:11111111» → none",
    ],
    [
      "the range of pods by a flag",
      network({ podSubnets: ["10.0.0.0/8"] }),
      controlPlane({
        network: { podSubnets: ["10.0.0.0/8"] },
        controllerManager: { extraArgs: { "cluster-cidr": "10.1.0.0/16" } },
      }),
      "cluster.controllerManager.extraArgs.cluster-cidr: 10.0.0.0/8 → 10.1.0.0/16",
    ],
    [
      "the range of pods by the other spelling, which counts",
      controlPlane({
        controllerManager: {
          extraArgs: { "cluster-cidr": "10.1.0.0/16", cluster_cidr: "10.2.0.0/16" },
        },
      }),
      controlPlane({ controllerManager: { extraArgs: { "cluster-cidr": "10.1.0.0/16" } } }),
      "cluster.controllerManager.extraArgs.cluster-cidr: 10.2.0.0/16 → 10.1.0.0/16",
    ],
    [
      "the issuer by a flag",
      endpoint("https://a:6443"),
      endpoint("https://a:6443", issuer("https://b")),
      "cluster.apiServer.extraArgs.service-account-issuer: https://a:6443 → https://b",
    ],
    [
      "the issuer that a flag named",
      endpoint("https://a:6443", issuer("https://b", "https://a:6443")),
      endpoint("https://a:6443"),
      "cluster.apiServer.extraArgs.service-account-issuer: https://b → https://a:6443",
    ],
    [
      "the first issuer of a list",
      endpoint("https://a:6443", { extraArgs: { "service-account-issuer": ["b", "a"] } }),
      endpoint("https://a:6443", { extraArgs: { "service-account-issuer": ["a"] } }),
      "cluster.apiServer.extraArgs.service-account-issuer: b → a",
    ],
  ])("%s", (_, before, after, change) => {
    expect(linesOf(before, after)).toEqual([change]);
  });

  it.each<[string, ConfigDocument, ConfigDocument, string]>([
    [
      "taken out",
      network({}),
      network({ cni: { name: "none" } }),
      "cluster.network.cni: flannel → none",
    ],
    [
      "given back to Talos",
      network({ cni: { name: "custom", urls: ["https://a"] } }),
      network({ cni: { name: "flannel" } }),
      "cluster.network.cni: custom → flannel",
    ],
    [
      "taken out of documents",
      controlPlane({}, { KubeNetworkConfig: {}, KubeFlannelCNIConfig: { backendType: "vxlan" } }),
      controlPlane({}, { KubeNetworkConfig: {} }),
      "KubeFlannelCNIConfig: flannel → none",
    ],
    [
      "given by documents",
      controlPlane({}, { KubeNetworkConfig: {} }),
      controlPlane(
        {},
        { KubeNetworkConfig: {}, "KubeExternalManifestConfig/custom-cni": { url: "u" } },
      ),
      "cluster.network.cni: none → custom",
    ],
  ])("the pod network, %s", (_, before, after, change) => {
    expect(linesOf(before, after)).toEqual([change]);
    const [birthChange] = birthChanges(before, after, 12);
    expect(birthChange?.reason).toMatch(
      /can't reach those of the other one.*plan an outage, accept the change/,
    );
  });

  it("etcd's place, with Talos v1.14, which places it", () => {
    const before = volume("VolumeConfig/ETCD", {});
    const after = volume("VolumeConfig/ETCD", { provisioning: { minSize: "5GB" } });
    expect(birthChanges(before, after, 13)).toEqual([]);
    expect(birthChanges(before, after, 14)).toMatchObject([
      { path: "VolumeConfig/ETCD.provisioning", before: "directory", after: "partition" },
    ]);
  });
});

describe("no change is", () => {
  it.each<[string, ConfigDocument, ConfigDocument]>([
    ["a default that is written", network({}), network({ podSubnets: ["10.244.0.0/16"] })],
    [
      "another document for the same value",
      network({ dnsDomain: "a.local" }),
      controlPlane({}, { KubeNetworkConfig: { dnsDomain: "a.local" }, KubeFlannelCNIConfig: {} }),
    ],
    [
      "another document for the same encryption",
      legacy("state"),
      { machine: { type: "worker" }, "VolumeConfig/STATE": { encryption: luks } },
    ],
    [
      "a further key, or one that goes",
      volume("VolumeConfig/STATE", keys({ slot: 0, nodeID: {} }, { slot: 1, tpm: {} })),
      volume("VolumeConfig/STATE", keys({ slot: 1, tpm: { pcrs: [7] } }, { slot: 2, nodeID: {} })),
    ],
    [
      "the same key with a mark of another kind",
      volume("VolumeConfig/STATE", keys({ slot: 0, static: { passphrase: MARK } })),
      volume(
        "VolumeConfig/STATE",
        keys({ slot: 0, static: { passphrase: "«secret sha256:22222222»" } }),
      ),
    ],
    [
      "a further audience",
      endpoint("https://a:6443"),
      endpoint("https://a:6443", { extraArgs: { "api-audiences": "sts,https://a:6443" } }),
    ],
    [
      "a key that Secrets in etcd had not",
      controlPlane({}),
      controlPlane({ aescbcEncryptionSecret: "«secret sha256:11111111»" }),
    ],
    [
      "the part of etcd, written as it is",
      controlPlane({}),
      controlPlane({ apiServer: { extraArgs: { "etcd-prefix": "/registry" } } }),
    ],
    ["an encrypted volume that is new", {}, volume("UserVolumeConfig/data", { encryption: luks })],
    [
      "a directory, which has no file system",
      volume("UserVolumeConfig/data", { volumeType: "directory" }),
      volume("UserVolumeConfig/data", { volumeType: "directory", filesystem: { type: "ext4" } }),
    ],
    [
      "an endpoint whose former one is still an issuer",
      endpoint("https://a:6443"),
      endpoint("https://b:6443", { extraArgs: { service_account_issuer: "https://a:6443" } }),
    ],
    [
      "an issuer that comes beside the endpoint",
      endpoint("https://a:6443"),
      endpoint("https://a:6443", issuer("https://b", "https://a:6443")),
    ],
    [
      "the end of another issuer",
      endpoint("https://a:6443", issuer("https://a:6443", "https://b")),
      endpoint("https://a:6443"),
    ],
    [
      "a former issuer beside Talos' own",
      endpoint("https://a:6443", issuer("https://b")),
      endpoint("https://a:6443", { extraArgs: { service_account_issuer: "https://b" } }),
    ],
    [
      "a flag that says what its setting says",
      network({ podSubnets: ["10.0.0.0/8", "fd00::/48"] }),
      controlPlane({
        network: { podSubnets: ["10.0.0.0/8", "fd00::/48"] },
        controllerManager: { extraArgs: { "cluster-cidr": "10.0.0.0/8, fd00::/48" } },
      }),
    ],
    [
      "a worker's endpoint",
      { machine: { type: "worker" }, cluster: { controlPlane: { endpoint: "https://a:6443" } } },
      { machine: { type: "worker" }, cluster: { controlPlane: { endpoint: "https://b:6443" } } },
    ],
    [
      "a pod network that stays, in another form",
      network({ cni: { name: "flannel" } }),
      controlPlane({}, { KubeNetworkConfig: {}, KubeFlannelCNIConfig: { backendType: "vxlan" } }),
    ],
    [
      "another manifest of the same pod network",
      network({ cni: { name: "custom", urls: ["https://a"] } }),
      network({ cni: { name: "custom", urls: ["https://b"] } }),
    ],
    [
      "the pod network of a worker, which nothing reads",
      { machine: { type: "worker" }, cluster: {} },
      { machine: { type: "worker" }, cluster: { network: { cni: { name: "none" } } } },
    ],
    ["a secret that isn't made yet", controlPlane({ secret: NOT_MADE_YET }), controlPlane({})],
    [
      "another form of a secret's mark",
      controlPlane({ secret: "«secret»" }),
      controlPlane({ secret: "«secret sha256:22222222»" }),
    ],
  ])("%s", (_, before, after) => {
    const known = { ...before, machine: { type: "controlplane", ...asMapping(before.machine) } };
    const next = { ...after, machine: { type: "controlplane", ...asMapping(after.machine) } };
    expect(birthChanges(known, next, 12)).toEqual([]);
  });

  it("the way back to what the machine was born with, however often it was changed", () => {
    const [first, second, third] = ["10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16"].map((range) =>
      network({ podSubnets: [range] }),
    ) as [ConfigDocument, ConfigDocument, ConfigDocument];
    const once = deviations(first, second, 12);
    expect(once).toEqual({ "cluster.network.podSubnets": "10.1.0.0/16" });
    const twice = deviations(second, third, 12, once);
    expect(twice).toEqual(once);
    expect(birthChanges(third, first, 12, twice)).toEqual([]);
    expect(birthChanges(third, second, 12, twice)).toMatchObject([{ after: "10.2.0.0/16" }]);
    expect(deviations(third, first, 12, twice)).toEqual({});
  });
});

it("says of each change what happens and what to do", () => {
  const [change] = birthChanges(
    volume("VolumeConfig/EPHEMERAL", {}),
    volume("VolumeConfig/EPHEMERAL", { encryption: luks }),
    12,
  );
  expect(change?.reason).toContain("the machine stays in its next boot");
  expect(change?.reason).toContain('machines["1"].replacement');
  expect(birthValues(network({}), 12)).toMatchObject({
    "cluster.network.dnsDomain": "cluster.local",
  });
});

it.each([
  network({ dnsDomain: "cluster.local" }),
  network({ podSubnets: ["10.200.0.0/16"] }),
  network({ cni: { name: "none" } }),
  endpoint("https://api.example.com:6443"),
  volume("VolumeConfig/EPHEMERAL", { encryption: luks }),
  volume("UserVolumeConfig/data", {}),
  legacy("state"),
])("is recorded without what is as usual, and all known again: %j", (outline) => {
  for (const minor of [12, 14]) {
    const values = birthValues(outline, minor);
    const recorded = recordedBirth(values, minor);
    expect(Object.keys(recorded).length).toBeLessThan(5);
    expect(wholeBirth(recorded, minor)).toEqual(values);
  }
});

function asMapping(value: ConfigDocument[string] | undefined): ConfigDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

it("says nothing of the pod network where a release before has recorded the birth", () => {
  const found = network({ cni: { name: "none" } });
  const { "cluster.network.cni": podNetwork, ...older } = recordedBirth(birthValues(found, 12), 12);
  expect(podNetwork).toBe("none");
  expect(deviations(found, found, 12, wholeBirth(older, 12))).toEqual({});
  const born = wholeBirth({ ...older, "cluster.network.cni": "flannel" }, 12);
  expect(deviations(found, found, 12, born)).toEqual({ "cluster.network.cni": "flannel" });
});
