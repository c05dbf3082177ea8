import { DEFAULT_INSTANCE_TYPE } from "../machines/machineSettings";
import type { PropertyProblem } from "../problems";
import type { AutoScalingArgs } from "./autoScalingArgs";
import { gpusOf, mayHaveNvidiaGpu } from "./nvidiaTypes";

/** What the GPUs of a pool's future machines are judged by. */
export interface GpuCountChoices {
  readonly instanceType?: string | undefined;
  readonly scaling: Pick<AutoScalingArgs, "gpuCount" | "moreInstanceTypes">;
  /** What offers GPUs to pods may offer more than a machine has, as with time-slicing. */
  readonly maySlice: boolean;
}

/** All problems of GPUs that the autoscaler would count on, in vain and again and again. Properties are those of `autoScaling`. */
export function checkGpuCount({
  instanceType = DEFAULT_INSTANCE_TYPE,
  scaling: { gpuCount, moreInstanceTypes = [] },
  maySlice,
}: GpuCountChoices): PropertyProblem[] {
  if (gpuCount === undefined) {
    const first = gpusOf(instanceType);
    return moreInstanceTypes.flatMap((type, index) => {
      const own = gpusOf(type);
      const reason = `"${type}" has ${counted(own)} and "${instanceType}" has ${counted(first)}, and the autoscaler expects the same of all: name types with as many, or say in gpuCount what each offers at least`;
      return own === undefined || first === undefined || own === first
        ? []
        : [{ property: `moreInstanceTypes[${index}]`, reason }];
    });
  }
  const say = (reason: string) => [{ property: "gpuCount", reason }];
  return [instanceType, ...moreInstanceTypes].flatMap((type) => {
    const own = gpusOf(type);
    if (!mayHaveNvidiaGpu(type)) {
      return say(
        `"${type}" has no GPU of NVIDIA, and the autoscaler would add machines in vain: leave it out, or take a type such as "g6.xlarge"`,
      );
    }
    return maySlice || own === undefined || gpuCount <= own
      ? []
      : say(
          `"${type}" has ${counted(own)}, of which the add-on nvidiaDevicePlugin offers no more, so the autoscaler would add machines in vain for pods that ask for ${gpuCount}: leave it out, or bring a plugin with time-slicing by nvidiaDevicePlugin.manifest`,
        );
  });
}

function counted(gpus: number | undefined): string {
  return gpus === 1 ? "1 GPU" : `${gpus ?? "no"} GPUs`;
}
