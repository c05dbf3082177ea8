import * as pulumi from "@pulumi/pulumi";
import type { MachineConfigurationArgs } from "../../provider";
import { madeOf } from "../../provider/engine";
import type { PropertyProblem } from "../problems";
import { gpusOf, NVIDIA_FAMILIES } from "./nvidiaTypes";

/** The maker of a pool's GPUs, whose drivers its machines have. */
export type GpuMaker = "nvidia";

/** The taint of such nodes, which the add-ons of NVIDIA and AWS tolerate. */
const GPU_TAINT = "nvidia.com/gpu";

/**
 * The kernel modules and the libraries of the driver, in its long-term branch. Both are released with each Talos. Sources: the
 * guides "NVIDIA GPU (OSS drivers)" of Talos v1.12 to v1.15; siderolabs/extensions.
 */
const EXTENSIONS = [
  "siderolabs/nvidia-open-gpu-kernel-modules-lts",
  "siderolabs/nvidia-container-toolkit-lts",
];
const MODULES = ["nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset"];
const SYSCTLS = { "net.core.bpf_jit_harden": "1" };

type GpuOptions = Pick<
  MachineConfigurationArgs,
  "systemExtensions" | "kernelModules" | "sysctls" | "schematicId"
>;

/** The options of a pool's machines, with those that its GPUs need. The given ones stay. */
export function withGpu<Options extends GpuOptions>(
  options: Options,
  gpu: GpuMaker | undefined,
): Options {
  if (gpu === undefined) {
    return options;
  }
  const { systemExtensions, kernelModules, sysctls } = options;
  const more = {
    systemExtensions: madeOf(
      pulumi
        .output(systemExtensions)
        .apply((given = []) => [...given, ...EXTENSIONS.filter((each) => !given.includes(each))]),
      systemExtensions,
    ),
    kernelModules: madeOf(
      pulumi.output(kernelModules).apply((given = []) => {
        const names = given.map(({ name }) => name);
        const own = MODULES.filter((each) => !names.includes(each));
        return [...given, ...own.map((name) => ({ name }))];
      }),
      kernelModules,
    ),
    sysctls: madeOf(
      pulumi.output(sysctls).apply((given) => ({ ...SYSCTLS, ...given })),
      sysctls,
    ),
  };
  return { ...options, ...more };
}

/** A pool with the taint of GPU nodes, unless it says otherwise of that. */
export function withGpuTaint<
  Pool extends {
    readonly gpu?: GpuMaker | undefined;
    readonly taints?: Readonly<Record<string, string>> | undefined;
  },
>(pool: Pool): Pool {
  return pool.gpu === undefined
    ? pool
    : { ...pool, taints: { [GPU_TAINT]: "NoSchedule", ...pool.taints } };
}

/** What a pool's GPUs are judged by. */
interface GpuChoices {
  readonly gpu: string | undefined;
  /** The types that its machines may have. */
  readonly types: readonly string[];
  /** AWS may choose others. */
  readonly typesAreOpen: boolean;
  readonly options: GpuOptions | undefined;
}

/** All problems of a pool's GPUs. */
export function checkGpu({ gpu, types, typesAreOpen, options }: GpuChoices): PropertyProblem[] {
  if (gpu === undefined) {
    return [];
  }
  if (gpu !== "nvidia") {
    return [{ property: "gpu", reason: `"${gpu}" can't be chosen: "nvidia" is the only maker` }];
  }
  const say = (reason: string) => [{ property: "gpu", reason }];
  return [
    ...types
      .filter((type) => gpusOf(type) === undefined)
      .flatMap((type) =>
        say(
          `"${type}" has no GPU that NVIDIA's open drivers know: take one of ${NVIDIA_FAMILIES.join(", ")}, such as "g6.xlarge", or leave this out`,
        ),
      ),
    ...(typesAreOpen
      ? say("instanceRequirements may choose machines without a GPU: name types in their place")
      : []),
    ...otherBranches(options?.systemExtensions).flatMap((name) =>
      say(
        `"${name}" is another branch of the driver than "${EXTENSIONS[0]}", which this adds: leave out one of the two`,
      ),
    ),
    ...(options?.schematicId !== undefined
      ? say("it is part of the schematic, which schematicId gives: leave out one of the two")
      : []),
  ];
}

/** Extensions of NVIDIA's driver beside those of a pool's `gpu`. */
function otherBranches(given: GpuOptions["systemExtensions"]): string[] {
  return (Array.isArray(given) ? given : [])
    .filter((each) => typeof each === "string")
    .filter(
      (name) =>
        /^siderolabs\/(nvidia-(open-gpu-kernel-modules|container-toolkit)|nonfree-kmod-nvidia)/.test(
          name,
        ) && !EXTENSIONS.includes(name),
    );
}
