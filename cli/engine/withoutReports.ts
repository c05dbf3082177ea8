import type { Stack } from "@pulumi/pulumi/automation";

/**
 * The same stack, whose operations give back neither outputs nor a summary. Pulumi's SDK starts the
 * engine anew to read these when an operation is done (v3.230.0, automation/stack.ts: three times
 * after `up`), which takes a second of processor time, and longer where the state is far away.
 */
export function withoutReports(stack: Stack): Stack {
  const quick = Object.create(stack) as Stack;
  return Object.defineProperties(quick, {
    outputs: { value: () => Promise.resolve({}) },
    info: { value: () => Promise.resolve(undefined) },
  });
}
