import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "../../components";
import { MachineConfiguration, MachineSecrets } from "../../provider";

/**
 * What a stack is of: whole clusters on the emulated cloud, configurations of machines alone, or
 * resources that do nothing, for the engine's own share.
 */
export type StackKind = "clusters" | "configurations" | "nothing";

/** Registers the resources of a stack with so many machines, one of which has the label. */
export const stackPrograms: Readonly<Record<StackKind, (size: number, label: string) => void>> = {
  nothing: (size, label) => {
    for (let index = 0; index <= size; index++) {
      new Nothing(`machine-${index}`, index === 0 ? label : "same");
    }
  },
  configurations: (size, label) => {
    const { secretsBundle, versionContract } = new MachineSecrets("secrets", {
      versionContract: "v1.12",
    });
    for (let index = 0; index < size; index++) {
      new MachineConfiguration(`machine-${index}`, {
        clusterName: "bench",
        endpoint: "https://10.0.0.1:6443",
        platform: "metal",
        talosVersion: "v1.12.1",
        kubernetesVersion: "1.34.1",
        installDisk: "/dev/sda",
        machineType: index < 3 ? "controlplane" : "worker",
        versionContract,
        secretsBundle,
        patches: [
          {
            machine: {
              nodeLabels: {
                "example.com/machine": `machine-${index}`,
                "example.com/round": index === 0 ? label : "same",
              },
            },
          },
        ],
      });
    }
  },
  clusters: (size, label) => {
    planClusters(size).forEach(({ controlPlanes, workers }, index) => {
      const labelled = { machine: { nodeLabels: { "example.com/round": label } } };
      new TalosCluster(`c${index}`, {
        environment: `c${index}`,
        domain: "talos.internal",
        dns: { createZone: true },
        talosVersion: "v1.12.1",
        versionContract: "v1.12",
        kubernetesVersion: "v1.35.0",
        operatorCidrs: ["127.0.0.0/8"],
        network: { zones: ["us-east-1a", "us-east-1b", "us-east-1c"], nat: "perZone" },
        controlPlane: { machineCount: controlPlanes },
        workerPools: {
          pool: {
            machineCount: workers,
            subnets: "private",
            machines: index === 0 ? { "1": { patches: [labelled] } } : {},
          },
        },
        applyTimeoutSeconds: 1_200,
        applySettledSeconds: 1,
      });
    });
  },
};

const LARGEST_POOL = 300;

/**
 * The machines as clusters with pools of at most 300: up to 10 with three control plane machines,
 * others with five.
 */
function planClusters(
  size: number,
): { readonly controlPlanes: number; readonly workers: number }[] {
  const controlPlanes = size <= 10 ? 3 : 5;
  const clusters = Math.ceil(size / (controlPlanes + LARGEST_POOL));
  const workers = size - clusters * controlPlanes;
  return Array.from({ length: clusters }, (_, index) => ({
    controlPlanes,
    workers: Math.min(LARGEST_POOL, workers - index * LARGEST_POOL),
  }));
}

/** The text that Pulumi's plugin runs for a resource that does nothing. */
const NOTHING = `exports.handler = () => ({
  check: async (olds, news) => ({ inputs: news, failures: [] }),
  diff: async (id, olds, news) => ({ changes: olds.value !== news.value }),
  create: async (inputs) => ({ id: "nothing", outs: inputs }),
  update: async (id, olds, news) => ({ outs: news }),
  delete: async () => {},
});`;

class Nothing extends pulumi.CustomResource {
  constructor(name: string, value: string) {
    super("pulumi-nodejs:dynamic/bench:Nothing", name, { value, __provider: NOTHING });
  }
}
