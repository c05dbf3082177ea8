import {
  componentTable,
  isInMinors,
  knownMinors,
  type FlagEntry,
  type KubernetesComponent,
} from "../../../../provider/config/flags/componentTable";
import { etcdFlagTable } from "../../../../provider/config/flags/etcdFlags";
import type { YamlValue } from "../../../../provider/config/machineConfig";
import { deniedFlags, type FlaggedProgram } from "../../../../provider/config/rules/deniedFlags";
import { DocumentView } from "../../../../provider/config/rules/documentView";
import { BINARIES, checkFlagsOf } from "../../../../provider/config/rules/flagRules";

const components = Object.keys(componentTable.flags) as KubernetesComponent[];
const minors = Object.keys(componentTable.releases).map(Number);

/** What is wrong with a program's flags, without the place of a flag that has one. */
function problems(
  program: FlaggedProgram,
  version: string,
  extraArgs: Record<string, YamlValue>,
): string[] {
  const image = `registry.k8s.io/${BINARIES[program]}:${version}`;
  const view = new DocumentView({ image, extraArgs }, 13);
  checkFlagsOf(view, program, []);
  return view.problems.map(
    ({ path, message }) => `${path.replace(/^extraArgs\W?/, "")}: ${message}`,
  );
}

test.each<readonly [FlaggedProgram, string, Record<string, YamlValue>, string]>([
  [
    "apiServer",
    "v1.35.0",
    { "cloud-provider": "external" },
    'cloud-provider: Kubernetes v1.35 has no flag "cloud-provider" of kube-apiserver, which fails to start with it: it was removed in v1.33: leave it out, with an "up" of its own before an upgrade',
  ],
  [
    "apiServer",
    "v1.35.0",
    { log_file: "/a" },
    'log_file: Kubernetes v1.35 has no flag "log_file" of kube-apiserver, which fails to start with it: it was removed in v1.26: leave it out, with an "up" of its own before an upgrade',
  ],
  [
    "kubelet",
    "v1.35.0",
    { "rotate-server-certificate": "true" },
    'rotate-server-certificate: Kubernetes v1.35 has no flag "rotate-server-certificate" of kubelet, which fails to start with it: did you mean "rotate-server-certificates"?',
  ],
  [
    "scheduler",
    "v1.35.0",
    { "max-requests-inflight": "10" },
    'max-requests-inflight: Kubernetes v1.35 has no flag "max-requests-inflight" of kube-scheduler, which fails to start with it: it is a flag of kube-apiserver: leave it out',
  ],
  [
    "apiServer",
    "v1.32.0",
    { "emulation-forward-compatible": "true" },
    'emulation-forward-compatible: Kubernetes v1.32 has no flag "emulation-forward-compatible" of kube-apiserver, which fails to start with it: it exists since v1.33: leave it out',
  ],
  [
    "proxy",
    "v1.35.0",
    { "no-such-flag": "1" },
    'no-such-flag: Kubernetes v1.35 has no flag "no-such-flag" of kube-proxy, which fails to start with it: leave it out',
  ],
  [
    "etcd",
    "v3.6.7",
    { quota_backend_bytes: "1" },
    'quota_backend_bytes: etcd 3.6 has no flag "quota_backend_bytes" of etcd, which fails to start with it: did you mean "quota-backend-bytes"?',
  ],
  [
    "etcd",
    "v3.7.1",
    { "enable-v2": "true" },
    'enable-v2: etcd 3.7 has no flag "enable-v2" of etcd, which fails to start with it: it was removed in 3.6: leave it out, with an "up" of its own before an upgrade',
  ],
])("%s %s refuses %j", (program, version, args, message) => {
  expect(problems(program, version, args)).toEqual([message]);
});

