import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigProblem } from "../../../provider/config/configError";
import { ConfigError } from "../../../provider/config/configError";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../provider/config/validate";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { goldenVerdicts, platformMode, testRecordings, VALIDATION_MODES } from "./golden";
import { fillPlaceholders } from "./placeholders";

const schema = talosSchema("v1.12");
const options = { schema };

function configuration(machineType: "controlplane" | "worker"): ConfigDocument[] {
  const path = join(__dirname, "testdata/generate/v1.12", `${machineType}.yaml`);
  return decodeDocuments(fillPlaceholders(readFileSync(path, "utf8")));
}

function problemsAfter(
  patch: Patch,
  machineType: "controlplane" | "worker" = "controlplane",
): string[] {
  return validateDocuments(applyPatches(configuration(machineType), [patch], options), options).map(
    format,
  );
}

function format({ document, path, message }: ConfigProblem): string {
  return [document, path, message].filter((part) => part !== "").join(": ");
}

test.each(["controlplane", "worker"] as const)("a generated %s is valid", (machineType) => {
  const documents = configuration(machineType);
  expect(validateDocuments(documents, { ...options, machineType })).toEqual([]);
});

/** Configurations that talosctl accepts, and a machine or its Kubernetes would not work with. */
const stricter = [
  "bad-file-op",
  "bad-nameserver",
  "bad-pod-subnet",
  "bad-secretbox",
  "bad-version",
  "endpoint-bad-host",
  "k8s-version-out-of-range",
  "only-hostname-doc",
];

/** What Talos only warns of, the rules of options refuse: see resultRules.test.ts. */
const warned = ["custom-cni-no-urls"];

testRecordings("verdict of talosctl validate", goldenVerdicts(), ({ name, text, acceptedIn }) => {
  for (const mode of VALIDATION_MODES) {
    let fine: boolean;
    try {
      const documents = decodeDocuments(fillPlaceholders(text));
      fine = validateDocuments(documents, { ...options, mode: platformMode(mode) }).length === 0;
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      fine = false;
    }
    const judged = warned.includes(name) ? platformMode(mode) : mode;
    expect(fine, mode).toBe(acceptedIn[judged] && !stricter.includes(name));
  }
});

describe("on metal", () => {
  const both =
    "machine: {install: {extraKernelArgs: [security=apparmor], grubUseUKICmdline: true, disk: /dev/sda}}";

  test.each<[string, string, string | undefined]>([
    ["kernel arguments beside those of the image", both, "machine.install.extraKernelArgs"],
    ["no installation", "machine: {install: {$patch: delete}}", "machine.install"],
    [
      "kernel arguments without them",
      "machine: {install: {extraKernelArgs: [a=b], grubUseUKICmdline: false}}",
      undefined,
    ],
  ])("%s", (_, patch, path) => {
    const patched = applyPatches(configuration("worker"), [patch], options);
    const problems = validateDocuments(patched, { ...options, mode: "metal" });
    expect(problems.map((problem) => problem.path)).toEqual(path === undefined ? [] : [path]);
    expect(validateDocuments(patched, { ...options, mode: "cloud" })).toEqual([]);
  });
});

