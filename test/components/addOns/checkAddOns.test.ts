import type { ClusterAddOnsArgs } from "../../../components/addOns/registry";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { standardCluster } from "../cluster/standardCluster";
import { checkedAddOns } from "./checkedAddOns";

const manifestUrls = ["https://example.com/v1.35.0/manifest.yaml"];

function problems(addOns: ClusterAddOnsArgs, change: Partial<TalosClusterArgs> = {}): string[] {
  const args = { ...standardCluster, ...change, addOns };
  return checkedAddOns(args);
}

describe("checkAddOns", () => {
  it("accepts valid add-ons", () => {
    expect(problems({})).toEqual([]);
    expect(
      problems({
        cloudController: { manifestUrls },
        ebsCsi: { manifest: "kind: List", kmsKeyArns: ["arn:aws:kms:us-east-1:1:key/a-b"] },
        servingCertificateApprover: false,
        metricsServer: { version: "v0.8.0" },
        cilium: { manifestUrls, kubeProxyReplacement: true },
      }),
    ).toEqual([]);
    expect(problems({ cilium: { manifest: "kind: List" } }, { cni: "cilium" })).toEqual([]);
  });

  it("judges the log group of an audit log", () => {
    expect(problems({ auditLog: { logGroupName: "/bank/audit", retentionDays: 3653 } })).toEqual(
      [],
    );
    expect(problems({ auditLog: { logGroupName: "/bank/audit", adopt: true } })).toEqual([]);
    const bad = { logGroupName: "a*", retentionDays: 31, kmsKeyArn: "alias/a", replicas: 2 };
    expect(problems({ auditLog: bad })).toEqual([
      expect.stringMatching(/^addOns\.auditLog\.logGroupName: "a\*" is no name of a log group/),
      expect.stringMatching(/^addOns\.auditLog\.retentionDays: .* 31 days: take one of/),
      expect.stringMatching(/^addOns\.auditLog\.kmsKeyArn: "alias\/a" is no ARN of kms/),
    ]);
    expect(problems({ auditLog: { adopt: true, retentionDays: 30 } })).toEqual([
      "addOns.auditLog.retentionDays: it excludes adopt, as a log group that is there stays as it is: leave out one",
      "addOns.auditLog.adopt: it names no log group that is there: give logGroupName",
    ]);
    expect(problems({ auditLog: true }, { controlPlane: { role: { none: true } } })).toEqual([
      expect.stringMatching(/^addOns\.auditLog: it calls AWS, which no machine can/),
    ]);
  });

  it("accepts Cilium without a manifest, and its settings", () => {
    expect(problems({ cilium: true })).toEqual([]);
    const settings = { hubble: true, metrics: true, wireGuard: true, gatewayApi: true };
    expect(problems({ cilium: { ...settings, version: "v1.20.3", replicas: 1 } })).toEqual([]);
    expect(problems({ cilium: { kubeProxyReplacement: false } }, { cni: "cilium" })).toEqual([]);
  });

  it("refuses what Cilium can't do, all at once", () => {
    const cilium = {
      version: "v1.19.4",
      wireGuard: true,
      gatewayApi: true,
      kubeProxyReplacement: false,
      replicas: 5,
    };
    const podCidrs = ["10.244.0.0/16", "fd00:10:244::/56"];
    expect(problems({ cilium }, { kubeSpan: true, cni: "flannel", podCidrs })).toEqual([
      expect.stringMatching(/^addOns\.cilium\.replicas: 5 pods have no place/),
      `addOns.cilium: pods have one network: leave out cni, "flannel" here, or this`,
      `addOns.cilium.version: "v1.19.4" is of another minor than this package's objects: take a release of v1.20, leave this out, or give a manifest`,
      expect.stringMatching(/^addOns\.cilium\.wireGuard: kubeSpan encrypts all traffic/),
      expect.stringMatching(/^addOns\.cilium\.gatewayApi: .* beside kube-proxy/),
      expect.stringMatching(/^addOns\.cilium: podCidrs have an IPv6 range/),
    ]);
    const extraArgs = { "enable-ipv6": "true" };
    expect(problems({ cilium: { extraArgs } }, { podCidrs })).toEqual([]);
  });

  it("refuses settings of this package's objects with a manifest of Cilium", () => {
    const own = { hubble: true, metrics: false, wireGuard: true, gatewayApi: true };
    expect(problems({ cilium: { manifest: "kind: List", version: "v1.19.0", ...own } })).toEqual(
      ["version", "wireGuard", "hubble", "metrics", "gatewayApi"].map(
        (name) =>
          `addOns.cilium.${name}: it excludes manifest, which says it itself: leave out one or the other`,
      ),
    );
  });

  it.each(["cloudController", "ebsCsi", "clusterAutoscaler", "loadBalancerController"] as const)(
    "accepts %s by default, changed, or by a manifest, and not both",
    (name) => {
      const others = { cloudController: true };
      expect(problems({ ...others, [name]: true })).toEqual([]);
      expect(problems({ [name]: false })).toEqual([]);
      const changed = { version: "v1.2.3", resources: { limits: { memory: "1Gi" } } };
      const more = { extraArgs: { v: "4" }, tolerations: [{ operator: "Exists" as const }] };
      expect(problems({ ...others, [name]: { ...changed, ...more } })).toEqual([]);
      const manifest = "kind: List";
      expect(problems({ ...others, [name]: { manifest, hostNetwork: true } })).toEqual([]);
      expect(problems({ ...others, [name]: { manifestUrls: [] } })).toEqual([
        `addOns.${name}.manifestUrls: no URL is given: name one, or leave this out`,
      ]);
      expect(problems({ ...others, [name]: { manifestUrls, manifest: "" } })).toEqual([
        `addOns.${name}.manifest: it excludes manifestUrls: leave out one or the other`,
      ]);
      expect(problems({ ...others, [name]: { manifest, ...changed, hostNetwork: true } })).toEqual([
        `addOns.${name}.version: it excludes manifest, which says it itself: leave out one or the other`,
        `addOns.${name}.resources: it excludes manifest, which says it itself: leave out one or the other`,
      ]);
    },
  );

  /** Combinations that can't work, and what is said of each. */
  const impossible: readonly [string, ClusterAddOnsArgs, Partial<TalosClusterArgs>, RegExp][] = [
    [
      "an autoscaler of nodes without ids",
      { clusterAutoscaler: true },
      {},
      /^addOns\.clusterAutoscaler: .*providerID.*ends every machine.*add addOns\.cloudController/,
    ],
    [
      "load balancers for nodes without ids",
      { loadBalancerController: true },
      {},
      /^addOns\.loadBalancerController: .*providerID.*add addOns\.cloudController/,
    ],
    ...(["cloudController", "ebsCsi"] as const).map(
      (name) =>
        [
          `${name} without a role`,
          { [name]: true },
          { controlPlane: { role: { none: true } } },
          new RegExp(`^addOns\\.${name}: it calls AWS, which no machine can`),
        ] as [string, ClusterAddOnsArgs, Partial<TalosClusterArgs>, RegExp],
    ),
    [
      "external-dns without a role",
      { externalDns: { zoneIds: ["Z1"] } },
      { controlPlane: { role: { none: true } } },
      /^addOns\.externalDns: it calls AWS/,
    ],
    ["external-dns without a zone", { externalDns: { zoneIds: [] } }, {}, /zoneIds: no zone/],
    [
      "a zone by its name",
      { externalDns: { zoneIds: ["a.b"] } },
      {},
      /zoneIds\[0\]: "a\.b" is no id/,
    ],
    [
      "more pods than control planes",
      { ebsCsi: { replicas: 2 } },
      { controlPlane: { machineCount: 1 } },
      /^addOns\.ebsCsi\.replicas: 2 pods have no place: .*there are 1; give at most 1$/,
    ],
    ["no pod", { metricsServer: { replicas: 0 } }, {}, /replicas: 0 is no number of pods/],
    [
      "the network of a controller of ours",
      { ebsCsi: { hostNetwork: true } },
      {},
      /^addOns\.ebsCsi\.hostNetwork: it says how a manifest of yours is/,
    ],
    [
      "a cloud controller that makes tokens of any account",
      { cloudController: { extraArgs: { "use-service-account-credentials": "true" } } },
      {},
      /^addOns\.cloudController\.extraArgs\["use-service-account-credentials"\]: "true" has/,
    ],
    [
      "a flag with dashes",
      { ebsCsi: { extraArgs: { "--v": "4" } } },
      {},
      /"--v" is no name of a flag/,
    ],
    [
      "memory without a unit that is one",
      { ebsCsi: { resources: { limits: { memory: "1GB" } } } },
      {},
      /^addOns\.ebsCsi\.resources\.limits\.memory: "1GB" is no quantity/,
    ],
    [
      "memory in a unit that every object has",
      { ebsCsi: { resources: { requests: { memory: "1constructor" } } } },
      {},
      /^addOns\.ebsCsi\.resources\.requests\.memory: "1constructor" is no quantity/,
    ],
    [
      "a toleration of any value of one",
      { ebsCsi: { tolerations: [{ key: "a", operator: "Exists", value: "b" }] } },
      {},
      /^addOns\.ebsCsi\.tolerations\[0\]: "Exists" asks for no value, "b" here/,
    ],
    ["a toleration of nothing", { ebsCsi: { tolerations: [{}] } }, {}, /it names no key/],
    [
      "a toleration that ends without ending pods",
      { ebsCsi: { tolerations: [{ operator: "Exists", tolerationSeconds: 60 }] } },
      {},
      /^addOns\.ebsCsi\.tolerations\[0\]: only the effect "NoExecute" .*60 here.*set that effect/,
    ],
    [
      "a toleration of an effect that isn't",
      { cloudController: { tolerations: [{ key: "a", effect: "Never" as "NoExecute" }] } },
      {},
      /^addOns\.cloudController\.tolerations\[0\]: its effect "Never" can't be chosen: take one of NoSchedule, /,
    ],
    [
      "a toleration of a key that isn't",
      { metricsServer: { tolerations: [{ key: "a b", value: "c" }] } },
      {},
      /^addOns\.metricsServer\.tolerations\[0\]: "a b" is not a name/,
    ],
    [
      "more than the limit",
      { ebsCsi: { resources: { requests: { memory: "1.5Gi" }, limits: { memory: "1024Mi" } } } },
      {},
      /^addOns\.ebsCsi\.resources\.requests\.memory: "1\.5Gi" is more than the limit, "1024Mi"/,
    ],
    [
      "a resource that isn't",
      { ebsCsi: { resources: { limits: { ram: "1Gi" } } } },
      {},
      /^addOns\.ebsCsi\.resources\.limits\.ram: "ram" is no resource of a container: take one of cpu, /,
    ],
    [
      "a policy of external-dns that isn't",
      { externalDns: { zoneIds: ["Z1"], policy: "create" as "sync" } },
      {},
      /^addOns\.externalDns\.policy: "create" can't be chosen: take one of upsert-only, sync$/,
    ],
    [
      "a source of external-dns that isn't",
      { externalDns: { zoneIds: ["Z1"], sources: ["service", "gateway" as "ingress"] } },
      {},
      /^addOns\.externalDns\.sources\[1\]: "gateway" can't be chosen: take one of service, ingress$/,
    ],
    [
      "a policy of a manifest of the user's",
      { externalDns: { zoneIds: ["Z1"], manifest: "kind: List", policy: "sync" } },
      {},
      /^addOns\.externalDns\.policy: it excludes manifest/,
    ],
    [
      "external-dns of nothing",
      { externalDns: { zoneIds: ["Z1"], sources: [] } },
      {},
      /^addOns\.externalDns\.sources: no kind is named/,
    ],
  ];
  it.each(impossible)("rejects %s", (_what, addOns, change, reason) => {
    expect(problems(addOns, change)).toEqual([expect.stringMatching(reason)]);
  });

  it("compares quantities of different units", () => {
    const resources = {
      requests: { cpu: "0.5", memory: "1Gi", "ephemeral-storage": "1G" },
      limits: { cpu: "500m", memory: "1100M", "example.com/device": "1" },
    };
    expect(problems({ ebsCsi: { resources } })).toEqual([]);
  });

  it("accepts a cloud controller that is installed by other means", () => {
    const addOns = { clusterAutoscaler: true, loadBalancerController: true };
    const machineConfiguration = { externalCloudProvider: {} };
    expect(problems(addOns, { machineConfiguration })).toEqual([]);
    expect(problems(addOns, { workers: { machineConfiguration } })).toEqual([]);
  });

  it("rejects URLs without a version, without TLS, and with credentials", () => {
    const urls = [
      "http://example.com/a.yaml",
      "manifest.yaml",
      "https://me:hunter2@example.com/a.yaml",
      "https://raw.githubusercontent.com/a/b/main/c.yaml",
      "https://raw.githubusercontent.com/a/b/refs/heads/release/c.yaml",
      "https://github.com/a/b/releases/latest/download/c.yaml",
      "https://raw.githubusercontent.com/a/b/v1.2.3/c.yaml",
      "https://bucket.example.com/main/c.yaml",
    ];
    const found = problems({ metricsServer: { manifestUrls: urls } });
    expect(found.map((text) => text.split(":")[0])).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => `addOns.metricsServer.manifestUrls[${index}]`),
    );
    expect(found.join()).not.toContain("hunter2");
  });

  it("reports all problems of single options at once", () => {
    expect(
      problems({
        servingCertificateApprover: { version: "0.12", manifestUrls },
        metricsServer: { manifestUrls: [] },
        ebsCsi: { manifestUrls, kmsKeyArns: ["key"] },
      }).map((text) => text.split(":")[0]),
    ).toEqual([
      "addOns.ebsCsi.kmsKeyArns[0]",
      "addOns.servingCertificateApprover.version",
      "addOns.metricsServer.manifestUrls",
    ]);
  });

  it("reports conflicts with the cluster's other arguments", () => {
    const addOns = { cloudController: { manifestUrls }, cilium: { manifestUrls } };
    expect(
      problems(addOns, {
        cni: "calico",
        cniManifests: manifestUrls,
        machineConfiguration: { externalCloudProvider: {} },
        controlPlane: { role: { none: true } },
      }),
    ).toEqual([
      `addOns.cilium: pods have one network: leave out cni, "calico" here, or this`,
      "addOns.cilium: it excludes cniManifests: leave out one or the other",
      "addOns.cloudController: it excludes machineConfiguration.externalCloudProvider: leave out one or the other",
      "addOns.cloudController: it calls AWS, which no machine can with controlPlane.role.none: leave that out",
    ]);
    expect(problems({ metricsServer: true }, { cni: "calico" })).toEqual([]);
    const none = { role: { none: true } };
    const ebsCsi = { manifestUrls };
    const pools = { one: { machineCount: 1 }, two: { machineCount: 1, role: {} } };
    expect(problems({ ebsCsi }, { workers: none, workerPools: { one: pools.one } })).toEqual([
      "addOns.ebsCsi: it calls AWS, which no worker can whose role is none: give a pool a role, or leave the manifest out",
    ]);
    const reachable = { one: pools.one, two: { ...pools.two, metadataHopLimit: 2 } };
    expect(problems({ ebsCsi }, { workers: none, workerPools: reachable })).toEqual([]);
  });
});