test.each<readonly [FlaggedProgram, string, YamlValue, string]>([
  ["apiServer", "tls-min-version", "TLS1.2", '"TLS1.2" is not one of "VersionTLS10"'],
  [
    "scheduler",
    "tls_cipher_suites",
    "TLS_AES_128_GCM_SHA256,AES",
    "is not a list of cipher suites",
  ],
  ["apiServer", "goaway-chance", "0.5", '"0.5" is not 0 to 0.02'],
  ["apiServer", "request-timeout", "-1s", '"-1s" is not at least 0s'],
  ["apiServer", "service-account-max-token-expiration", "10m", '"10m" is not at least 1h'],
  ["apiServer", "service-node-port-range", "30000-70000", "is not a range of ports"],
  ["apiServer", "service-node-port-range", "32767-30000", "is not a range of ports"],
  ["apiServer", "storage-backend", "etcd2", '"etcd2" is not "etcd3"'],
  ["apiServer", "audit-log-mode", "async", 'is not one of "batch"'],
  ["apiServer", "runtime-config", "v1=true", "is not a list of versions of the API"],
  ["apiServer", "authorization-mode", "Node,Rbac", "is not a list of AlwaysAllow"],
  ["apiServer", "authorization-mode", "Node, RBAC", "is not a list of AlwaysAllow"],
  [
    "apiServer",
    "tls-cipher-suites",
    "TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384",
    "is not a list of cipher",
  ],
  ["apiServer", "authorization-mode", "ABAC", "needs authorization-policy-file too"],
  ["apiServer", "oidc-username-claim", "a", "needs oidc-issuer-url and oidc-client-id too"],
  ["controllerManager", "cloud-provider", "aws", '"aws" is not "external"'],
  ["controllerManager", "concurrent-job-syncs", "0", '"0" is not at least 1'],
  ["kubelet", "eviction-hard", "memory.avail<1Gi", 'has no eviction signal "memory.avail"'],
  ["kubelet", "eviction-hard", "memory.available=1Gi", "is not a list like a<b"],
  ["kubelet", "eviction-soft", "nodefs.available<110%", "at most 100%"],
  ["kubelet", "eviction-hard", "memory.available<0", "a quantity above 0"],
  ["kubelet", "eviction-minimum-reclaim", "memory.available=0%", "more than 0%"],
  ["kubelet", "system-reserved", "cpus=1", 'can\'t reserve "cpus"'],
  ["kubelet", "kube-reserved", "memory=1GB", "has to be a quantity"],
  ["kubelet", "cpu-manager-policy", "dynamic", 'is not one of "none", "static"'],
  ["kubelet", "reserved-cpus", "3-1", "is not a list of processors"],
  ["proxy", "proxy-mode", "userspace", 'is not one of "iptables"'],
  ["proxy", "cluster-cidr", "10.0.0.0", "is not a network in CIDR notation"],
  ["etcd", "auto-compaction-mode", "hourly", 'is not one of "periodic", "revision"'],
  ["etcd", "auto-compaction-retention", "1d", "is not a number, or a duration"],
  ["etcd", "election-timeout", "60000", '"60000" is not 1 to 50000'],
  ["etcd", "log-level", "verbose", 'is not one of "debug"'],
  ["apiServer", "profiling", "maybe", 'profiling: "maybe" is not "true" or "false"'],
  ["apiServer", "event-ttl", "3", 'event-ttl: "3" is not a duration with units'],
  ["controllerManager", "concurrent-gc-syncs", "4e9", '"4e9" is not a whole number of 32 bits'],
  ["controllerManager", "concurrent-gc-syncs", "3000000000", "at most 2147483647"],
  ["scheduler", "kube-api-qps", "fast", '"fast" is not a number'],
  ["kubelet", "max_pods", "many", 'max_pods: "many" is not a whole number'],
  ["kubelet", "address", "10.0.0.300", '"10.0.0.300" is not an IP address'],
  ["etcd", "snapshot-count", "-1", '"-1" is not a whole number that isn\'t negative'],
  ["etcd", "snapshot-count", ["5", "x"], 'snapshot-count[1]: "x" is not'],
])(
  "%s refuses a value of another type, or beyond its bounds: %s %j",
  (program, flag, value, message) => {
    const version = program === "etcd" ? "v3.6.7" : "v1.35.0";
    expect(problems(program, version, { [flag]: value })).toEqual([
      expect.stringContaining(message),
    ]);
  },
);

