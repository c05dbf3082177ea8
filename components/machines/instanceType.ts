/** Processor architecture, in Talos' terms. */
export type Architecture = "amd64" | "arm64";

/**
 * Families older than AWS Nitro. They can't boot Talos' AMIs, which need UEFI (T2 is also among the
 * known issues in Talos' guide for AWS).
 */
const BEFORE_NITRO =
  /^(t1|t2|m[1-4]|c[1-4]|cc2|cr1|cg1|hs1|r3|r4|i2|i3|d2|h1|g2|g3s?|p2|p3|x1e?|f1)\.(?!metal)/;

/**
 * What is wrong with an EC2 instance type for a Talos control plane machine.
 *
 * @returns the reason, or undefined when the type is fine
 */
export function controlPlaneTypeProblem(instanceType: string): string | undefined {
  const tooSmall = `a control plane machine needs 2 GiB at least and should have 4; take one such as "t3.medium"`;
  return bootProblem(instanceType) ?? memoryProblem(instanceType, /\.(nano|micro)$/, tooSmall);
}

/**
 * What is wrong with an EC2 instance type for a Talos worker.
 *
 * @returns the reason, or undefined when the type is fine
 */
export function workerTypeProblem(instanceType: string): string | undefined {
  const tooSmall = `a worker needs 1 GiB at least and should have 2; take one such as "t3.small"`;
  return bootProblem(instanceType) ?? memoryProblem(instanceType, /\.nano$/, tooSmall);
}

function bootProblem(instanceType: string): string | undefined {
  if (!/^[a-z][a-z0-9-]*\d[a-z0-9-]*\.[a-z0-9-]+$/.test(instanceType)) {
    return `"${instanceType}" is no instance type: write it as in "m6i.large"`;
  }
  return BEFORE_NITRO.test(instanceType)
    ? `"${instanceType}" can't boot Talos: its family is older than AWS Nitro and has no UEFI; take one such as "t3.medium" or "m6i.large"`
    : undefined;
}

/** Source of what machines need: "System Requirements", Talos v1.12 documentation. */
function memoryProblem(instanceType: string, small: RegExp, needs: string): string | undefined {
  return small.test(instanceType) ? `"${instanceType}" has too little memory: ${needs}` : undefined;
}

/**
 * The architecture of an EC2 instance type: `arm64` for AWS Graviton, whose families have a `g`
 * after their generation (`t4g`, `m7gd`, `im4gn`), and the old `a1`; else `amd64`.
 */
export function architectureOf(instanceType: string): Architecture {
  return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)[.-]/.test(instanceType) ? "arm64" : "amd64";
}

/** Whether an instance type, or all types of a pattern such as `t3.*`, are burstable. */
export function isBurstable(instanceType: string): boolean {
  return /^t\d/.test(instanceType);
}

/** The virtual processors of sizes below `large`, but for burstable types, which all have two. */
const SMALL_SIZES: Readonly<Record<string, number>> = { medium: 1, large: 2, xlarge: 4 };

/** Instance types that share a quota, as AWS calls them. */
export type QuotaFamilies = "standard" | "g" | "p";

/** The families of each. Source: Amazon EC2 user guide, "Amazon EC2 service quotas". */
const QUOTA_FAMILIES: Readonly<Record<QuotaFamilies, RegExp>> = {
  standard: /^[acdhimrtz]\d/,
  g: /^(g|gr|vt)\d/,
  p: /^p\d/,
};

/** Whether an instance type counts for a quota. */
export function countsFor(families: QuotaFamilies, instanceType: string): boolean {
  return QUOTA_FAMILIES[families].test(instanceType);
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
