import type {
  BurstablePerformance,
  InstanceGeneration,
  InstanceRequirements,
} from "@aws-sdk/client-auto-scaling";
import type { Inputs } from "../inputs";
import type { Value } from "../value";

/** What machines of a group must have, in the form of Auto Scaling. */
export function requirementsRequest(block: Inputs | undefined): InstanceRequirements | undefined {
  const range = (name: string) => {
    const limits = block?.block(name);
    return { Min: limits?.number("min"), Max: limits?.number("max") };
  };
  return (
    block && {
      VCpuCount: range("vcpuCount"),
      MemoryMiB: range("memoryMib"),
      AcceleratorCount: block.has("acceleratorCount") ? range("acceleratorCount") : undefined,
      AllowedInstanceTypes: block.strings("allowedInstanceTypes"),
      ExcludedInstanceTypes: block.strings("excludedInstanceTypes"),
      InstanceGenerations: block.strings("instanceGenerations") as InstanceGeneration[] | undefined,
      BurstablePerformance: block.string("burstablePerformance") as
        BurstablePerformance | undefined,
    }
  );
}

/** The property of a live group; null without requirements. */
export function requirementsValues(live: InstanceRequirements | undefined): Value {
  if (live === undefined) {
    return null;
  }
  const range = (limits: { Min?: number | undefined; Max?: number | undefined } | undefined) => ({
    min: limits?.Min ?? null,
    max: limits?.Max ?? null,
  });
  return {
    vcpuCount: range(live.VCpuCount),
    memoryMib: range(live.MemoryMiB),
    acceleratorCount: live.AcceleratorCount ? range(live.AcceleratorCount) : null,
    allowedInstanceTypes: live.AllowedInstanceTypes ?? null,
    excludedInstanceTypes: live.ExcludedInstanceTypes ?? null,
    instanceGenerations: live.InstanceGenerations ?? null,
    burstablePerformance: live.BurstablePerformance ?? null,
  };
}