test.each([
  [
    "NoGate=true",
    'has no feature gate "NoGate", and its components fail to start with it: leave it out',
  ],
  ["NodeSwapp=true", 'did you mean "NodeSwap"?'],
  [
    "AppArmor=true",
    'feature gate "AppArmor", and its components fail to start with it: it was removed in v1.33',
  ],
  ["NodeSwap", 'the feature gate "NodeSwap" needs a value, "NodeSwap=true" or "NodeSwap=false"'],
  ["NodeSwap=yes", 'the feature gate "NodeSwap" needs a value'],
  [
    "AllAlpha=false, NodeSwap=false",
    'the feature gate "NodeSwap" is always true since Kubernetes v1.34',
  ],
  ["kube:NoGate=true", 'has no feature gate "NoGate"'],
])("the feature gates %s are refused", (value, message) => {
  for (const flag of ["feature-gates", "feature_gates"]) {
    expect(problems("kubelet", "v1.35.0", { [flag]: value })).toEqual([
      expect.stringContaining(message),
    ]);
  }
});

test("gates that fit are accepted, also several and those of an emulated minor", () => {
  const fitting = ["AllAlpha=true,NodeSwap=true", "kube:AllBeta=false"];
  expect(problems("apiServer", "v1.35.0", { "feature-gates": fitting })).toEqual([]);
  const emulated = { "feature-gates": "NodeSwap=false", "emulated-version": "1.33" };
  expect(problems("apiServer", "v1.35.0", emulated)).toEqual([]);
});

test("a gate that only some components have is refused by the others", () => {
  const args = { "feature-gates": "ControllerManagerReleaseLeaderElectionLockOnExit=true" };
  expect(problems("controllerManager", "v1.36.3", args)).toEqual([]);
  expect(problems("scheduler", "v1.36.3", args)).toEqual([
    expect.stringContaining("is a feature gate of other components"),
  ]);
});

test.each(["v1.27.4", "v1.99.0", "latest"])(
  "nothing is said of a Kubernetes that isn't known: %s",
  (version) => {
    expect(problems("apiServer", version, { "no-such-flag": "1", "feature-gates": "A=b" })).toEqual(
      [],
    );
  },
);

/** A value that fits a type of flag, if any text does not. */
const FITTING: Readonly<Record<string, string>> = {
  bool: "true",
  duration: "5s",
  Level: "2",
  int: "1",
  int32: "1",
  int64: "1",
  uint: "1",
  uint64: "1",
  float32: "0.5",
  float64: "0.5",
  float: "0.5",
  ip: "10.0.0.1",
};

/** A value of each flag that accepts some texts alone. */
const RIGHT: Readonly<Record<string, string>> = {
  "feature-gates": "AllAlpha=false",
  "tls-min-version": "VersionTLS12",
  "tls-cipher-suites": "TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
  "logging-format": "json",
  "goaway-chance": "0.001",
  "service-account-max-token-expiration": "24h",
  "service-account-jwks-uri": "https://a.example.com/keys",
  "oidc-issuer-url": "https://a.example.com",
  "service-node-port-range": "30000+2767",
  "storage-backend": "etcd3",
  "endpoint-reconciler-type": "lease",
  "audit-log-mode": "blocking-strict",
  "audit-webhook-mode": "batch",
  "audit-log-format": "json",
  "runtime-config": "batch/v2alpha1=true, api/beta=false",
  "cloud-provider": "external",
  "eviction-hard": "memory.available<200Mi,nodefs.available<10%",
  "eviction-soft": "memory.available<0.5Gi",
  "eviction-soft-grace-period": "memory.available=1m30s",
  "eviction-minimum-reclaim": "nodefs.available=0,imagefs.available=2Gi",
  "system-reserved": "cpu=100m,memory=1Gi,ephemeral-storage=1G,pid=100",
  "kube-reserved": "cpu=0.5",
  "cpu-manager-policy": "static",
  "topology-manager-policy": "single-numa-node",
  "topology-manager-scope": "pod",
  "hairpin-mode": "none",
  "reserved-cpus": "0,2-3",
  "container-log-max-files": "2",
  "proxy-mode": "ipvs",
  "detect-local-mode": "NodeCIDR",
  "cluster-cidr": "10.244.0.0/16,fd00::/56",
  "auto-compaction-mode": "periodic",
  "auto-compaction-retention": "30m",
  "log-level": "warn",
  "log-format": "console",
  "initial-cluster-state": "existing",
};

