import { checkMachineConfigInput } from "../../../provider/config/checkInput";
import type { MachineConfigInput } from "../../../provider/config/machineConfigInput";
import { placeholderBundle } from "./placeholders";

function reasons(input: Partial<MachineConfigInput>): string[] {
  return checkMachineConfigInput(input).map(({ property, reason }) => `${property}: ${reason}`);
}

test("a valid input has no problems, with or without optional values", () => {
  expect(reasons({})).toEqual([]);
  expect(
    reasons({
      clusterName: "Weird_Name.1",
      endpoint: "https://[fd00::1]:6443",
      machineType: "worker",
      secretsBundle: placeholderBundle,
      versionContract: "v1.12",
      kubernetesVersion: "v1.34.2",
      installDisk: "/dev/disk/by-id/nvme-x",
      installerImage: "factory.talos.dev/aws-installer/abc:v1.12.1",
      certSans: ["api.example.com", "*.example.com", "10.0.0.1", "fd00::1"],
      dnsDomain: "corp.internal",
      podCidrs: ["10.244.0.0/16", "fd01::/48"],
      serviceCidrs: ["10.96.0.0/12", "fd02::/108"],
    }),
  ).toEqual([]);
});

test.each<readonly [Partial<MachineConfigInput>, readonly string[]]>([
  [
    { versionContract: "v1.13", talosVersion: "v1.12.1" },
    [
      'versionContract: version contract "v1.13" is newer than Talos v1.12.1, which may not be able to read it: run Talos v1.13 or newer on the machines, or write "v1.12" for a cluster that does not exist yet',
    ],
  ],
  [{ versionContract: "v1.0", talosVersion: "v1.13.99" }, []],
  [
    { talosVersion: "v1.99.0", kubernetesVersion: "1.99.0" },
    [
      'talosVersion: Talos "v1.99.0" is newer than this release of pulumi-talos-aws, which knows v1.10 to v1.14: install a newer release of the package, or write a release of these',
      'kubernetesVersion: Kubernetes "1.99.0" is newer than this release of pulumi-talos-aws knows, 1.28 to 1.37: install a newer release of the package, or choose a version in that range',
    ],
  ],
  // Talos is known only later, and may be newer than the contract.
  [{ versionContract: "v1.10", kubernetesVersion: "1.35.0" }, []],
  ...["v1.9.6", "v2.0.0"].map((talosVersion): [Partial<MachineConfigInput>, readonly string[]] => [
    { talosVersion },
    [
      `talosVersion: Talos "${talosVersion}" is not supported: write a release of v1.10 to v1.14, like "v1.14.1"`,
    ],
  ]),
  [
    { endpoint: "10.5.0.2" },
    ['endpoint: "10.5.0.2" has no scheme: write it like "https://10.5.0.2:6443"'],
  ],
  [
    { endpoint: "10.5.0.2:6443" },
    ['endpoint: "10.5.0.2:6443" has no scheme: write it like "https://10.5.0.2:6443"'],
  ],
  [
    { endpoint: "https://" },
    ['endpoint: "https://" names no host: write it like "https://api.example.com:6443"'],
  ],
  [
    { endpoint: "https://fd00::1:6443" },
    [
      'endpoint: "https://fd00::1:6443" has an IPv6 address without brackets: write it like "https://[fd00::1]:6443"',
    ],
  ],
  [
    { endpoint: "https://a:99999" },
    ['endpoint: "https://a:99999" has a port that is not a number from 1 to 65535: "99999"'],
  ],
  [
    { endpoint: "https://a:6443/api" },
    ['endpoint: "https://a:6443/api" has something after host and port: leave out "/api"'],
  ],
  [
    { endpoint: "https://10.0.0.300:6443" },
    [
      'endpoint: "https://10.0.0.300:6443" has a host that is neither a DNS name nor an IP address: "10.0.0.300"',
    ],
  ],
  [
    { endpoint: "https://user:s3cret@a" },
    ["endpoint: has a user name or password in it: leave them out"],
  ],
  [
    { clusterName: "a b" },
    [
      'clusterName: "a b" is not a name for a cluster: 1 to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit',
    ],
  ],
  [
    { kubernetesVersion: "banana", talosVersion: "v1.12.1" },
    [
      'kubernetesVersion: "banana" is not a Kubernetes version: write all three numbers, like "1.35.0"; Talos v1.12.1 runs Kubernetes 1.30 to 1.35',
    ],
  ],
  [
    { kubernetesVersion: "1.36.0", talosVersion: "v1.12.1" },
    [
      'kubernetesVersion: Kubernetes "1.36.0" is too new for Talos v1.12.1, which runs Kubernetes 1.30 to 1.35: choose a version in that range, or a newer Talos',
    ],
  ],
  [{ kubernetesVersion: "1.36.0", versionContract: "v1.12", talosVersion: "v1.13.2" }, []],
  [
    { versionContract: "v1.12.1" },
    [
      'versionContract: write the version contract as "v1.12", not "v1.12.1": it names a Talos minor, not a release',
    ],
  ],
  [
    { installDisk: "sda" },
    ['installDisk: "sda" is not a disk: write the path of its device, like "/dev/xvda"'],
  ],
  [
    { installerImage: "installer" },
    [
      'installerImage: "installer" is not an image with a version: write it like "factory.talos.dev/aws-installer/<schematic>:v1.14.1"',
    ],
  ],
  [
    { certSans: ["a b", "ok.example.com"] },
    ['certSans[0]: "a b" is neither a DNS name nor an IP address'],
  ],
  [{ dnsDomain: "a b" }, ['dnsDomain: "a b" is not a DNS name, like "cluster.local"']],
  [
    { podCidrs: ["10.244.1.0/16"] },
    [
      'podCidrs[0]: "10.244.1.0/16" is an address in a network, not the network: did you mean "10.244.0.0/16"?',
    ],
  ],
  [
    { podCidrs: [] },
    ["podCidrs: write one network, or two for both IP versions: one of IPv4 and one of IPv6"],
  ],
  [
    { podCidrs: ["10.0.0.0/8"], serviceCidrs: ["10.96.0.0/12"] },
    [
      'serviceCidrs[0]: "10.96.0.0/12" overlaps with podCidrs[0], "10.0.0.0/8": pods and services need networks of their own',
    ],
  ],
  [
    { serviceCidrs: ["10.0.0.0/8"], kubernetesVersion: "1.33.0" },
    [
      'serviceCidrs[0]: "10.0.0.0/8" is too big for services: kube-apiserver before Kubernetes 1.34 takes /12 at most',
    ],
  ],
  [{ serviceCidrs: ["10.0.0.0/8"], kubernetesVersion: "1.34.0" }, []],
  [
    { serviceCidrs: ["10.96.0.0/29"] },
    [
      'serviceCidrs[0]: "10.96.0.0/29" is too small for services: /28 at least, because the tenth address is the one of DNS',
    ],
  ],
])("%j", (input, expected) => {
  expect(reasons(input)).toEqual(expected);
});

test("an incomplete secrets bundle: all missing fields, and no value", () => {
  const { certs, ...rest } = placeholderBundle;
  const bundle = {
    ...rest,
    certs: { ...certs, os: { crt: "", key: "s3cret" } },
    trustdinfo: undefined,
  };
  const found = reasons({
    secretsBundle: bundle as unknown as MachineConfigInput["secretsBundle"],
  });
  const reason =
    "is missing: pass the whole secrets bundle of MachineSecrets or `talosctl gen secrets`";
  expect(found).toEqual([
    `secretsBundle.trustdinfo.token: ${reason}`,
    `secretsBundle.certs.os.crt: ${reason}`,
  ]);
});

test("all problems at once", () => {
  const input = { endpoint: "http://a", clusterName: "", dnsDomain: "-", installDisk: "" };
  expect(checkMachineConfigInput(input).map(({ property }) => property)).toEqual([
    "clusterName",
    "endpoint",
    "installDisk",
    "dnsDomain",
  ]);
});
