import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { MachineType } from "../../../provider/config/machineBasics";
import { applyPatches } from "../../../provider/config/patches/patch";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";

/** A machine in a state of Terraform. */
export interface StatedMachine {
  readonly node: string;
  readonly machineType: MachineType;
  /** The key in the block's `for_each`, or the number with `count`. */
  readonly key: string | number;
  /** `config_patches` of its `talos_machine_configuration_apply`. */
  readonly patches?: readonly string[];
  readonly endpoint?: string;
}

/** What the program of Terraform declares. */
export interface StatedCluster {
  readonly secrets: SecretsBundle;
  readonly clusterName?: string;
  readonly endpoint?: string;
  readonly contract?: string;
  readonly machines: readonly StatedMachine[];
  /** `config_patches` of `data.talos_machine_configuration`, by the type of machines. */
  readonly patches?: Readonly<Partial<Record<MachineType, readonly string[]>>>;
}

/** The installer that siderolabs/talos v0.11.0 writes, which was built with Talos v1.13.0. */
const INSTALLER =
  "factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.0";

/** Three control planes and two workers, with a patch for each level. */
export function usualCluster(secrets: SecretsBundle): StatedCluster {
  const disk = JSON.stringify({ machine: { install: { disk: "/dev/xvda" } } });
  return {
    secrets,
    patches: { controlplane: [disk], worker: [disk, "machine:\n  nodeLabels:\n    pool: apps\n"] },
    machines: [
      ...[0, 1, 2].map((key) => ({
        node: `10.0.0.${key + 1}`,
        machineType: "controlplane" as const,
        key,
      })),
      ...["blue", "green"].map((key, index) => ({
        node: `10.0.1.${index + 1}`,
        machineType: "worker" as const,
        key,
        patches: [JSON.stringify({ machine: { nodeAnnotations: { colour: key } } })],
      })),
    ],
  };
}

/** The configuration that the provider generates for a type of machines, and then for one of them. */
export function statedConfigurations(
  { secrets, clusterName = "demo", endpoint, contract = "v1.12", patches = {} }: StatedCluster,
  machine: StatedMachine,
): { readonly generated: string; readonly applied: string } {
  const documents = generateMachineConfig({
    clusterName,
    endpoint: endpoint ?? "https://10.0.0.1:6443",
    machineType: machine.machineType,
    secretsBundle: secrets,
    versionContract: contract,
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/sda",
    installerImage: INSTALLER,
  });
  const generated = applyPatches(documents, patches[machine.machineType] ?? []);
  return {
    generated: encodeDocuments(generated),
    applied: encodeDocuments(applyPatches(generated, machine.patches ?? [])),
  };
}

/**
 * The state file that Terraform v1.11.4 with siderolabs/talos v0.11.0 writes. A real one was compared with it.
 */
export function terraformState(...clusters: readonly StatedCluster[]) {
  return {
    version: 4,
    terraform_version: "1.11.4",
    serial: 4,
    lineage: "e7e4964b-1dc1-a5c7-a8c6-ca3f1e0a14b5",
    outputs: {},
    resources: clusters.flatMap((cluster, index) => resourcesOf(cluster, index)),
  };
}

const PROVIDER = 'provider["registry.terraform.io/siderolabs/talos"]';

function resourcesOf(cluster: StatedCluster, index: number) {
  const { secrets, clusterName = "demo", endpoint, contract = "v1.12", patches = {} } = cluster;
  const suffix = index === 0 ? "" : `_${index + 1}`;
  const types = [...new Set(cluster.machines.map(({ machineType }) => machineType))];
  const machineSecrets = machineSecretsOf(secrets);
  const client = {
    ca_certificate: secrets.certs.os.crt,
    client_certificate: secrets.certs.os.crt,
    client_key: secrets.certs.os.key,
  };
  const resource = (mode: string, type: string, name: string, instances: unknown[]) => ({
    mode,
    type,
    name: `${name}${suffix}`,
    provider: PROVIDER,
    instances,
  });
  const [first] = cluster.machines;
  return [
    resource("managed", "talos_machine_secrets", "this", [
      {
        schema_version: 1,
        attributes: {
          id: "machine_secrets",
          talos_version: contract,
          machine_secrets: machineSecrets,
          client_configuration: client,
        },
      },
    ]),
    ...types.map((type) => {
      const machine = cluster.machines.find(({ machineType }) => machineType === type);
      return resource("data", "talos_machine_configuration", type, [
        {
          schema_version: 0,
          attributes: {
            id: clusterName,
            cluster_name: clusterName,
            cluster_endpoint: endpoint ?? "https://10.0.0.1:6443",
            machine_type: type,
            kubernetes_version: "1.35.0",
            talos_version: contract,
            machine_secrets: machineSecrets,
            config_patches: patches[type] ?? null,
            machine_configuration:
              machine === undefined ? "" : statedConfigurations(cluster, machine).generated,
            docs: null,
            examples: null,
          },
        },
      ]);
    }),
    ...types.map((type) =>
      resource(
        "managed",
        "talos_machine_configuration_apply",
        type,
        cluster.machines
          .filter(({ machineType }) => machineType === type)
          .map((machine) => {
            const { generated, applied } = statedConfigurations(cluster, machine);
            return {
              index_key: machine.key,
              schema_version: 1,
              attributes: {
                id: "machine_configuration_apply",
                apply_mode: "auto",
                resolved_apply_mode: "auto",
                node: machine.node,
                endpoint: machine.endpoint ?? machine.node,
                client_configuration: client,
                client_configuration_wo: null,
                machine_configuration_input: generated,
                machine_configuration_input_wo: null,
                machine_configuration: applied,
                config_patches: machine.patches ?? null,
                on_destroy: null,
                timeouts: null,
              },
            };
          }),
      ),
    ),
    resource("managed", "talos_machine_bootstrap", "this", [
      {
        schema_version: 1,
        attributes: {
          id: "machine_bootstrap",
          node: first?.node,
          endpoint: first?.node,
          client_configuration: client,
        },
      },
    ]),
  ];
}

