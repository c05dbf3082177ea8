import * as pulumi from "@pulumi/pulumi";

/** Whether an engine runs the program. Pulumi's mocks, as in unit tests, have no hooks. */
export function hasHooks(): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "registerResourceHook" in monitor;
}
