import fc from "fast-check";
import type { EncryptionKey } from "../../../../provider/config/generate/encryptionKey";
import type { MachineFeatures } from "../../../../provider/config/generate/machineFeatures";
import type { MachineConfigInput } from "../../../../provider/config/machineConfigInput";
import { talosMinor } from "../../../../provider/config/releases/talosMinor";

/** Options that can be left out, but for those that no supported Talos takes. */
export type FreeOptions = Omit<
  Partial<MachineConfigInput>,
  | "secretsBundle"
  | "versionContract"
  | "contractDefaults"
  | "newDefaults"
  | "talosVersion"
  | "kubernetesVersion"
  | "persist"
>;

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const value = fc.stringMatching(/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,8}[A-Za-z0-9])?)?$/);
const ownKey = word.map((name) => `example.com/${name}`);
const url = word.map((name) => `https://${name}.example.com/${name}.yaml`);
const address = fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.1.${a}.${b}`);
const size = fc.constantFrom("1GiB", "512MB", "10 GB");

/** What may be left out of a record. */
function some<Fields>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) {
  return fc.record(fields, { requiredKeys: [] });
}

const encryptionKey: fc.Arbitrary<EncryptionKey> = fc.oneof(
  fc.constant({ nodeId: {} }),
  fc.constant({ kms: { endpoint: "https://kms.example.com:4050" } }),
  fc.boolean().map((checked) => ({ tpm: { checkSecurebootStatusOnEnroll: checked } })),
  fc.string({ minLength: 1 }).map((passphrase) => ({ static: { passphrase } })),
);
const encryption = fc.array(encryptionKey, { minLength: 1, maxLength: 3 });

const route = fc.oneof(
  fc.record({ gateway: address }),
  fc.record({
    destination: fc.constantFrom("10.20.0.0/16", "0.0.0.0/0"),
    gateway: address,
    source: address,
    metric: fc.nat(4096),
  }),
  fc.record({ destination: fc.constantFrom("fd20::/64", "::/0"), gateway: fc.constant("fd00::1") }),
);

const selector = some({
  macAddress: fc.constantFrom("06:5A:3f:00:00:01", "06:*"),
  driver: fc.constantFrom("ena", "e*"),
  busPath: fc.constant("0000:00:06.0"),
  pciId: fc.constant("1D0F:EC20"),
}).filter((given) => Object.keys(given).length > 0);

const networkInterface = fc.oneof(
  fc.record({ name: word.map((name) => `x${name}`) }),
  fc.record({
    name: word.map((name) => `y${name}`),
    selector,
    addresses: fc.array(address.map((host) => `${host}/24`)),
    dhcp: fc.boolean(),
    mtu: fc.integer({ min: 1280, max: 9001 }),
    routes: fc.array(route, { maxLength: 3 }),
  }),
);

const features: fc.Arbitrary<MachineFeatures> = some({
  kubePrism: some({ enabled: fc.boolean(), port: fc.integer({ min: 1, max: 65535 }) }),
  hostDns: fc.constantFrom(
    {},
    { enabled: false },
    { forwardKubeDnsToHost: false },
    { enabled: true, forwardKubeDnsToHost: true, resolveMemberNames: true },
  ),
  kubernetesTalosApiAccess: fc.record({
    allowedRoles: fc.subarray(["os:reader", "os:admin"] as const),
    allowedKubernetesNamespaces: fc.array(word),
  }),
});

const partition = fc.record({
  name: word.map((name) => `p-${name}`),
  diskSelector: fc.constantFrom("!system_disk", 'disk.transport == "nvme"'),
  minSize: size,
  grow: fc.boolean(),
  filesystem: fc.constantFrom("xfs" as const, "ext4" as const),
  encryption,
});
const newerVolumes = fc.oneof(
  word.map((name) => ({ name: `d-${name}`, volumeType: "directory" as const })),
  word.map((name) => ({ name: `w-${name}`, volumeType: "disk" as const })),
  word.map((name) => ({ name: `s-${name}`, maxSize: "50%" })),
);

/** What is in place of a certificate: of a field in base64 nobody reads more here. */
const certificate = word.map((text) => Buffer.from(text).toString("base64"));

/** A key in KMS that encrypts Secrets, beside one that reads them. */
const kmsFirst = {
  pluginImage: "example.com/aws-encryption-provider:v0.5.0",
  providers: [
    "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab",
    "secretbox",
  ],
};

/** Ranges of which Talos' document takes as many for services as for pods. */
export function evenRanges({
  podCidrs = ["10.244.0.0/16"],
  serviceCidrs = ["10.96.0.0/16"],
}: FreeOptions): Pick<FreeOptions, "podCidrs" | "serviceCidrs"> {
  const count = Math.min(podCidrs.length, serviceCidrs.length);
  return { podCidrs: podCidrs.slice(0, count), serviceCidrs: serviceCidrs.slice(0, count) };
}

/** The same with a setting that came with a minor. */
function since<Value extends object>(
  first: number,
  minor: number,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Value & { readonly secure?: boolean }> {
  return minor < first
    ? value
    : fc
        .tuple(value, fc.constantFrom(undefined, true, false))
        .map(([given, secure]) => (secure === undefined ? given : { ...given, secure }));
}

/** Any of all options, right for the Talos of a minor, which has the contract of its name. */
export function arbitraryOptions(version: string): fc.Arbitrary<FreeOptions> {
  const minor = talosMinor(version) ?? 0;
  const flag = fc.oneof(value, ...(minor < 13 ? [] : [fc.array(value, { minLength: 1 })]));
  const volume = fc.oneof(
    since(13, minor, partition),
    ...(minor < 12 ? [] : [since(14, minor, newerVolumes)]),
  );
  return some<Required<FreeOptions>>({
    clusterName: word,
    endpoint: word.map((name) => `https://${name}.example.com:6443`),
    machineType: fc.constantFrom("controlplane" as const, "worker" as const),
    installDisk: fc.constantFrom("/dev/xvda", "/dev/nvme0n1"),
    installerImage: fc.constant("factory.talos.dev/aws-installer/abc:v1.12.1"),
    certSans: fc.array(address),
    apiServerCertSans: fc.array(address),
    dnsDomain: fc.constant("corp.internal"),
    podCidrs: fc.constantFrom(["10.10.0.0/16"], ["10.10.0.0/16", "fd10::/56"]),
    serviceCidrs: fc.constantFrom(["10.96.0.0/16"], ["10.96.0.0/16", "fd96::/112"]),
    cni: fc.oneof(
      fc.constantFrom({ name: "flannel" as const }, { name: "none" as const }),
      fc.record({ name: fc.constant("custom" as const), urls: fc.array(url, { minLength: 1 }) }),
    ),
    acceptedAuthorities: some({
      talosCa: fc.array(certificate),
      // Documents have texts that Talos reads.
      kubernetesCa: minor < 14 ? fc.array(certificate) : fc.constant([]),
    }),
    secretsEncryption: fc.constantFrom(
      undefined,
      ...(minor < 14
        ? []
        : [kmsFirst, { ...kmsFirst, providers: [...kmsFirst.providers].reverse() }]),
    ),
    discovery: fc.boolean(),
    discoveryEndpoint: word.map((name) => `https://${name}.example.com`),
    timeServers: fc.array(address),
    kubeSpan: fc.boolean(),
    registryMirrors: fc.dictionary(
      fc.oneof(word, fc.constantFrom("*", "docker.io", "r:5000")),
      fc.array(url),
    ),
    nodeLabels: fc.dictionary(ownKey, value),
    nodeAnnotations: fc.dictionary(ownKey, fc.string()),
    nodeTaints: fc.dictionary(
      ownKey,
      fc
        .tuple(value, fc.constantFrom("NoSchedule", "PreferNoSchedule", "NoExecute"))
        .map(([text, effect]) => (text === "" ? effect : `${text}:${effect}`)),
    ),
    allowSchedulingOnControlPlanes: fc.boolean(),
    registerWithFqdn: fc.boolean(),
    kubeProxy: fc.boolean(),
    hostname: word,
    nameservers: fc.array(address),
    searchDomains: fc.array(word),
    networkInterfaces: fc.uniqueArray(networkInterface, {
      selector: ({ name }) => name,
      maxLength: 3,
    }),
    sysctls: fc.dictionary(
      word.map((name) => `net.${name}`),
      fc.stringMatching(/^[0-9]+$/),
    ),
    kernelModules: fc.uniqueArray(fc.record({ name: word, parameters: fc.array(word) }), {
      selector: ({ name }) => name,
    }),
    kubeletExtraArgs: fc.dictionary(
      // Flags of every kubelet, which take any text.
      fc.constantFrom("lock-file", "pod-cidr", "provider-id", "root-dir", "runtime-cgroups"),
      flag,
    ),
    extraManifests: fc.array(url),
    inlineManifests: fc.uniqueArray(fc.record({ name: word, contents: fc.string() }), {
      selector: ({ name }) => name,
    }),
    externalCloudProvider: some({ manifests: fc.array(url) }),
    diskEncryption: some({ state: encryption, ephemeral: encryption }),
    secureEphemeral: fc.boolean(),
    userVolumes: fc.uniqueArray(volume, { selector: ({ name }) => name, maxLength: 3 }),
    features,
  }).map(({ discoveryEndpoint, secureEphemeral, ...options }) => ({
    ...options,
    ...(minor < 13 || secureEphemeral === undefined ? {} : { secureEphemeral }),
    ...(options.discovery === false ? { kubeSpan: false } : { discoveryEndpoint }),
    ...(minor < 14 ? {} : evenRanges(options)),
  }));
}
