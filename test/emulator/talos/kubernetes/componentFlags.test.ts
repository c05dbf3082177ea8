import { startRefusal } from "../../../../emulator/talos/kubernetes/componentFlags";

// The words of the programs of v1.35.0, and of etcd v3.6.7.
test.each<readonly [string, string, Record<string, string | string[]>, string | undefined]>([
  [
    "kube-apiserver",
    "v1.35.0",
    { v: "2", profiling: "false", "audit-log-mode": "batch" },
    undefined,
  ],
  ["kube-apiserver", "v1.35.0", { "no-such-flag": "1" }, "unknown flag: --no-such-flag"],
  ["kube-apiserver", "v1.35.0", { service_account_issuer: "https://a" }, undefined],
  [
    "kube-apiserver",
    "v1.35.0",
    { profiling: "maybe" },
    'invalid argument "maybe" for "--profiling" flag: parsing "maybe": invalid syntax',
  ],
  [
    "kube-apiserver",
    "v1.35.0",
    { "feature-gates": "NoGate=true" },
    "unrecognized feature gate: NoGate",
  ],
  [
    "kube-apiserver",
    "v1.35.0",
    { enable_admission_plugins: ["NodeRestriction", "NoPlugin"] },
    'enable-admission-plugins plugin "NoPlugin" is unknown',
  ],
  ["kube-apiserver", "v1.32.0", { "cloud-provider": "external" }, undefined],
  ["kube-apiserver", "v1.33.0", { "cloud-provider": "external" }, "unknown flag: --cloud-provider"],
  ["kube-controller-manager", "v1.35.0", { "cloud-provider": "external" }, undefined],
  [
    "kube-controller-manager",
    "v1.35.0",
    { "feature-gates": "NoGate" },
    "missing bool value for NoGate",
  ],
  [
    "kube-scheduler",
    "v1.36.3",
    { "feature-gates": "ControllerManagerReleaseLeaderElectionLockOnExit=true" },
    "unrecognized feature gate: ControllerManagerReleaseLeaderElectionLockOnExit",
  ],
  [
    "kube-scheduler",
    "v1.33.0",
    { "feature-gates": "kube:WatchFromStorageWithoutResourceVersion=true" },
    "cannot set feature gate WatchFromStorageWithoutResourceVersion to true, feature is locked to false",
  ],
  ["kubelet", "v1.36.3", { storage_driver_user: "a" }, undefined],
  ["kubelet", "v1.37.2", { storage_driver_user: "a" }, "unknown flag: --storage_driver_user"],
  ["etcd", "v3.6.7", { "max-txn-ops": "256" }, undefined],
  ["etcd", "v3.6.7", { max_txn_ops: "256" }, "flag provided but not defined: -max_txn_ops"],
  [
    "etcd",
    "v3.6.7",
    { "max-txn-ops": "many" },
    'invalid value "many" for flag -max-txn-ops: parse error',
  ],
  ["etcd", "v3.7.1", { "enable-v2": "true" }, "flag provided but not defined: -enable-v2"],
])("%s %s with %j ends with %j", (program, release, extraArgs, refusal) => {
  const image = `registry.invalid/${program}:${release}`;
  expect(startRefusal({ program, extraArgs, image })).toBe(refusal);
});

test("a kubelet ends with a gate of its file that it doesn't know", () => {
  const start = { program: "kubelet", extraArgs: {}, image: "a/kubelet:v1.35.0" };
  expect(startRefusal({ ...start, featureGates: { NoGate: true } })).toBe(
    "unrecognized feature gate: NoGate",
  );
  expect(startRefusal({ ...start, featureGates: { AllAlpha: false } })).toBeUndefined();
});
