import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { hasWholeClusters, skipLeavingEtcd } from "../../../cli/engine/skipLeavingEtcd";
import { CLUSTER_DELETION_VARIABLE } from "../../../provider/engine";

const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
const SECRETS = "pulumi-nodejs:dynamic/talos:MachineSecrets";
const urnOf = (type: string, name: string) => `urn:pulumi:a::b::${type}::${name}`;

/** A stack with a machine, and with the secrets of its cluster or without them. */
function stackWith({ secrets }: { readonly secrets: boolean }): Deployment {
  const own = { type: SECRETS, urn: urnOf(SECRETS, "c-secrets"), custom: true };
  const machine = {
    type: APPLY,
    urn: urnOf(APPLY, "gpu-1"),
    custom: true,
    dependencies: secrets ? [own.urn] : [],
  };
  return { version: 3, deployment: { resources: [...(secrets ? [own] : []), machine] } };
}

/** Whether the engine of a destroy asks machines to leave their cluster. */
function asksMachines(exported: Deployment, isGone: boolean): boolean {
  const envVars: Record<string, string> = {};
  skipLeavingEtcd({ workspace: { envVars } } as unknown as Stack, exported, isGone);
  return envVars[CLUSTER_DELETION_VARIABLE] !== "yes";
}

describe("a destroy of machines", () => {
  it("asks none of them to leave a cluster whose secrets go too", () => {
    expect(hasWholeClusters(stackWith({ secrets: true }))).toBe(true);
    expect(asksMachines(stackWith({ secrets: true }), false)).toBe(false);
  });

  it("asks those of a pool from elsewhere, unless a person says that the cluster is gone", () => {
    expect(hasWholeClusters(stackWith({ secrets: false }))).toBe(false);
    expect(asksMachines(stackWith({ secrets: false }), false)).toBe(true);
    expect(asksMachines(stackWith({ secrets: false }), true)).toBe(false);
  });
});
