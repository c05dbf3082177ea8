import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { schematic } from "../../../provider";
import { standardCluster } from "../cluster/standardCluster";
import { build } from "../mockedGraph";

const CONFIGURATION = "pulumi-nodejs:dynamic/talos:MachineConfiguration";
const EXTENSIONS = [
  "siderolabs/nvidia-open-gpu-kernel-modules-lts",
  "siderolabs/nvidia-container-toolkit-lts",
];

async function make(gpuPool: object, more: Partial<TalosClusterArgs> = {}) {
  const asked: Record<string, unknown>[] = [];
  const calls = {
    "aws:ec2/getAmi:getAmi": (inputs: Record<string, unknown>) => {
      asked.push(inputs);
      return { id: "ami-0123456789abcdef0" };
    },
    "aws:ec2/getAmiIds:getAmiIds": () => ({ ids: ["ami-0123456789abcdef0"] }),
  };
  const pool = { instanceType: "g6.xlarge", gpu: "nvidia" as const, ...gpuPool };
  const network = { zones: ["us-east-1a"], nat: "single" as const };
  const { graph } = await build(
    () =>
      new TalosCluster("c", {
        ...standardCluster,
        network,
        ...more,
        workerPools: { gpu: { machineCount: 1, ...pool } },
      }),
    { calls },
  );
  return { graph, asked };
}

const problemsOf = async (gpuPool: object) =>
  ((await make(gpuPool).catch((reason: unknown) => reason)) as Error).message;

describe("a pool with GPUs", () => {
  it("has the driver in its image, its modules, its setting, and the taint of its nodes", async () => {
    const { graph, asked } = await make({
      machineConfiguration: {
        systemExtensions: ["siderolabs/iscsi-tools"],
        kernelModules: [{ name: "nvidia", parameters: ["NVreg_EnableGpuFirmware=1"] }],
        sysctls: { "vm.max_map_count": "262144" },
      },
    });
    expect(graph.named(CONFIGURATION, "c-gpu").inputs).toMatchObject({
      systemExtensions: ["siderolabs/iscsi-tools", ...EXTENSIONS],
      kernelModules: [
        { name: "nvidia", parameters: ["NVreg_EnableGpuFirmware=1"] },
        ...["nvidia_uvm", "nvidia_drm", "nvidia_modeset"].map((name) => ({ name })),
      ],
      sysctls: { "net.core.bpf_jit_harden": "1", "vm.max_map_count": "262144" },
      nodeTaints: { "nvidia.com/gpu": "NoSchedule" },
    });
    const { id } = schematic({ systemExtensions: ["siderolabs/iscsi-tools", ...EXTENSIONS] });
    expect(JSON.stringify(asked)).toContain(`talos-v1.12.1-${id}-amd64`);
  });

  it("tells the autoscaler of the taint, and keeps another one of the program", async () => {
    const addOns = { cloudController: true, clusterAutoscaler: true } as const;
    const { graph } = await make(
      {
        subnets: "private",
        machineCount: undefined,
        autoScaling: { minSize: 0, maxSize: 2 },
        taints: { "nvidia.com/gpu": "present:NoExecute" },
      },
      { addOns },
    );
    const [group] = graph.ofType("aws:autoscaling/group:Group");
    expect(group?.inputs.tags).toContainEqual({
      key: "k8s.io/cluster-autoscaler/node-template/taint/nvidia.com/gpu",
      value: "present:NoExecute",
      propagateAtLaunch: false,
    });
  });

  it("knows arm64 machines with GPUs", async () => {
    const { asked } = await make({ instanceType: "g5g.xlarge" });
    expect(JSON.stringify(asked)).toMatch(/talos-v1\.12\.1-[0-9a-f]{64}-arm64/);
  });

  it("changes nothing for other pools", async () => {
    const { graph } = await make({ gpu: undefined });
    const { inputs } = graph.named(CONFIGURATION, "c-gpu");
    expect([inputs.systemExtensions, inputs.kernelModules, inputs.nodeTaints]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is refused for types without a GPU of NVIDIA, and for drivers that they don't have", async () => {
    for (const instanceType of ["m6i.large", "g4ad.xlarge", "p3dn.24xlarge", "g6f.large"]) {
      expect(await problemsOf({ instanceType })).toContain(
        `workerPools.gpu.gpu: "${instanceType}" has no GPU that NVIDIA's open drivers know`,
      );
    }
    expect(await problemsOf({ gpu: "amd" })).toContain(
      `workerPools.gpu.gpu: "amd" can't be chosen`,
    );
    expect(await problemsOf({ machineConfiguration: { schematicId: "a".repeat(64) } })).toContain(
      "workerPools.gpu.gpu: it is part of the schematic",
    );
    expect(
      await problemsOf({
        subnets: "private",
        machineCount: undefined,
        autoScaling: {
          minSize: 0,
          maxSize: 1,
          moreInstanceTypes: ["m5.large"],
        },
      }),
    ).toContain('workerPools.gpu.gpu: "m5.large" has no GPU');
  });
});