describe("the machine configuration", () => {
  test.each<readonly [string, Patch, readonly string[]]>([
    [
      "an endpoint without TLS",
      { cluster: { controlPlane: { endpoint: "http://a:6443" } } },
      [
        'v1alpha1: cluster.controlPlane.endpoint: "http://a:6443" has to start with "https://": the Kubernetes API is served over TLS only; write it like "https://a:6443"',
      ],
    ],
    [
      "a static hostname beside HostnameConfig",
      "machine: {network: {hostname: a}}",
      [
        'v1alpha1: machine.network.hostname: can\'t be set together with the document HostnameConfig: patch the document HostnameConfig instead: {apiVersion: v1alpha1, kind: HostnameConfig, auto: "off", hostname: …}',
      ],
    ],
    [
      "an etcd network",
      "cluster: {etcd: {advertisedSubnets: [x]}}",
      [
        'v1alpha1: cluster.etcd.advertisedSubnets[0]: "x" is not a network or address, like 10.0.0.0/8 or !10.0.0.1',
      ],
    ],
    [
      "a taint",
      "machine: {nodeTaints: {a: 'b:NoScedule'}}",
      [
        'v1alpha1: machine.nodeTaints.a: "b:NoScedule" has no effect that Kubernetes knows: write "<value>:<effect>", the effect one of NoSchedule, PreferNoSchedule, NoExecute',
      ],
    ],
    [
      "a kubelet setting of Talos",
      "machine: {kubelet: {extraConfig: {staticPodPath: /x}}}",
      [
        "v1alpha1: machine.kubelet.extraConfig.staticPodPath: can't be set: Talos sets it itself; leave it out",
      ],
    ],
    [
      "an address of the cluster's DNS that is none",
      "machine: {kubelet: {clusterDNS: [10.96.0.10, no-address]}}",
      [
        'v1alpha1: machine.kubelet.clusterDNS[1]: "no-address" is not an IP address of a DNS server, like 10.96.0.10',
      ],
    ],
    [
      "values that Talos hands on unread",
      "machine: {time: {servers: [time.aws.com, 'a b']}, certSANs: ['*.example.com', 'https://a']}",
      [
        'v1alpha1: machine.time.servers[1]: "a b" is not a host name or an IP address',
        'v1alpha1: machine.certSANs[4]: "https://a" is not a DNS name or an IP address',
      ],
    ],
    [
      "values that Kubernetes would refuse",
      "cluster: {proxy: {mode: userspace}, apiServer: {resources: {requests: {cpu: 200m, memory: 1Gigabyte}}}, extraManifests: [a.yaml]}",
      [
        'v1alpha1: cluster.extraManifests[0]: "a.yaml" is not a URL, like https://example.com/manifest.yaml',
        'v1alpha1: cluster.proxy.mode: "userspace" is not allowed: has to be one of "iptables", "ipvs", "nftables"',
        'v1alpha1: cluster.apiServer.resources.requests.memory: "1Gigabyte" is not a quantity, like "100m" for cpu or "512Mi" for memory',
      ],
    ],
    [
      "ports that are none",
      "machine: {features: {kubePrism: {port: 70000}}}",
      ["v1alpha1: machine.features.kubePrism.port: 70000 is not a port: ports are 1 to 65535"],
    ],
    [
      "manifests of the same name",
      "cluster: {inlineManifests: [{name: a, contents: x}, {name: a, contents: y}]}",
      [
        'v1alpha1: cluster.inlineManifests[1].name: "a" is there twice: give each manifest a unique name',
      ],
    ],
    [
      "URLs for a CNI that has none",
      "cluster: {network: {cni: {name: none, urls: ['https://a/b']}}}",
      [
        'v1alpha1: cluster.network.cni.urls: have no effect with the CNI "none": set name to "custom", or leave them out',
      ],
    ],
    [
      "KubeSpan without discovery",
      "machine: {network: {kubespan: {enabled: true, mtu: 1000}}}\ncluster: {discovery: {enabled: false}}",
      [
        "v1alpha1: cluster.discovery.enabled: has to be true: KubeSpan finds its peers through it",
        "v1alpha1: machine.network.kubespan.mtu: 1000 is too small: IPv6 needs at least 1280",
      ],
    ],
    [
      "a configuration that is not kept",
      "persist: false",
      ["v1alpha1: persist: has to be true: Talos no longer runs without keeping its configuration"],
    ],
    [
      "resources that can't be limited",
      "cluster: {apiServer: {resources: {limits: {gpu: 1}}}}",
      [
        "v1alpha1: cluster.apiServer.resources.limits.gpu: can't be limited: only cpu and memory can",
      ],
    ],
    [
      "interfaces",
      "machine: {network: {interfaces: [{addresses: [10.0.0.300/24]}, {interface: eth1, deviceSelector: {busPath: x}}]}}",
      [
        'v1alpha1: machine.network.interfaces[0]: says for no interface what to do: set "interface" or "deviceSelector"',
        'v1alpha1: machine.network.interfaces[0].addresses[0]: "10.0.0.300/24" is not an address, like 10.0.0.10/24',
        'v1alpha1: machine.network.interfaces[1]: set either "interface" or "deviceSelector", not both',
      ],
    ],
    [
      "a bond",
      "machine: {network: {interfaces: [{interface: bond0, bond: {mode: 802.3ad, interfaces: [eth1], miimon: 100, updelay: 150}}, {interface: eth1, dhcp: true}]}}",
      [
        "v1alpha1: machine.network.interfaces[0].bond.updelay: 150 has to be a multiple of miimon, which is 100",
        "v1alpha1: machine.network.interfaces[1]: is part of a bond or bridge and can't have addresses of its own: give the addresses to the bond or bridge",
      ],
    ],
    [
      "a WireGuard key",
      "machine: {network: {interfaces: [{interface: wg0, wireguard: {privateKey: s3cret}}]}}",
      [
        "v1alpha1: machine.network.interfaces[0].wireguard.privateKey: has to be a WireGuard key: 32 bytes in base64, as `wg genkey` and `wg pubkey` write them",
      ],
    ],
  ])("%s", (_, patch, expected) => {
    expect(problemsAfter(patch)).toEqual(expected);
  });

  test("a worker with fields of control plane machines", () => {
    const patch =
      "machine: {ca: {crt: YWJj, key: s3cret==}}\ncluster: {etcd: {}, ca: {crt: YWJj, key: YWJj}}";
    expect(problemsAfter(patch, "worker")).toEqual([
      "v1alpha1: machine.ca.key: must not be on a worker: an attacker on a worker could become administrator of all machines",
      "v1alpha1: cluster.etcd: runs on control plane machines only: leave it out on workers",
      "v1alpha1: cluster.ca.key: must not be on a worker: an attacker on a worker could become administrator of the cluster",
    ]);
  });

  test("a machine of another type than intended", () => {
    const problems = validateDocuments(configuration("worker"), {
      ...options,
      machineType: "controlplane",
    });
    expect(problems.map(format)).toEqual([
      'v1alpha1: machine.type: "worker" has to be "controlplane", the type of this machine',
    ]);
  });

  test("all missing required fields are reported at once, with their purpose", () => {
    const documents = [{ version: "v1alpha1", machine: { type: "controlplane" }, cluster: {} }];
    expect(validateDocuments(documents, options).map(({ path }) => path)).toEqual([
      "machine.token",
      "machine.ca.crt",
      "machine.ca.key",
      "cluster.controlPlane.endpoint",
      "cluster.token",
    ]);
  });

  test("without a type, no problem that depends on it is reported", () => {
    const [document, ...others] = configuration("controlplane");
    const { type: _, ...machine } = (document?.machine ?? {}) as ConfigDocument;
    const problems = validateDocuments([{ ...document, machine }, ...others], options);
    expect(problems.map(format)).toEqual([
      'v1alpha1: machine.type: is required: "controlplane" or "worker"',
    ]);
  });
});

