import { virtualProcessors } from "../../machines/instanceType";
import { TYPE_LABELS } from "./karpenterKinds";
import type { KarpenterPoolArgs, KarpenterRequirementArgs } from "./karpenterPoolArgs";

/** The label with the number of a machine's processors (karpenter-provider-aws v1.15.2, `pkg/apis/v1/labels.go`). */
const PROCESSORS_LABEL = `${TYPE_LABELS}cpu`;

/** The most machines that the limits of a pool allow, each with as few processors as it may have. */
export function mostMachines({
  limits,
  vcpus,
  instanceTypes,
  requirements = [],
}: Pick<KarpenterPoolArgs, "limits" | "vcpus" | "instanceTypes" | "requirements">): number {
  const named = instanceTypes?.map((type) => virtualProcessors(type) ?? 1) ?? [1];
  const least = Math.max(1, vcpus?.min ?? 1, Math.min(...named), ...requirements.map(leastOf));
  return Math.min(limits.nodes ?? Infinity, Math.floor(limits.vcpus / least));
}

/** The fewest processors that a requirement allows. */
function leastOf({ key, operator, values = [] }: KarpenterRequirementArgs): number {
  const numbers = key === PROCESSORS_LABEL ? values.map(Number) : [];
  if (numbers.length === 0) {
    return 1;
  }
  const [smallest, largest] = [Math.min(...numbers), Math.max(...numbers)];
  switch (operator) {
    case "In":
      return smallest;
    case "Gte":
      return largest;
    case "Gt":
      return largest + 1;
    default:
      return 1;
  }
}
