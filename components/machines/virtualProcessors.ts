/** The virtual processors of sizes below `large`, but for burstable types, which all have two. */
const SMALL_SIZES: Readonly<Record<string, number>> = { medium: 1, large: 2, xlarge: 4 };

/** The families that share one quota. Source: Amazon EC2 user guide, "Amazon EC2 service quotas". */
const STANDARD_FAMILIES = /^[acdhimrtz]\d/;

/** Whether an instance type counts for the quota of standard instances. */
export function isStandardType(instanceType: string): boolean {
  return STANDARD_FAMILIES.test(instanceType) && !instanceType.startsWith("inf");
}

/**
 * The virtual processors of an instance type, by its size; undefined for those whose number doesn't
 * follow from it, such as `metal`. Source: Amazon EC2 instance types.
 */
export function virtualProcessors(instanceType: string): number | undefined {
  const [family = "", size = ""] = instanceType.split(".");
  if (/^t\d/.test(family) && ["nano", "micro", "small", "medium", "large"].includes(size)) {
    return 2;
  }
  const [, times] = /^(\d+)xlarge$/.exec(size) ?? [];
  return times === undefined ? SMALL_SIZES[size] : Number(times) * 4;
}