describe("other documents", () => {
  test.each<readonly [string, Patch, readonly string[]]>([
    [
      "HostnameConfig",
      "{apiVersion: v1alpha1, kind: HostnameConfig, hostname: a}",
      [
        'HostnameConfig: hostname: can\'t be set together with auto "stable": set auto to "off" (in quotes or not), or leave the hostname out',
      ],
    ],
    [
      "KmsgLogConfig",
      "{apiVersion: v1alpha1, kind: KmsgLogConfig, name: a, url: 'tcp://10.0.0.1/x'}",
      [
        'KmsgLogConfig/a: url: "tcp://10.0.0.1/x" has to be tcp:// or udp:// with a host and a port and nothing after, like tcp://10.0.0.1:5140',
      ],
    ],
    [
      "UserVolumeConfig",
      "{apiVersion: v1alpha1, kind: UserVolumeConfig, name: 'a b', provisioning: {diskSelector: {match: 'disk.size >'}, minSize: 10GiB, maxSize: 1GB}}",
      [
        'UserVolumeConfig/a b: provisioning.diskSelector.match: "disk.size >" is not a CEL expression: something is missing after ">"',
        'UserVolumeConfig/a b: name: "a b" is not a name for a volume: 1 to 34 letters, digits and hyphens',
        'UserVolumeConfig/a b: provisioning.maxSize: "1GB" is less than minSize, "10GiB"',
      ],
    ],
    [
      "VolumeConfig",
      "{apiVersion: v1alpha1, kind: VolumeConfig, name: data, encryption: {provider: luks2, keys: [{slot: 0}, {slot: 0, nodeID: {}}]}}",
      [
        'VolumeConfig/data: name: "data" is not a volume of Talos: STATE, EPHEMERAL, IMAGECACHE; for another volume use UserVolumeConfig',
        "VolumeConfig/data: encryption.keys[0]: has no kind: set one of static, nodeID, kms, tpm",
        "VolumeConfig/data: encryption.keys[1].slot: 0 is taken by another key: give each key its own slot",
      ],
    ],
    [
      "NetworkRuleConfig",
      "{apiVersion: v1alpha1, kind: NetworkRuleConfig, name: a, portSelector: {ports: [80-90, 85, 99999], protocol: tcp}, ingress: [{subnet: x}]}",
      [
        "NetworkRuleConfig/a: portSelector.ports[2]: 99999 is above 65535",
        'NetworkRuleConfig/a: ingress[0].subnet: "x" is not a network in CIDR notation, like 10.0.0.0/8',
        'NetworkRuleConfig/a: portSelector.ports[1]: 85 overlaps with "80-90": each port may be there once',
      ],
    ],
    [
      "RegistryAuthConfig",
      "{apiVersion: v1alpha1, kind: RegistryAuthConfig, name: a, username: u, password: s3cret, auth: s3cret}",
      ["RegistryAuthConfig/a: has several kinds of credentials: keep only one of username, auth"],
    ],
    [
      "RegistryTLSConfig",
      "{apiVersion: v1alpha1, kind: RegistryTLSConfig, name: a, ca: x}",
      [
        'RegistryTLSConfig/a: ca: has to be a certificate in PEM, with a line "-----BEGIN CERTIFICATE-----"',
      ],
    ],
    [
      "TimeSyncConfig beside machine.time",
      "machine: {time: {servers: [a]}}\n---\n{apiVersion: v1alpha1, kind: TimeSyncConfig, ntp: {servers: [b]}}",
      [
        "v1alpha1: machine.time.servers: can't be set together with the document TimeSyncConfig: leave it out, or leave the document TimeSyncConfig out",
      ],
    ],
    [
      "ResolverConfig beside nameservers",
      "machine: {network: {nameservers: [10.0.0.300, 10.0.0.2]}}\n---\n{apiVersion: v1alpha1, kind: ResolverConfig}",
      [
        'v1alpha1: machine.network.nameservers[0]: "10.0.0.300" is not an IP address, like 10.0.0.2',
        "v1alpha1: machine.network.nameservers: can't be set together with the document ResolverConfig: leave it out, or leave the document ResolverConfig out",
      ],
    ],
    [
      "ResolverConfig beside nameservers that are none",
      "machine: {network: {nameservers: [10.0.0.300]}}\n---\n{apiVersion: v1alpha1, kind: ResolverConfig}",
      [
        'v1alpha1: machine.network.nameservers[0]: "10.0.0.300" is not an IP address, like 10.0.0.2',
      ],
    ],
    [
      "two documents for one link",
      "{apiVersion: v1alpha1, kind: LinkConfig, name: eth0}\n---\n{apiVersion: v1alpha1, kind: DummyLinkConfig, name: eth0}",
      ["DummyLinkConfig/eth0: can't be together with LinkConfig/eth0: both are for the same thing"],
    ],
    [
      "a word that is not among the allowed",
      "{apiVersion: v1alpha1, kind: NetworkDefaultActionConfig, ingress: blok}",
      [
        'NetworkDefaultActionConfig: ingress: "blok" is not allowed: did you mean "block"? It has to be one of "accept", "block"',
      ],
    ],
  ])("%s", (_, patch, expected) => {
    // what a patch refuses for itself, the document says too
    const documents = [...configuration("controlplane")];
    for (const document of decodeDocuments(patch as string)) {
      const present = documents.findIndex(({ kind }) => kind === document.kind);
      if (present === -1) {
        documents.push(document);
      } else {
        documents[present] = { ...documents[present], ...merged(documents[present], document) };
      }
    }
    expect(validateDocuments(documents, options).map(format)).toEqual(expected);
  });

  test("unknown and duplicate documents, all at once", () => {
    const unknown = { apiVersion: "v1alpha1", kind: "KmsgLogConfg", name: "a" };
    const documents = [...configuration("worker"), unknown];
    expect(validateDocuments([...documents, documents[1] ?? {}], options).map(format)).toEqual([
      'KmsgLogConfg/a: kind: "KmsgLogConfg" is not a kind of document that Talos v1.12 knows; did you mean "KmsgLogConfig"?',
      "HostnameConfig: is there more than once: put everything for it into one document",
    ]);
  });

  test("an empty registry", () => {
    const config = { machine: { registries: { mirrors: { "docker.io": null } } } };
    expect(validateDocuments([config], options).map(format)).toContain(
      'v1alpha1: machine.registries.mirrors["docker.io"]: has to be a mapping of keys, not nothing',
    );
  });

  test("documents without the machine configuration are rejected", () => {
    expect(validateDocuments([], options).map(format)).toEqual([
      "the machine configuration is missing: the document without a kind, with machine and cluster",
    ]);
  });
});

