import * as fc from "fast-check";
import { controlPlanePermissions } from "../../components/addOns/addOnPermissions";
import { chooseAddOns } from "../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../components/cluster/arguments/talosClusterArgs";
import { PRESETS } from "../../environments/presets";
import { parseSettings, SettingsError } from "../../environments/settings";
import type { GivenSettings } from "../../environments/settingsSchema";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { rawSettings, STACKS } from "./settingsFile";

/** What the add-ons need of the machines' role. */
function permissions(cluster: TalosClusterArgs) {
  const { addOns = {}, facts } = chooseAddOns(cluster);
  return controlPlanePermissions(addOns, facts.addOnCluster);
}

/** What is wrong with the settings of a sandbox after some changes. */
function problems(changes: Record<string, unknown>, stack = "sandbox", region?: string) {
  try {
    parseSettings(rawSettings(stack, changes, region));
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    const { message, problems: found } = error as SettingsError;
    for (const { property, reason } of found) {
      expect(message).toContain(`- ${property}: ${reason}`);
    }
    return found.map(({ property, reason }) => `${property}: ${reason}`);
  }
}

describe("the shipped settings", () => {
  it.each(STACKS)("create an environment from %s", (stack) => {
    const { preset, name, region, cluster } = parseSettings(rawSettings(stack));
    expect(preset).toBe(stack);
    expect(name).toBe(PRESETS[stack].environment);
    expect(region).toBe("us-east-1");
    expect(cluster).toMatchObject({
      environment: PRESETS[stack].environment,
      ...NEWEST_RELEASES,
      controlPlane: { machineCount: PRESETS[stack].machineCount },
      protect: stack === "production",
    });
  });

  it("protect production, and only production", () => {
    expect(parseSettings(rawSettings("production")).cluster).toMatchObject({
      protect: true,
      loadBalancerDeletionProtection: true,
      controlPlane: { terminationProtection: true, machineCount: 3 },
      network: { zones: ["us-east-1a", "us-east-1b", "us-east-1c"] },
    });
    const open = parseSettings(rawSettings("production", { protect: false })).cluster;
    expect(open).toMatchObject({
      protect: false,
      loadBalancerDeletionProtection: false,
      controlPlane: { terminationProtection: false },
    });
  });
});

describe("the shipped settings of production", () => {
  it("leave nothing to the machines' role but to describe machines and to write snapshots", () => {
    const { cluster } = parseSettings(rawSettings("production"));
    expect(Object.keys(permissions(cluster))).toEqual(["etcdBackupArn"]);
    expect(cluster).toMatchObject({
      network: { flowLogs: { retentionDays: 365 } },
      addOns: { auditLog: { retentionDays: 365 } },
      kubeconfigLifetimeHours: 168,
    });
    const without = parseSettings(rawSettings("production", { irsa: false })).cluster;
    expect(permissions(without)).toMatchObject({ cloudController: true });
    const controlPlane = { metadataHopLimit: 2 };
    expect(problems({ controlPlane }, "production")).toEqual([
      expect.stringMatching(/^controlPlane\.metadataHopLimit: .* by addOns\.etcdBackup: leave/),
    ]);
  });
});