function machineSecretsOf({ cluster, secrets, trustdinfo, certs }: SecretsBundle) {
  const pair = ({ crt, key }: { readonly crt: string; readonly key: string }) => ({
    cert: crt,
    key,
  });
  return {
    cluster: { id: cluster.id, secret: cluster.secret },
    secrets: {
      bootstrap_token: secrets.bootstraptoken,
      secretbox_encryption_secret: secrets.secretboxencryptionsecret ?? null,
      aescbc_encryption_secret: secrets.aescbcencryptionsecret ?? null,
    },
    trustdinfo: { token: trustdinfo.token },
    certs: {
      etcd: pair(certs.etcd),
      k8s: pair(certs.k8s),
      k8s_aggregator: pair(certs.k8saggregator),
      k8s_serviceaccount: { key: certs.k8sserviceaccount.key },
      os: pair(certs.os),
    },
  };
}

/** The same as `terraform show -json` prints it. */
export function shownState(state: ReturnType<typeof terraformState>) {
  const resources = state.resources.flatMap(({ mode, type, name, instances }) =>
    (instances as readonly Record<string, unknown>[]).map(
      ({ index_key: index, schema_version, attributes }) => {
        const block = `${mode === "data" ? "data." : ""}${type}.${name}`;
        const key = typeof index === "undefined" ? "" : `[${JSON.stringify(index)}]`;
        return {
          address: `${block}${key}`,
          mode,
          type,
          name,
          schema_version,
          values: attributes,
          ...(index !== undefined && { index }),
        };
      },
    ),
  );
  return {
    format_version: "1.0",
    terraform_version: "1.11.4",
    values: { root_module: { child_modules: [{ address: "module.talos", resources }] } },
  };
}

/** The mark of a secret in a state of Pulumi. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** What `pulumi stack export --show-secrets` prints of a program with pulumiverse/talos v0.8.1. */
export function pulumiState(cluster: StatedCluster) {
  const { secrets, contract = "v1.12" } = cluster;
  const secret = (value: unknown) => ({ [SIGNATURE]: SECRET, plaintext: JSON.stringify(value) });
  const urn = (type: string, name: string) => `urn:pulumi:dev::homelab::${type}::${name}`;
  const provider = "pulumi:providers:talos";
  const { cluster: own, ...others } = camelCased(machineSecretsOf(secrets)) as Record<
    string,
    unknown
  >;
  return {
    version: 3,
    deployment: {
      manifest: { time: "2026-01-01T00:00:00Z", version: "v3.230.0" },
      resources: [
        { urn: urn(provider, "default_0_8_1"), type: provider, inputs: { version: "0.8.1" } },
        {
          urn: urn("talos:machine/secrets:Secrets", "secrets"),
          type: "talos:machine/secrets:Secrets",
          inputs: {},
          outputs: { talosVersion: contract, machineSecrets: { ...others, cluster: secret(own) } },
        },
        ...cluster.machines.map((machine) => {
          const type = "talos:machine/configurationApply:ConfigurationApply";
          const { generated, applied } = statedConfigurations(cluster, machine);
          return {
            urn: urn(type, `${machine.machineType}-${machine.key}`),
            type,
            inputs: { node: machine.node, machineConfigurationInput: secret(generated) },
            outputs: {
              node: machine.node,
              endpoint: machine.endpoint ?? machine.node,
              configPatches: machine.patches ?? [],
              machineConfigurationInput: secret(generated),
              machineConfiguration: secret(applied),
            },
          };
        }),
      ],
    },
  };
}

function camelCased(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key.replaceAll(/_([a-z])/g, (_all, next: string) => next.toUpperCase()),
          camelCased(item),
        ]),
      )
    : value;
}
