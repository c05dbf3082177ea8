import fc from "fast-check";
import type { MachineConfigInput } from "../../../provider/config/machineConfigInput";
import { supportedKubernetes } from "../../../provider/config/releases/supportTable";
import { talosMinor } from "../../../provider/config/releases/talosMinor";
import { contractHas } from "../../../provider/config/releases/versionContract";
import { evenRanges } from "../../provider/config/generate/arbitraryOptions";
import { newestKubernetes } from "../support/oracleRelease";

/** A contract, and a release of Talos that runs a configuration of it. */
export interface Generation {
  readonly versionContract: string;
  readonly talosVersion: string;
}

/** What a configuration is generated from, but for its secrets. */
export type Options = Omit<MachineConfigInput, "secretsBundle">;

const names = fc.constantFrom("talos.example.com", "10.0.0.9", "fd00::9", "a.b", "*.example.com");
const images = ["factory.talos.dev/aws-installer/abc:v1.12.1", "ghcr.io/x/installer:1"];
const mirrors = ["https://mirror.example.com", "http://10.0.0.2:5000/v2/x", "https://second"];

/** Options that Talos' own generator has too, all of them right. */
export function sharedOptions({
  versionContract,
  talosVersion,
}: Generation): fc.Arbitrary<Options> {
  const required = {
    clusterName: fc.constantFrom("example", "prod-1", "1.5", "yes", "null"),
    endpoint: fc.constantFrom(
      "https://api.example.com:6443",
      "https://10.5.0.2:6443",
      "https://[fd00::1]:6443",
      "https://k8s.example.com",
    ),
    machineType: fc.constantFrom("controlplane" as const, "worker" as const),
    versionContract: fc.constant(versionContract),
    talosVersion: fc.constant(talosVersion),
    kubernetesVersion: kubernetesOf(talosVersion),
    installDisk: fc.constantFrom("/dev/sda", "/dev/nvme0n1", "/dev/disk/by-id/x"),
    installerImage: fc.constantFrom(...images),
  };
  const optional = {
    certSans: fc.uniqueArray(names, { maxLength: 3 }),
    apiServerCertSans: fc.uniqueArray(names, { maxLength: 2 }),
    dnsDomain: fc.constantFrom("cluster.local", "corp.internal", "k8s"),
    podCidrs: fc.constantFrom(["10.244.0.0/16"], ["10.10.0.0/16", "fd10::/56"]),
    serviceCidrs: fc.constantFrom(["10.96.0.0/12"], ["10.96.0.0/16", "fd96::/112"]),
    cni: podNetworkOf(talosVersion),
    discovery: fc.constantFrom(true, true, false),
    registryMirrors: fc.dictionary(
      fc.constantFrom("docker.io", "ghcr.io", "*", "registry.k8s.io:443"),
      fc.uniqueArray(fc.constantFrom(...mirrors), { minLength: 1, maxLength: 2 }),
      { maxKeys: 3 },
    ),
    allowSchedulingOnControlPlanes: fc.boolean(),
    sysctls: fc.dictionary(
      fc.constantFrom("vm.max_map_count", "net.ipv4.ip_forward", "kernel.pid_max"),
      fc.constantFrom("262144", "1", "yes"),
      { maxKeys: 2 },
    ),
  };
  return fc
    .record(
      { ...required, ...optional, kubeSpan: fc.boolean() },
      { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
    )
    .map(({ kubeSpan, ...options }) =>
      // peers find each other through the discovery service
      kubeSpan === undefined || options.discovery === false ? options : { ...options, kubeSpan },
    )
    .map((options) =>
      contractHas(versionContract, "kubernetesDocuments")
        ? { ...options, ...evenRanges(options) }
        : options,
    );
}

/** Since v1.14, Talos' generator has flannel and a custom one with a URL. */
function podNetworkOf(talosVersion: string) {
  const custom = { name: "custom" as const, urls: ["https://example.com/cni.yaml"] };
  return (talosMinor(talosVersion) ?? 0) < 14
    ? fc.constantFrom({ name: "flannel" as const }, { name: "none" as const }, custom)
    : fc.constant(custom);
}

function kubernetesOf(talosVersion: string): fc.Arbitrary<string> {
  const support = supportedKubernetes(talosVersion);
  if (support === undefined) {
    throw new Error(`Talos ${talosVersion} is not in the support table`);
  }
  const { oldestMinor, newestMinor } = support;
  return fc
    .tuple(
      fc.constantFrom("", "v"),
      fc.integer({ min: oldestMinor, max: Math.min(newestMinor, newestKubernetes) }),
      fc.nat({ max: 12 }),
    )
    .map(([v, minor, patch]) => `${v}1.${minor}.${patch}`);
}