describe("parseSettings", () => {
  it("replaces single machines by a word", () => {
    const machine = { zone: "us-east-1a", replacement: "broken disk" };
    const settings = {
      controlPlane: { machines: { "1": machine } },
      workerPools: { apps: { machineCount: 1, machines: { "1": machine } } },
    } satisfies Partial<GivenSettings>;
    expect(problems(settings)).toEqual([]);
  });

  it("reads the exposure of the APIs and the machines' permissions", () => {
    const role = { permissions: { ecrPull: true, ebsCsi: true } };
    const { cluster } = parseSettings(
      rawSettings("staging", {
        exposure: "internal",
        dns: { createZone: true, privateZone: true },
        controlPlane: { imageOwner: "self", imageName: "mine", role },
      }),
    );
    expect(cluster).toMatchObject({ exposure: "internal", controlPlane: { role } });
    expect(problems({ exposure: "open" })).toEqual([
      `exposure: it must be one of both, direct, internal, public, not "open"`,
    ]);
    expect(problems({ controlPlane: { role: { permissions: { ecr: true } } } })).toEqual([
      expect.stringMatching(/^controlPlane.role.permissions.ecr: there is no such setting/),
    ]);
    expect(problems({ controlPlane: { role: { none: true, instanceProfileName: "a" } } })).toEqual([
      expect.stringMatching(/^controlPlane.role.none: it excludes instanceProfileName/),
    ]);
  });

  it("reads add-ons, and reports their problems by path", () => {
    const addOns = {
      metricsServer: true,
      servingCertificateApprover: { version: "v0.12.0" },
      cloudController: { manifest: "kind: List" },
      cilium: { manifestUrls: ["https://example.com/c.yaml"], kubeProxyReplacement: true },
    };
    expect(parseSettings(rawSettings("staging", { addOns })).cluster.addOns).toEqual(addOns);
    expect(
      problems({ addOns: { metricServer: true, metricsServer: "yes", cilium: { manifest: 1 } } }),
    ).toEqual([
      expect.stringMatching(/^addOns.metricServer: .*metricsServer/),
      expect.stringMatching(
        /^addOns.metricsServer: it must be true or false, or a mapping, as in \{.*not "yes"/,
      ),
      expect.stringMatching(
        /^addOns.cilium.manifest: it must be a text, not 1: write it in quotes/,
      ),
    ]);
  });

  it("reads changes of add-ons, and roles of service accounts", () => {
    const addOns = {
      cloudController: true,
      ebsCsi: { replicas: 1, storageClass: false, tolerations: [{ operator: "Exists" }] },
      clusterAutoscaler: { extraArgs: { v: "4", nodes: ["1:2:a"] } },
      loadBalancerController: { resources: { limits: { memory: "1Gi" } } },
      externalDns: { zoneIds: ["Z0123456789ABCDEFGHIJ"], policy: "sync" },
    };
    const irsa = { bucketName: "mine", webhook: { replicas: 1 } };
    const role = {
      path: "/talos/",
      managedPolicyArns: { read: "arn:aws:iam::aws:policy/ReadOnlyAccess" },
      statements: [
        { actions: ["s3:GetObject"], resources: ["*"], conditions: { Bool: { a: "b" } } },
      ],
    };
    const { cluster } = parseSettings(rawSettings("staging", { addOns, irsa, workers: { role } }));
    expect(cluster).toMatchObject({ addOns, irsa, workers: { role } });
    expect(
      problems({ addOns: { externalDns: {}, ebsCsi: { replica: 1 } }, irsa: { bucket: "a" } }),
    ).toEqual([
      expect.stringMatching(/^addOns\.ebsCsi\.replica: .*"replicas"/),
      expect.stringMatching(/^addOns\.externalDns\.zoneIds: /),
      expect.stringMatching(/^irsa\.bucket: .*known are bucketName/),
    ]);
  });

  it("prefers given settings to the preset", () => {
    const { cluster } = parseSettings(
      rawSettings("staging", {
        environment: "qa",
        controlPlane: { instanceType: "m7g.large", machines: { "2": { zone: "us-east-1c" } } },
        allowWorldToKubernetesApi: true,
        patches: ["machine: {}", { debug: true }],
        machineConfiguration: {
          sysctls: { "vm.max_map_count": "262144" },
          kubeletExtraArgs: { "max-pods": "200" },
          systemExtensions: ["siderolabs/iscsi-tools"],
        },
        tags: { team: "storage" },
      }),
    );
    expect(cluster).toMatchObject({
      environment: "qa",
      controlPlane: {
        machineCount: 3,
        instanceType: "m7g.large",
        rootVolumeSizeGib: 50,
        machines: { "2": { zone: "us-east-1c" } },
      },
      allowWorldToKubernetesApi: true,
      patches: ["machine: {}", { debug: true }],
      machineConfiguration: {
        sysctls: { "vm.max_map_count": "262144" },
        kubeletExtraArgs: { "max-pods": "200" },
        systemExtensions: ["siderolabs/iscsi-tools"],
      },
      tags: { team: "storage" },
    });
  });

  it("reads stages of rotations, and reports their problems", () => {
    const rotation = { talosCa: { to: 2, stage: "accept" } };
    expect(parseSettings(rawSettings("sandbox", { rotation })).cluster).toMatchObject({ rotation });
    expect(problems({ rotation: { talosCa: { to: 2, stage: "first" } } })).toEqual([
      expect.stringMatching(/^rotation\.talosCa\.stage: it must be one of accept, .*not "first"/),
    ]);
    expect(problems({ rotation: { talosCa: "accept" } })).toEqual([
      expect.stringMatching(/^rotation\.talosCa: .*as in \{to: 2, stage: accept\}/),
    ]);
  });

  it("reads accepted changes, by the paths that errors name", () => {
    const acceptedChanges = { "network.cidrBlock": "10.7.0.0/16" };
    expect(parseSettings(rawSettings("sandbox", { acceptedChanges })).cluster).toMatchObject({
      acceptedChanges,
    });
    expect(problems({ acceptedChanges: ["network.cidrBlock"] })).toEqual([
      expect.stringMatching(/^acceptedChanges: /),
    ]);
  });

  it("allows a preset for a stack of any name", () => {
    const raw = rawSettings("sandbox", { preset: "sandbox", environment: "alice" });
    const settings = parseSettings({ ...raw, stack: "alice" });
    expect([settings.preset, settings.name]).toEqual(["sandbox", "alice"]);
    expect(() => parseSettings({ ...rawSettings("sandbox"), stack: "alice" })).toThrow(
      /the stack's name "alice" is not a preset: it must be one of local, sandbox, staging, production/,
    );
  });

  it("gives the same settings in any order", () => {
    const entries = Object.entries(rawSettings("production").values);
    const all = { minLength: entries.length, maxLength: entries.length };
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, all), (shuffled) => {
        const raw = { ...rawSettings("production"), values: Object.fromEntries(shuffled) };
        expect(parseSettings(raw)).toEqual(parseSettings(rawSettings("production")));
      }),
    );
  });

  it.each([
    ["operatorCidr", [], /operatorCidr: there is no such setting: did you mean "operatorCidrs"\?/],
    [
      "addOns",
      { etcdBackup: { agePublicKey: "none", retentiondays: 7 } },
      /addOns.etcdBackup.retentiondays: .* did you mean "retentionDays"\?/,
    ],
    ["talosversion", "v1", /talosversion: .* did you mean "talosVersion"\?/],
    ["network", { zone: [], zones: ["us-east-1a"] }, /network.zone: .* "zones"\?/],
    [
      "controlPlane",
      { count: 3 },
      /controlPlane.count: there is no such setting: known are .*machineCount/,
    ],
    ["machineCount", 5, /machineCount: .* did you mean "controlPlane.machineCount"\?/],
    ["controlPlane", { machines: { "1": { Zone: "" } } }, /machines\["1"\].Zone: .* "zone"\?/],
    ["domain", undefined, /domain: it is missing: it must be a text, as in "example.com"/],
    ["talosVersion", undefined, /talosVersion: it is missing: .*"v1\.14\.1"/],
    ["network", {}, /network.zones: no zone is given: name them/],
    [
      "network",
      { zones: ["us-east-1a"], nat: "one" },
      /network.nat: it must be one of none, perZone, single, not "one"/,
    ],
    [
      "network",
      { zones: ["us-east-1a"], natZone: "us-east-1a" },
      /network.natZone: only a single NAT gateway/,
    ],
    [
      "network",
      { adopt: { vpcId: "vpc-1", publicSubnetIds: { "us-west-2a": "subnet-1" } } },
      /network.adopt.publicSubnetIds\["us-west-2a"\]: "us-west-2a" is in the region "us-west-2"/,
    ],
    [
      "network",
      { adopt: { vpcId: "vpc-1", privateSubnetIds: { "us-east-1a": "subnet-1" } } },
      /network.adopt.publicSubnetIds: no public subnet is given/,
    ],
    ["cni", "weave", /cni: it must be one of calico, cilium, flannel, none, not "weave"/],
    ["cniManifests", ["https://example.com/a"], /cniManifests: Talos brings Flannel itself/],
    ["firewall", { kubeSpanCidrs: ["192.0.2.0/24"] }, /firewall.kubeSpanCidrs: it has no effect/],
    [
      "firewall",
      { extraRules: { web: { group: "worker", protocol: "tcp", ports: 443, from: {} } } },
      /firewall.extraRules.web.description: it is missing/,
    ],
    ["operatorCidrs", "203.0.113.0/24", /operatorCidrs: it must be a list .*not "203.0.113.0\/24"/],
    ["operatorCidrs", [7], /operatorCidrs\[0\]: it must be a text, not 7: write it in quotes/],
    ["protect", "yes", /protect: it must be true or false, not "yes"/],
    [
      "controlPlane",
      { machineCount: "3" },
      /machineCount: it must be a whole number, as in 3, not "3"/,
    ],
    [
      "machineConfiguration",
      { sysctl: { "vm.max_map_count": "1" } },
      /machineConfiguration.sysctl: there is no such setting: did you mean "sysctls"\?/,
    ],
    [
      "machineConfiguration",
      { sysctls: { "vm.max_map_count": 1 } },
      /machineConfiguration.sysctls\["vm.max_map_count"\]: it must be a text, not 1: write it in quotes/,
    ],
    [
      "machineConfiguration",
      { nodeTaints: { dedicated: "storage:Never" } },
      /machineConfiguration.nodeTaints.dedicated: .*NoSchedule/,
    ],
    [
      "machineConfiguration",
      { systemExtensions: ["iscsi-tools"] },
      /machineConfiguration.systemExtensions\[0\]: .*"siderolabs\/iscsi-tools"/,
    ],
    ["kubernetesVersion", "v1.99.0", /kubernetesVersion: Kubernetes "v1.99.0" is too new/],
    ["talosVersion", "v1.99.0", /talosVersion: Talos "v1.99.0" is newer than this release of /],
    ["versionContract", "v1.15", /versionContract: .*v1.14/],
    ["preset", "prod", /preset: it must be one of local, sandbox, .*not "prod"/],
    ["environment", "Sandbox", /environment: "Sandbox" can't be a part of a domain name/],
    ["environment", "a-very-long-environment", /environment: .* at most 21 fit/],
    ["domain", "example", /domain: "example" is no domain name/],
    [
      "network",
      { zones: ["us-west-2a"] },
      /zones\[0\]: "us-west-2a" is in the region "us-west-2", and aws:region is "us-east-1": name zones of "us-east-1", or run "pulumi config set aws:region us-west-2"/,
    ],
    ["controlPlane", { machineCount: 2 }, /controlPlane.machineCount: 2 control plane machines/],
    ["controlPlane", { instanceType: "t2.small" }, /controlPlane.instanceType: "t2.small"/],
  ])("rejects %s: %j, and says what is wrong", (key, value, expected) => {
    expect(problems({ [key]: value })).toEqual([expect.stringMatching(expected)]);
  });

  it("checks the cluster's network together with the machines' configuration", () => {
    const kubeSpan = { kubeSpan: true, machineConfiguration: { discovery: false } };
    expect(problems(kubeSpan)).toEqual([expect.stringMatching(/^kubeSpan: .*needs discovery/)]);
    const manifests = { cni: "cilium", cniManifests: ["ftp://example.com"] };
    expect(problems(manifests)).toEqual([expect.stringMatching(/^cniManifests\S*: /)]);
    expect(problems({ kubeSpan: true, cni: "cilium", network: { zoneCount: 3 } })).toEqual([]);
  });

  it("enforces the promises of a preset", () => {
    const small = {
      controlPlane: { machineCount: 1 },
      network: { zones: ["us-east-1a"] },
      workerPools: undefined,
    };
    expect(problems(small, "production")).toEqual([
      expect.stringMatching(
        /controlPlane.machineCount: .* at least 3 control plane machines, not 1/,
      ),
      expect.stringMatching(/network.zones: .* at least 3 zones, not 1/),
    ]);
    expect(problems(small, "sandbox")).toEqual([]);
  });

  it("requires a region", () => {
    const raw = rawSettings("sandbox");
    expect(() => parseSettings({ ...raw, region: undefined })).toThrow(
      /aws:region: it is missing: it must be an AWS region/,
    );
  });

  it("reports all problems at once", () => {
    const wrong = {
      domain: undefined,
      operatorCidrs: "here",
      protect: "maybe",
      nework: { zones: [] },
      network: { zones: "us-east-1a" },
    };
    expect(
      problems(wrong)
        .map((line) => line.split(":")[0])
        .sort(),
    ).toEqual(["domain", "network.zones", "nework", "operatorCidrs", "protect"]);
  });

  it("never quotes a patch, because it may contain a secret", () => {
    expect(problems({ patches: "hunter2", workers: { patches: "hunter2" } })).toEqual([
      "workers.patches: it must be a list, not a text",
      "patches: it must be a list, not a text",
    ]);
  });

  it("says of what a file can't hold who can give it", () => {
    expect(problems({ dns: { provider: "other" } })).toEqual([
      "dns.provider: only a program in TypeScript can give it, because it is a resource or a function: leave it out",
    ]);
  });

  it("never quotes a passphrase", () => {
    const diskEncryption = { state: [{ static: { passphrase: 24_816 } }] };
    expect(problems({ machineConfiguration: { diskEncryption } })).toEqual([
      "machineConfiguration.diskEncryption.state[0].static.passphrase: it must be a text, not a whole number: write it in quotes",
    ]);
  });

  it("says everything that the cluster would", () => {
    const apps = { machineCount: -3, zones: ["us-east-1z"] };
    expect(problems({ workerPools: { apps } })).toEqual([
      expect.stringMatching(/^workerPools\.apps\.zones\[0\]: .*no public subnet in "us-east-1z"/),
      expect.stringMatching(
        /^workerPools\.apps\.machineCount: .*-3 machines: give a whole number from 0/,
      ),
    ]);
  });
});
