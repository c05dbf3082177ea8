import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { installerIn } from "../../config/settings/installer";
import { installerWithVersion, systemOfInstaller } from "../../config/talosSystem";
import type { Machine } from "../machine";
import type { ControlPlaneMember } from "./controlPlaneMembers";
import { upgradeMachine } from "./upgradeMachine";

/** The drain of a machine's node around its restart. */
export interface RestartDrain {
  /** Before the restart. */
  begin(): Promise<void>;
  /** When the machine is healthy again, or the change has failed. */
  end(): Promise<void>;
}

/** The Talos that a control plane's machines are to run, and how they get it. */
export interface MemberTalos {
  /** The installer in their role's configuration. Its tag is the release. */
  readonly installer: string;
  /** How long each machine may take. */
  readonly timeoutSeconds: number;
  readonly drainOf: (machine: Machine) => RestartDrain;
}

/** The release of an installer; undefined if its tag is none. */
export function versionOf({ installer }: Pick<MemberTalos, "installer">): string | undefined {
  return systemOfInstaller(installer)?.version;
}

/**
 * Changes the Talos of one machine, with a drain. It keeps the place and the schematic of the
 * machine's own installer: its own configuration, which follows, decides about these.
 *
 * @throws what `upgradeMachine` and the drain throw
 */
export async function changeMemberTalos(
  { machine, documents }: ControlPlaneMember,
  talos: MemberTalos,
  progress: Progress,
): Promise<void> {
  const own = installerIn(documents) ?? talos.installer;
  const image = installerWithVersion(own, versionOf(talos) ?? "") ?? talos.installer;
  const target = systemOfInstaller(image);
  if (target === undefined) {
    throw new Error(`the installer "${image}" names no release of Talos: give its version as tag`);
  }
  const drain = talos.drainOf(machine);
  const deadline = clock.now() + talos.timeoutSeconds * 1_000;
  try {
    await upgradeMachine({
      machine,
      image,
      target,
      deadline,
      progress,
      beforeRestart: () => drain.begin(),
    });
  } finally {
    await drain.end();
  }
}
