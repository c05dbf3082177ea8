import {
  componentTable,
  isInMinors,
  knownMinors,
  type FlagEntry,
} from "../../../../provider/config/componentTable";
import { etcdFlagTable } from "../../../../provider/config/etcdFlags";
import type { KubernetesComponent } from "../../../../provider/config/kubernetesRemovals";
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
  ["apiServer", "profiling", "maybe", 'profiling: "maybe" is not "true" or "false"'],
  ["apiServer", "event-ttl", "3", 'event-ttl: "3" is not a duration with units'],
  ["controllerManager", "concurrent-gc-syncs", "4e9", '"4e9" is not a whole number of 32 bits'],
  ["controllerManager", "concurrent-gc-syncs", "3000000000", "at most 2147483647"],
  ["scheduler", "kube-api-qps", "fast", '"fast" is not a number'],
  ["kubelet", "max_pods", "many", 'max_pods: "many" is not a whole number'],
  ["kubelet", "address", "10.0.0.300", '"10.0.0.300" is not an IP address'],
  ["etcd", "snapshot-count", "-1", '"-1" is not a whole number that isn\'t negative'],
  ["etcd", "snapshot-count", ["5", "x"], 'snapshot-count[1]: "x" is not'],
])("%s refuses a value of another type: %s %j", (program, flag, value, message) => {
  const version = program === "etcd" ? "v3.6.7" : "v1.35.0";
  expect(problems(program, version, { [flag]: value })).toEqual([expect.stringContaining(message)]);
});

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
      const value = FITTING[type] ?? (name === "feature-gates" ? "AllAlpha=false" : "x");
      const spellings = program === "etcd" ? [name] : [name, name.replaceAll("-", "_")];
      for (const spelling of spellings) {
        expect(problems(program, version, { [spelling]: value })).toEqual([]);
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
