import { type InstallerOptions, patchedInstallerProblem } from "../config/installerImage";
import { newerThanApiServer } from "../config/kubernetesSkew";
import { isMapping, textAt } from "../config/machineConfig";
import { removedInKubernetes } from "../config/removedInKubernetes";
import { nodeCountProblem } from "../config/rules/clusterRanges";
import { DocumentView } from "../config/rules/documentView";
import { installedMinor } from "../config/talosSystem";
import type { CheckFailure } from "../handler";
import type { ConfigurationOutline } from "../renderConfiguration";
import { isOutline } from "../renderMachineConfiguration";

/** What a program declares that its machines run. */
interface DeclaredReleases extends Pick<InstallerOptions, "platform" | "talosVersion"> {
  readonly kubernetesVersion: string;
  readonly nodeCount?: number | undefined;
}

/**
 * What the rendered configuration and the inputs together are refused for: options that the
 * Kubernetes release removed, components newer than the API server, ranges too small for the nodes, and
 * another installer by patch.
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
  const { nodeCount } = given;
  const ofNodes =
    nodeCount === undefined || textAt(machine, "type") === "worker"
      ? undefined
      : nodeCountProblem(new DocumentView(after, installedMinor(after) ?? 0), nodeCount);
  const ofInstaller = install === undefined ? undefined : patchedInstallerProblem(install, given);
  return [
    ...[
      ...removedInKubernetes(isOutline(former) ? former : undefined, after),
      ...newerThanApiServer(after, given.kubernetesVersion),
    ].map((reason) => ({ property: "kubernetesVersion", reason })),
    ...(ofNodes === undefined ? [] : [{ property: "podCidrs", reason: ofNodes }]),
    ...(ofInstaller === undefined ? [] : [{ property: "patches", reason: ofInstaller }]),
  ];
}