/** The same of flags that etcd gives other values. */
const RIGHT_OF_ETCD: Readonly<Record<string, string>> = { ...RIGHT, "tls-min-version": "TLS1.2" };

/** What has to be there too. */
const BESIDE: Readonly<Record<string, Record<string, YamlValue>>> = {
  oidc: { "oidc-issuer-url": "https://a.example.com", "oidc-client-id": "a" },
};

/** A flag of a program and one of its releases. */
const cells = [
  ...components.flatMap((program) =>
    minors.map((minor) => ({
      program,
      version: `v1.${minor}.0`,
      flags: inMinor(componentTable.flags[program], minor),
    })),
  ),
  ...Object.entries(etcdFlagTable.releases).map(([minor, release]) => ({
    program: "etcd" as const,
    version: release,
    flags: inMinor(etcdFlagTable.flags, Number(minor)),
  })),
];

function inMinor(flags: Readonly<Record<string, FlagEntry>>, minor: number) {
  return Object.entries(flags).filter(([, entry]) => isInMinors(entry, minor));
}

const denied = (program: FlaggedProgram) => deniedFlags[program].flatMap(({ flags }) => flags);

test("every component has flags in every minor that some Talos runs, from 1.28", () => {
  expect(minors).toEqual(Array.from({ length: knownMinors.newest - 27 }, (_, index) => 28 + index));
  for (const { program, flags } of cells) {
    expect([program, flags.length > 50]).toEqual([program, true]);
  }
});

test.each(cells)(
  "$program $version accepts each of its flags in both spellings",
  ({ program, version, flags }) => {
    for (const [name, { type }] of flags.filter(([each]) => !denied(program).includes(each))) {
      const right = program === "etcd" ? RIGHT_OF_ETCD : RIGHT;
      const value =
        name === "authorization-mode" ? "Node,RBAC" : (right[name] ?? FITTING[type] ?? "x");
      const beside = BESIDE[name.replace(/-.*$/, "")] ?? {};
      const spellings = program === "etcd" ? [name] : [name, name.replaceAll("-", "_")];
      for (const spelling of spellings) {
        expect(problems(program, version, { ...beside, [spelling]: value })).toEqual([]);
      }
    }
  },
);

test.each(cells)(
  "$program $version refuses each of its flags with a letter too few",
  ({ program, version, flags }) => {
    const names = new Set(flags.map(([name]) => name));
    for (const [name] of flags) {
      const typo = name.slice(0, -1);
      if (typo.length > 2 && !names.has(typo) && !denied(program).includes(typo)) {
        expect(problems(program, version, { [typo]: "1" })).toEqual([
          expect.stringMatching(
            /has no flag .*, which fails to start with it: (?:did you mean|it )/,
          ),
        ]);
      }
    }
  },
);

test("kube-proxy takes nftables from Kubernetes v1.31 on", () => {
  expect(problems("proxy", "v1.31.0", { "proxy-mode": "nftables" })).toEqual([]);
  expect(problems("proxy", "v1.30.0", { "proxy-mode": "nftables" })).toEqual([
    expect.stringContaining('is not one of "iptables", "ipvs"'),
  ]);
});
