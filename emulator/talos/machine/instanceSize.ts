/** The resources of an EC2 instance type. */
export interface InstanceSize {
  readonly processors: number;
  /** As Linux reports it: a little less than the type's memory. */
  readonly memoryBytes: number;
}

const GIBIBYTE = 1024 ** 3;
/** The part of the memory that Linux reports. */
const VISIBLE_PART = 0.97;

/** Memory in GiB of burstable types smaller than `large`; all have two processors. */
const smallSizes: Readonly<Record<string, number>> = { nano: 0.5, micro: 1, small: 2, medium: 4 };

/** GiB per processor, by the first letter of the family (EC2 instance types). */
const gibibytesPerProcessor: Readonly<Record<string, number>> = { c: 2, m: 4, r: 8, t: 4, x: 16 };

/**
 * The size of an instance type: `m6i.large` has two processors and 8 GiB, and so have unknown
 * types.
 */
export function instanceSize(instanceType: string): InstanceSize {
  const [family = "", size = ""] = instanceType.split(".");
  const small = smallSizes[size];
  const processors = small === undefined ? processorsOf(size) : 2;
  const perProcessor = gibibytesPerProcessor[family.slice(0, 1)] ?? 4;
  const gibibytes = small ?? processors * perProcessor;
  return { processors, memoryBytes: Math.floor(gibibytes * GIBIBYTE * VISIBLE_PART) };
}

function processorsOf(size: string): number {
  const [, factor] = /^(\d*)xlarge$/.exec(size) ?? [];
  if (factor === undefined) {
    return 2;
  }
  return 4 * (factor === "" ? 1 : Number(factor));
}
