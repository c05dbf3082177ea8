import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { talosMinor } from "../../../../provider/config/releases/talosMinor";
import { kubeletSchemas } from "../../../../provider/config/schema/kubeletSchemas";
import { talosSchema, talosSchemas } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { talosSources } from "../../talosSources";
import { fillPlaceholders } from "../placeholders";

/** What is wrong with a worker whose `machine.kubelet` is patched. */
function problems(kubelet: string, release = "v1.12"): string[] {
  const file = join(__dirname, "../testdata/generate/v1.12/worker.yaml");
  const documents = decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")));
  const schema = talosSchema(release);
  const patch = `machine: {kubelet: ${kubelet}}`;
  const patched = applyPatches(documents, [patch], { schema });
  return validateDocuments(patched, { schema }).map(({ path, message }) =>
    `${path}: ${message}`.replace("machine.kubelet.", ""),
  );
}

test.each<readonly [name: string, kubelet: string, refusals: readonly string[]]>([
  [
    "a misspelt setting, and a duration as a number",
    "{extraConfig: {imageGcHighThresholdPercent: 70, shutdownGracePeriod: 30}}",
    [
      'extraConfig.imageGcHighThresholdPercent: is no setting of kubelet that Talos v1.12 knows; did you mean "imageGCHighThresholdPercent"?',
      "extraConfig.shutdownGracePeriod: has to be a text, not 30",
    ],
  ],
  [
    "a setting that doesn't exist",
    "{extraConfig: {noSuchThing: 1}}",
    [
      "extraConfig.noSuchThing: is no setting of kubelet that Talos v1.12 knows; it then can't start or change kubelet: leave it out",
    ],
  ],
  [
    "values that kubelet refuses when it starts",
    "{extraConfig: {maxPods: -1, oomScoreAdj: 2000, containerLogMaxFiles: 1, containerLogMonitorInterval: 1s, imageGCLowThresholdPercent: 101}}",
    [
      "extraConfig.containerLogMaxFiles: 1 is refused by kubelet, which then fails: it has to be at least 2",
      'extraConfig.containerLogMonitorInterval: "1s" is refused by kubelet, which then fails: it has to be at least 3s',
      "extraConfig.imageGCLowThresholdPercent: 101 is refused by kubelet, which then fails: it has to be 0 to 100",
      "extraConfig.imageGCLowThresholdPercent: 101 is refused by kubelet, which then fails: it has to be less than imageGCHighThresholdPercent, 85: set that too",
      "extraConfig.maxPods: -1 is refused by kubelet, which then fails: it has to be at least 0",
      "extraConfig.oomScoreAdj: 2000 is refused by kubelet, which then fails: it has to be -1000 to 1000",
    ],
  ],
  [
    "words that kubelet doesn't know",
    "{extraConfig: {topologyManagerPolicy: best, memorySwap: {swapBehavior: UnlimitedSwap}, logging: {format: xml}}}",
    [
      'extraConfig.logging.format: "xml" is not allowed: has to be one of "text", "json"',
      'extraConfig.memorySwap.swapBehavior: "UnlimitedSwap" is not allowed: did you mean "LimitedSwap"? It has to be one of "NoSwap", "LimitedSwap"',
      'extraConfig.topologyManagerPolicy: "best" is not allowed: has to be one of "none", "best-effort", "restricted", "single-numa-node"',
    ],
  ],
  [
    "amounts that kubelet can't read, and names that it doesn't know",
    "{extraConfig: {evictionHard: {memory.availabel: 1Gi, nodefs.available: 110%}, evictionSoft: {memory.available: '0'}, evictionSoftGracePeriod: {imagefs.available: soon}, evictionMinimumReclaim: {pid.available: 0%}, systemReserved: {cpus: '1', memory: 1GB}, kubeReserved: {cpu: '-1'}, containerLogMaxSize: 10 MB, reservedSystemCPUs: a-b, tlsCipherSuites: [AES]}}",
    [
      'extraConfig.containerLogMaxSize: "10 MB" is refused by kubelet, which then fails: it has to be a quantity, like "10Mi"',
      'extraConfig.evictionHard["memory.availabel"]: "1Gi" is refused by kubelet, which then fails: kubelet has no eviction signal "memory.availabel": there are memory.available, nodefs.available, nodefs.inodesFree, imagefs.available, imagefs.inodesFree, containerfs.available, containerfs.inodesFree, allocatableMemory.available, pid.available',
      'extraConfig.evictionHard["nodefs.available"]: "110%" is refused by kubelet, which then fails: it has to be at most 100%',
      'extraConfig.evictionMinimumReclaim["pid.available"]: "0%" is refused by kubelet, which then fails: it has to be more than 0%',
      'extraConfig.evictionSoftGracePeriod["imagefs.available"]: "soon" is refused by kubelet, which then fails: it has to be a duration, like 1m30s',
      'extraConfig.evictionSoft["memory.available"]: "0" is refused by kubelet, which then fails: evictionSoftGracePeriod has to name it too',
      'extraConfig.evictionSoft["memory.available"]: "0" is refused by kubelet, which then fails: it has to be a quantity above 0 or a share, like "200Mi" or "10%"',
      'extraConfig.kubeReserved.cpu: "-1" is refused by kubelet, which then fails: it has to be a quantity that isn\'t negative, like "100m" for cpu or "512Mi" for memory',
      'extraConfig.reservedSystemCPUs: "a-b" is refused by kubelet, which then fails: it has to be a list of processors, like 0,2-3',
      'extraConfig.systemReserved.cpus: "1" is refused by kubelet, which then fails: kubelet can\'t reserve "cpus": it can reserve cpu, memory, ephemeral-storage, pid',
      'extraConfig.systemReserved.memory: "1GB" is refused by kubelet, which then fails: it has to be a quantity that isn\'t negative, like "100m" for cpu or "512Mi" for memory',
      'extraConfig.tlsCipherSuites[0]: "AES" is refused by kubelet, which then fails: it has to be a cipher suite, like TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    ],
  ],
  [
    "policies that kubelet doesn't have, and a limit between restarts",
    "{image: 'ghcr.io/siderolabs/kubelet:v1.34.0', extraConfig: {cpuManagerPolicy: statics, memoryManagerPolicy: static, tlsMinVersion: '1.3', crashLoopBackOff: {maxContainerRestartPeriod: 10s}}}",
    [
      'extraConfig.cpuManagerPolicy: "statics" is not allowed: did you mean "static"? It has to be one of "none", "static"',
      'extraConfig.crashLoopBackOff.maxContainerRestartPeriod: "10s" is refused by kubelet, which then fails: it needs the feature gate KubeletCrashLoopBackOffMax, which is off',
      'extraConfig.memoryManagerPolicy: "static" is not allowed: did you mean "Static"? It has to be one of "None", "Static"',
      'extraConfig.tlsMinVersion: "1.3" is not allowed: has to be one of "VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"',
    ],
  ],
  [
    "settings that don't fit the defaults of others",
    "{extraConfig: {imageGCHighThresholdPercent: 70, shutdownGracePeriod: 5s}}",
    [
      "extraConfig.imageGCHighThresholdPercent: 70 is refused by kubelet, which then fails: it has to be more than imageGCLowThresholdPercent, 80: set that too",
      'extraConfig.shutdownGracePeriod: "5s" is refused by kubelet, which then fails: shutdownGracePeriodCriticalPods, without a setting 10s, has to be at most shutdownGracePeriod, without a setting 30s',
    ],
  ],
  [
    "settings of wrong types, also inside others",
    "{extraConfig: {maxPods: many, logging: {verbosity: high, option: {}}, evictionHard: {memory.available: 5}, registerWithTaints: [{key: 1}]}}",
    [
      'extraConfig.evictionHard["memory.available"]: has to be a text, not 5',
      'extraConfig.logging.option: is no setting of kubelet that Talos v1.12 knows; did you mean "options"?',
      'extraConfig.logging.verbosity: has to be a whole number, not "high"',
      'extraConfig.maxPods: has to be a whole number, not "many"',
      "extraConfig.registerWithTaints[0].key: has to be a text, not 1",
    ],
  ],
  [
    "a duration without a unit",
    "{extraConfig: {shutdownGracePeriod: '30'}}",
    ['extraConfig.shutdownGracePeriod: "30" is not a duration with units, like 1h30m or 10s'],
  ],
  [
    "a setting that Talos sets itself, once",
    "{extraConfig: {port: 10250, authentication: {anything: 1}}}",
    [
      "extraConfig.authentication: can't be set: Talos sets it itself; leave it out",
      "extraConfig.port: can't be set: Talos sets it itself; leave it out",
    ],
  ],
  [
    "DNS servers that are no addresses",
    "{clusterDNS: [no-address], extraConfig: {clusterDNS: [10.0.0.300]}}",
    [
      'clusterDNS[0]: "no-address" is not an IP address of a DNS server, like 10.96.0.10',
      'extraConfig.clusterDNS[0]: "10.0.0.300" is not an IP address of a DNS server, like 10.96.0.10',
    ],
  ],
])("refuses %s", (_name, kubelet, refusals) => {
  expect(problems(kubelet).sort()).toEqual(refusals);
});

test("accepts settings of every type", () => {
  const settings = [
    "maxPods: 200",
    "shutdownGracePeriod: 30s",
    "imageGCHighThresholdPercent: 70",
    "imageGCLowThresholdPercent: 60",
    "containerLogMonitorInterval: 3s",
    "topologyManagerPolicy: single-numa-node",
    "serverTLSBootstrap: true",
    "clusterDNS: [10.96.0.10]",
    "featureGates: {UserNamespacesSupport: true, KubeletCrashLoopBackOffMax: true}",
    "crashLoopBackOff: {maxContainerRestartPeriod: 10s}",
    "systemReserved: {cpu: 100m, memory: 1.5Gi, ephemeral-storage: '1000000', pid: '100'}",
    "evictionHard: {memory.available: 200Mi, nodefs.available: 10%, imagefs.inodesFree: 0.5%}",
    "evictionSoft: {memory.available: 1Gi}",
    "evictionSoftGracePeriod: {memory.available: 1m30s}",
    "evictionMinimumReclaim: {memory.available: '0'}",
    "cpuManagerPolicy: static",
    "reservedSystemCPUs: '0,2-3'",
    "containerLogMaxSize: 50Mi",
    "tlsMinVersion: VersionTLS13",
    "tlsCipherSuites: [TLS_AES_128_GCM_SHA256]",
    "registerWithTaints: [{key: a, effect: NoSchedule}]",
    "memorySwap: {swapBehavior: LimitedSwap}",
    "reservedMemory: [{numaNode: 0, limits: {memory: 100Mi, hugepages-2Mi: 0}}]",
    "logging: {format: text, flushFrequency: 5s, options: {json: {infoBufferSize: 64Ki}}}",
    "allowedUnsafeSysctls: null",
  ];
  expect(problems(`{extraConfig: {${settings.join(", ")}}}`)).toEqual([]);
});

test("says since which Talos a setting exists", () => {
  const [newest = 0] = [...kubeletSchemas.keys()].reverse();
  const names = (minor: number) =>
    Object.keys(
      kubeletSchemas.get(minor)?.file.$defs["v1beta1.KubeletConfiguration"]?.properties ?? {},
    );
  const [added] = names(13).filter((name) => !names(12).includes(name));
  expect(newest).toBe(14);
  expect(problems(`{extraConfig: {${added ?? ""}: {}}}`)).toEqual([
    `extraConfig.${added ?? ""}: is no setting of kubelet that Talos v1.12 knows: it exists since v1.13`,
  ]);
});

test("every Talos whose source is known has its settings, and none is left without", () => {
  const minors = talosSources.map(({ release }) => talosMinor(release));
  expect([...kubeletSchemas.keys()]).toEqual(minors);
  expect([...talosSchemas.keys()].filter((minor) => !kubeletSchemas.has(minor))).toEqual([]);
});
