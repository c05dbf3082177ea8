/** What an EC2 instance type gives a machine. */
export interface InstanceSize {
  readonly processors: number;
  /** As Linux sees it: a little less than the type has. */
  readonly memoryBytes: number;
}

const gibibyte = 1024 ** 3;
/** Linux keeps about this part of the memory for itself. */
const visiblePart = 0.97;

/** Sizes below `large`, in GiB of burstable types; all of them have two processors. */
const smallSizes: Readonly<Record<string, number>> = { nano: 0.5, micro: 1, small: 2, medium: 4 };

/** GiB for each processor by the first letter of the family (EC2 instance types). */
const gibibytesPerProcessor: Readonly<Record<string, number>> = { c: 2, m: 4, r: 8, t: 4, x: 16 };

/** The size of an instance type: `m6i.large` has two processors and 8 GiB. Unknown types are as that one. */
export function instanceSize(instanceType: string): InstanceSize {
  const [family = "", size = ""] = instanceType.split(".");
  const small = smallSizes[size];
  const processors = small === undefined ? processorsOf(size) : 2;
  const perProcessor = gibibytesPerProcessor[family.slice(0, 1)] ?? 4;
  const gibibytes = small ?? processors * perProcessor;
  return { processors, memoryBytes: Math.floor(gibibytes * gibibyte * visiblePart) };
}

function processorsOf(size: string): number {
  const [, factor] = /^(\d*)xlarge$/.exec(size) ?? [];
  if (factor === undefined) return 2;
  return 4 * (factor === "" ? 1 : Number(factor));
}
