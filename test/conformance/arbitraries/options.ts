import fc from "fast-check";
import type { MachineConfigInput } from "../../../provider/config/machineConfigInput";
import { supportedKubernetes } from "../../../provider/config/supportTable";

/** A contract, and a release of Talos that runs a configuration of it. */
export interface Generation {
  readonly versionContract: string;
  readonly talosVersion: string;
}

/** What a configuration is generated from, but for its secrets. */
export type Options = Omit<MachineConfigInput, "secretsBundle">;

const names = fc.constantFrom("talos.example.com", "10.0.0.9", "fd00::9", "a.b", "*.example.com");

/** Options that Talos' own generator has too, all of them right. */
export function optionsOf({ versionContract, talosVersion }: Generation): fc.Arbitrary<Options> {
  const { oldestMinor, newestMinor } = supportedKubernetes(talosVersion) ?? {
    oldestMinor: 35,
    newestMinor: 35,
  };
  const kubernetes = fc
    .tuple(
      fc.constantFrom("", "v"),
      fc.integer({ min: oldestMinor, max: newestMinor }),
      fc.nat({ max: 12 }),
    )
    .map(([v, minor, patch]) => `${v}1.${minor}.${patch}`);
  return fc.record(
    {
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
      kubernetesVersion: kubernetes,
      installDisk: fc.constantFrom("/dev/sda", "/dev/nvme0n1", "/dev/disk/by-id/x"),
      installerImage: fc.constantFrom("factory.talos.dev/aws-installer/abc:v1.12.1", "ghcr.io/x:1"),
      certSans: fc.uniqueArray(names, { maxLength: 3 }),
      apiServerCertSans: fc.uniqueArray(names, { maxLength: 2 }),
      dnsDomain: fc.constantFrom("cluster.local", "corp.internal", "k8s"),
      podCidrs: fc.constantFrom(["10.244.0.0/16"], ["10.10.0.0/16", "fd10::/56"]),
      serviceCidrs: fc.constantFrom(["10.96.0.0/12"], ["10.96.0.0/16", "fd96::/112"]),
    },
    {
      requiredKeys: [
        "clusterName",
        "endpoint",
        "machineType",
        "versionContract",
        "talosVersion",
        "kubernetesVersion",
        "installDisk",
        "installerImage",
      ],
    },
  );
}
