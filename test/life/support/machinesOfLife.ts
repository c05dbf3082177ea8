import type { TalosClusterArgs } from "../../../components";

/** The machines with which a cluster lives through `componentLife`. */
export interface MachinesOfLife {
  /** A program that runs them; see `EmulatorOptions.machines`. Default: they are simulated. */
  readonly program?: readonly string[];
  /** The releases that they run; an upgrade of Kubernetes goes from `former` to `next`. */
  readonly talosVersion: string;
  readonly versionContract: string;
  readonly kubernetes: { readonly former: string; readonly next: string };
  /** What their surroundings need of the cluster. Patches of a role come before those of the life. */
  readonly args: Pick<TalosClusterArgs, "network" | "cni">;
  readonly patches: Readonly<Record<"controlPlane" | "workers", readonly object[]>>;
}

/** Simulated machines of these releases. */
export function simulatedMachines(
  releases: Pick<MachinesOfLife, "talosVersion" | "versionContract" | "kubernetes">,
): MachinesOfLife {
  return {
    ...releases,
    args: { network: { zones: ["us-east-1a", "us-east-1b"] } },
    patches: { controlPlane: [], workers: [] },
  };
}