test("numbers and booleans are valid if Talos reads them as text", () => {
  expect(
    problemsAfter({
      machine: { sysctls: { "vm.max_map_count": 262144 }, nodeLabels: { gpu: true } },
    }),
  ).toEqual([]);
  const [document, ...others] = configuration("worker");
  const machine = { ...(document?.machine as ConfigDocument), sysctls: { a: 1 } };
  expect(validateDocuments([{ ...document, machine }, ...others], options)).toEqual([]);
});

test("no message holds a secret", () => {
  const patch = {
    machine: {
      token: "",
      network: { interfaces: [{ interface: "wg0", wireguard: { privateKey: "s3cret" } }] },
    },
    cluster: { secretboxEncryptionSecret: "s3cret" },
  };
  const [document, ...others] = applyPatches(configuration("controlplane"), [patch]);
  const machine = document?.machine as ConfigDocument;
  const broken = {
    ...document,
    machine: { ...machine, token: { s3cret: "s3cret" }, ca: { crt: "x", key: "s3cret!" } },
  };
  const problems = validateDocuments([broken, ...others], options).map(format);
  expect(problems.length).toBeGreaterThanOrEqual(5);
  expect(problems.map((line) => line.replace("machine.token.s3cret", "")).join("\n")).not.toContain(
    "s3cret",
  );
});

/** The sections of a document, one level deep, with those of another over them. */
function merged(left: ConfigDocument | undefined, right: ConfigDocument): ConfigDocument {
  return Object.fromEntries(
    Object.entries(right).map(([key, value]) => {
      const old = left?.[key];
      return [key, isObject(old) && isObject(value) ? { ...old, ...value } : value];
    }),
  );
}

function isObject(value: unknown): value is ConfigDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
