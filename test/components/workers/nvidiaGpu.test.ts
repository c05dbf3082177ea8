import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { schematic } from "../../../provider";
import { checkedAddOns } from "../addOns/checkedAddOns";
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

describe("NVIDIA's device plugin", () => {
  const addOns = { nvidiaDevicePlugin: true };

  it("is on nodes of pools with GPUs alone, which get the labels that it needs", async () => {
    const labels = { team: "ml" };
    const { graph } = await make({ labels }, { addOns });
    expect(graph.named(CONFIGURATION, "c-gpu").inputs.nodeLabels).toEqual({
      "nvidia.com/gpu.present": "true",
      "k8s.amazonaws.com/accelerator": "nvidia",
      ...labels,
    });
    const { inlineManifests } = graph.named(CONFIGURATION, "c-control-plane").inputs;
    const manifest = JSON.stringify(inlineManifests);
    for (const part of ["kind: RuntimeClass", "runtimeClassName: nvidia", "gpu.present"]) {
      expect(manifest).toContain(part);
    }
    const { graph: plain } = await make({ gpu: undefined }, { addOns });
    expect(plain.named(CONFIGURATION, "c-gpu").inputs.nodeLabels).toBeUndefined();
    const { graph: without } = await make({ labels });
    expect(without.named(CONFIGURATION, "c-gpu").inputs.nodeLabels).toEqual(labels);
  });

  it("tells the autoscaler the labels, and the GPUs of a machine where they aren't the type's", async () => {
    const autoScaling = { minSize: 0, maxSize: 3, clusterAutoscaler: true, gpuCount: 4 };
    const scaled = { machineCount: undefined, subnets: "private", autoScaling };
    const tagsOf = async (pool: object) => {
      const { graph } = await make(pool, { addOns: { ...addOns, cloudController: true } });
      const [group] = graph.ofType("aws:autoscaling/group:Group");
      const tags = group?.inputs.tags as readonly {
        readonly key: string;
        readonly value: string;
      }[];
      return Object.fromEntries(tags.map(({ key, value }) => [key, value]));
    };
    const template = "k8s.io/cluster-autoscaler/node-template";
    const tags = await tagsOf(scaled);
    expect(tags).toMatchObject({
      [`${template}/label/nvidia.com/gpu.present`]: "true",
      [`${template}/label/k8s.amazonaws.com/accelerator`]: "nvidia",
      [`${template}/taint/nvidia.com/gpu`]: ":NoSchedule",
      [`${template}/resources/nvidia.com/gpu`]: "4",
    });
    const usual = await tagsOf({ ...scaled, autoScaling: { ...autoScaling, gpuCount: undefined } });
    expect(usual).not.toHaveProperty([`${template}/resources/nvidia.com/gpu`]);
    expect(await problemsOf({ ...scaled, autoScaling: { ...autoScaling, gpuCount: 0 } })).toMatch(
      /gpuCount/,
    );
  });

  it("is refused where Talos has no runtime for it, but not with a manifest of the user's", () => {
    const problems = (talosVersion: string, nvidiaDevicePlugin: object | boolean) =>
      checkedAddOns({ ...standardCluster, talosVersion, addOns: { nvidiaDevicePlugin } });
    expect(problems("v1.13.9", true)).toEqual([]);
    expect(problems("v1.14.1", true)).toEqual([
      expect.stringMatching(/^addOns\.nvidiaDevicePlugin: Talos v1\.14 has no .*GPU operator/),
    ]);
    expect(problems("v1.14.1", { manifest: "kind: List" })).toEqual([]);
  });
});
