import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { gpusOf } from "../../../components/workers/nvidiaTypes";
import { schematic } from "../../../provider";
import { messageOfError } from "../../../provider/base";
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
    const production = "siderolabs/nvidia-container-toolkit-production";
    expect(
      await problemsOf({ machineConfiguration: { systemExtensions: [production] } }),
    ).toContain(`workerPools.gpu.gpu: "${production}" is another branch of the driver than`);
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
    const autoScaling = { minSize: 0, maxSize: 3, clusterAutoscaler: true, gpuCount: 2 };
    const instanceType = "g6.12xlarge";
    const scaled = { machineCount: undefined, subnets: "private", instanceType, autoScaling };
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
      [`${template}/resources/nvidia.com/gpu`]: "2",
    });
    const usual = await tagsOf({ ...scaled, autoScaling: { ...autoScaling, gpuCount: undefined } });
    expect(usual).not.toHaveProperty([`${template}/resources/nvidia.com/gpu`]);
    expect(await problemsOf({ ...scaled, autoScaling: { ...autoScaling, gpuCount: 0 } })).toMatch(
      /gpuCount/,
    );
  });

  it("refuses a number of GPUs for which the autoscaler would add machines in vain", async () => {
    const cloudController = { cloudController: true };
    const reasonOf = async (pool: object, scaling: object, plugin: object = addOns) => {
      const autoScaling = { minSize: 0, maxSize: 3, ...scaling };
      const scaled = { machineCount: undefined, subnets: "private", autoScaling, ...pool };
      const made = make(scaled, { addOns: { ...cloudController, ...plugin } });
      const text = await made.then(() => "", messageOfError);
      return text.split("\n").slice(1).join();
    };
    const path = "workerPools.gpu.autoScaling";
    expect(await reasonOf({}, { gpuCount: 4 })).toMatch(
      `${path}.gpuCount: "g6.xlarge" has 1 GPU, of which the add-on nvidiaDevicePlugin offers no more`,
    );
    expect(await reasonOf({ gpu: undefined, instanceType: "m6i.large" }, { gpuCount: 1 })).toMatch(
      `${path}.gpuCount: "m6i.large" has no GPU of NVIDIA`,
    );
    expect(
      await reasonOf({ gpu: undefined, instanceType: "g4ad.xlarge" }, { gpuCount: 1 }),
    ).toMatch(`${path}.gpuCount: "g4ad.xlarge" has no GPU of NVIDIA`);
    expect(await reasonOf({}, { gpuCount: 1, clusterAutoscaler: false })).toMatch(
      `${path}.gpuCount: only the cluster autoscaler reads it`,
    );
    const more = { moreInstanceTypes: ["g6.8xlarge"] };
    const large = { instanceType: "g6.12xlarge" };
    expect(await reasonOf(large, more)).toMatch(
      `${path}.moreInstanceTypes[0]: "g6.8xlarge" has 1 GPU and "g6.12xlarge" has 4 GPUs`,
    );
    expect(await reasonOf(large, { ...more, gpuCount: 4 })).toMatch(
      `gpuCount: "g6.8xlarge" has 1 GPU`,
    );
    // As many as all have, fewer, or what another plugin slices.
    for (const [pool, scaling, plugin] of [
      [{}, { gpuCount: 1, moreInstanceTypes: ["g5.xlarge"] }, addOns],
      [large, { ...more, gpuCount: 1 }, addOns],
      [{}, { gpuCount: 4 }, {}],
      [{}, { gpuCount: 4 }, { nvidiaDevicePlugin: { manifest: "kind: List" } }],
      [
        { instanceType: "p4d.24xlarge" },
        { gpuCount: 56 },
        { nvidiaDevicePlugin: { extraArgs: { "mig-strategy": "single" } } },
      ],
    ] as const) {
      expect(await reasonOf(pool, scaling, plugin)).toBe("");
    }
  });

  it("is refused where Talos has no runtime for it, but not with a manifest of the user's", () => {
    const problems = (talosVersion: string, nvidiaDevicePlugin: object | boolean) =>
      checkedAddOns({ ...standardCluster, talosVersion, addOns: { nvidiaDevicePlugin } });
    expect(problems("v1.13.9", true)).toEqual([]);
    expect(problems("v1.14.1", true)).toEqual([
      expect.stringMatching(
        /^addOns\.nvidiaDevicePlugin: Talos v1\.14 has no .*GPU operator.*v1\.13/,
      ),
    ]);
    expect(problems("v1.14.1", { manifest: "kind: List" })).toEqual([]);
  });
});

test("the number of GPUs is EC2's for each size of the families", () => {
  const types = ["xlarge", "2xlarge", "4xlarge", "8xlarge", "12xlarge", "16xlarge", "24xlarge"];
  // As EC2's DescribeInstanceTypes tells them.
  expect(types.map((size) => gpusOf(`g6.${size}`))).toEqual([1, 1, 1, 1, 4, 1, 4]);
  expect([gpusOf("g4dn.metal"), gpusOf("g5g.16xlarge"), gpusOf("g7e.12xlarge")]).toEqual([8, 2, 2]);
  expect([gpusOf("p5.4xlarge"), gpusOf("p5.48xlarge")]).toEqual([1, 8]);
  expect([gpusOf("m6i.large"), gpusOf("g6f.large"), gpusOf("constructor.large")]).toEqual(
    Array(3).fill(undefined),
  );
});
