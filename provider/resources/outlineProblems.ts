import { type InstallerOptions, patchedInstallerProblem } from "../config/installerImage";
import { newerThanApiServer } from "../config/kubernetesSkew";
import { isMapping, textAt } from "../config/machineConfig";
import { removedInKubernetes } from "../config/removedInKubernetes";
import type { CheckFailure } from "../handler";
import type { ConfigurationOutline } from "../renderConfiguration";
import { isOutline } from "../renderMachineConfiguration";

/** What a program declares that its machines run. */
interface DeclaredReleases extends Pick<InstallerOptions, "platform" | "talosVersion"> {
  readonly kubernetesVersion: string;
}

/**
 * What the rendered configuration and the inputs together are refused for: options that the
 * Kubernetes release removed, components newer than the API server, and another installer by patch.
 *
 * @param former what an earlier run recorded, if anything
 */
export function outlineProblems(
  former: ConfigurationOutline | string | undefined,
  given: DeclaredReleases,
  after: ConfigurationOutline,
): CheckFailure[] {
  const { machine } = after;
  const install = isMapping(machine) ? textAt(machine.install, "image") : undefined;
  const ofInstaller = install === undefined ? undefined : patchedInstallerProblem(install, given);
  return [
    ...[
      ...removedInKubernetes(isOutline(former) ? former : undefined, after),
      ...newerThanApiServer(after, given.kubernetesVersion),
    ].map((reason) => ({ property: "kubernetesVersion", reason })),
    ...(ofInstaller === undefined ? [] : [{ property: "patches", reason: ofInstaller }]),
  ];
}
