import {
  AutoScalingClient,
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
} from "@aws-sdk/client-auto-scaling";
import type { OutputMap } from "@pulumi/pulumi/automation";
import { schematic } from "../../../provider";
import { FORMER_RELEASES } from "../../../provider/config/releases/newestReleases";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { eventually } from "../../emulator/support/eventually";
import type { EngineWorld } from "./engineWorld";
import { allowProcessors, DISK_BUCKET, makeDisk } from "./exampleAccount";
import { machineSettings } from "./machineSettings";

const EXTENSIONS = [
  "siderolabs/nvidia-open-gpu-kernel-modules-lts",
  "siderolabs/nvidia-container-toolkit-lts",
];
const TEMPLATE = "k8s.io/cluster-autoscaler/node-template";

/** Puts the disk of the example's image into a bucket, and says where. */
export async function gpuSettings({ emulator }: EngineWorld): Promise<Record<string, string>> {
  await makeDisk(emulator, `talos-${FORMER_RELEASES.talosVersion}-nvidia-amd64.raw`);
  return { diskBucket: DISK_BUCKET };
}

/** A new account may run no such machine, which the preview says. */
export async function assertGpuQuotas({ emulator, stack, record }: EngineWorld): Promise<void> {
  await allowProcessors(emulator, "L-DB2E81BA", 0);
  await allowProcessors(emulator, "L-3819A6DF", 0);
  const refusal = stack.preview(record);
  await expect(refusal).rejects.toThrow(/4 virtual processors of on-demand machines of G types/);
  await expect(refusal).rejects.toThrow(/16 virtual processors of spot machines of G .*L-3819A6DF/);
  await allowProcessors(emulator, "L-DB2E81BA", 4);
  await allowProcessors(emulator, "L-3819A6DF", 16);
}

interface Listed<Spec> {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
    readonly spec: Spec;
    readonly status: { readonly phase?: string };
  }[];
}

/** What pods meet in the example: one machine with a GPU, more of them on demand, and what offers GPUs. */
export async function assertGpus({ emulator }: EngineWorld, outputs: OutputMap): Promise<void> {
  const machine = emulator
    .nodes()
    .find(({ machineConfiguration = "" }) => machineConfiguration.includes("nvidia_uvm"));
  expect(outputs.imageName?.value).toBe(
    `talos-${FORMER_RELEASES.talosVersion}-${schematic({ systemExtensions: EXTENSIONS }).id}-amd64`,
  );
  const setting = machineSettings(machine);
  expect(setting("machine.kernel.modules")).toEqual(
    ["nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset"].map((name) => ({ name })),
  );
  await assertPlugin(emulator, String(outputs.kubeconfig?.value), machine?.hostname ?? "");
  await assertGroups(emulator);
}

async function assertPlugin(
  emulator: EngineWorld["emulator"],
  kubeconfig: string,
  hostname: string,
): Promise<void> {
  const api = new KubernetesApi(kubeconfig);
  const server = emulator
    .nodes()
    .find(({ machineConfiguration = "" }) => machineConfiguration.includes("type: controlplane"));
  const options = { address: server?.address ?? "", port: 6443, timeoutMs: 10_000 };
  const find = async (path: string) => JSON.parse(await api.get(path, options)) as unknown;
  const { items: nodes } = (await find("/api/v1/nodes")) as Listed<{ taints?: readonly object[] }>;
  const [node, ...others] = nodes.filter(
    ({ metadata }) => metadata.labels["nvidia.com/gpu.present"],
  );
  expect(others).toEqual([]);
  expect(node?.metadata.name.split(".")[0]).toBe(hostname.split(".")[0]);
  expect(node?.metadata.labels).toMatchObject({
    "k8s.amazonaws.com/accelerator": "nvidia",
    "example.com/work": "inference",
  });
  expect(node?.spec.taints).toContainEqual({ key: "nvidia.com/gpu", effect: "NoSchedule" });
  expect(await find("/apis/node.k8s.io/v1/runtimeclasses/nvidia")).toMatchObject({
    handler: "nvidia",
    scheduling: { nodeSelector: { "nvidia.com/gpu.present": "true" } },
  });
  // The plugin is on this node, and nothing else that an ordinary pod is.
  await eventually(async () => {
    const { items } = (await find("/api/v1/namespaces/kube-system/pods")) as Listed<{
      nodeName?: string;
      runtimeClassName?: string;
    }>;
    const plugins = items.filter(({ spec }) => spec.runtimeClassName === "nvidia");
    expect(plugins.map(({ spec, status }) => [spec.nodeName, status.phase])).toEqual([
      [node?.metadata.name, "Running"],
    ]);
    const here = items.filter(({ spec }) => spec.nodeName === node?.metadata.name);
    expect(here.filter(({ metadata }) => metadata.name.startsWith("coredns"))).toEqual([]);
  });
}

/** The autoscaler knows what a machine would be like, of which there is none. */
async function assertGroups({ url: endpoint }: EngineWorld["emulator"]): Promise<void> {
  const scaling = new AutoScalingClient({
    region: "eu-central-1",
    endpoint,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const { AutoScalingGroups = [] } = await scaling.send(new DescribeAutoScalingGroupsCommand({}));
  scaling.destroy();
  expect(AutoScalingGroups.map(({ DesiredCapacity }) => DesiredCapacity)).toEqual([0, 0]);
  expect(AutoScalingGroups.reduce((sum, { MaxSize = 0 }) => sum + MaxSize, 0)).toBe(4);
  for (const group of AutoScalingGroups) {
    expect(tagsOf(group)).toMatchObject({
      "k8s.io/cluster-autoscaler/enabled": "true",
      [`${TEMPLATE}/label/nvidia.com/gpu.present`]: "true",
      [`${TEMPLATE}/label/k8s.amazonaws.com/accelerator`]: "nvidia",
      [`${TEMPLATE}/label/example.com/work`]: "training",
      [`${TEMPLATE}/taint/nvidia.com/gpu`]: ":NoSchedule",
      [`${TEMPLATE}/resources/nvidia.com/gpu`]: "1",
    });
  }
}

const tagsOf = ({ Tags = [] }: AutoScalingGroup) =>
  Object.fromEntries(Tags.map(({ Key = "", Value = "" }) => [Key, Value]));
