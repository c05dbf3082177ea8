import { isUnknown } from "../base/unknown";
import { documentsOfOutline } from "../config/effects/outline";
import { type InstallerOptions, patchedInstallerProblem } from "../config/installer/installerImage";
import { textAt } from "../config/machineConfig";
import { newerThanApiServer, olderThanApiServer } from "../config/releases/kubernetesSkew";
import { removedInKubernetes } from "../config/releases/removedInKubernetes";
import { nodeCountProblem } from "../config/rules/clusterRanges";
import { DocumentView } from "../config/rules/documentView";
import { etcdFirewallProblems } from "../config/rules/firewallRules";
import { fieldsOf } from "../config/settings/fieldsOf";
import { installedMinor } from "../config/talosSystem";
import type { CheckFailure } from "../engine/handler";
import type { ConfigurationOutline } from "../render/renderConfiguration";
import { isOutline } from "../render/renderMachineConfiguration";

/** What a program declares that its machines run. */
interface DeclaredReleases extends Pick<InstallerOptions, "platform" | "talosVersion"> {
  readonly kubernetesVersion: string;
  readonly nodeCount?: number | undefined;
  readonly controlPlaneCount?: number | undefined;
}

/**
 * What the rendered configuration and the inputs together are refused for: options that the
 * Kubernetes release removed, components newer or much older than the API server, ranges too small for the nodes,
 * another installer by patch, and a machine's own firewall in the way of etcd.
 *
 * @param former what an earlier run recorded, if anything
 */
export function outlineProblems(
  former: ConfigurationOutline | string | undefined,
  given: DeclaredReleases,
  after: ConfigurationOutline,
): CheckFailure[] {
  const { nodeCount } = given;
  const ofNodes =
    nodeCount === undefined || textAt(after.machine, "type") === "worker"
      ? undefined
      : nodeCountProblem(new DocumentView(fieldsOf(after), installedMinor(after) ?? 0), nodeCount);
  const ofInstaller = patchedInstallerProblem(after, given);
  return [
    ...[
      ...removedInKubernetes(isOutline(former) ? former : undefined, after),
      ...newerThanApiServer(after, given.kubernetesVersion),
      ...olderThanApiServer(after, given.kubernetesVersion),
    ].map((reason) => ({ property: "kubernetesVersion", reason })),
    ...(ofNodes === undefined ? [] : [{ property: "podCidrs", reason: ofNodes }]),
    ...(ofInstaller === undefined ? [] : [{ property: "patches", reason: ofInstaller }]),
    ...etcdProblems(after, given.controlPlaneCount).map((reason) => ({
      property: "patches",
      reason,
    })),
  ];
}

/**
 * Why control planes would not reach the etcd of a machine; none where there is one of them, or it isn't
 * known how many.
 */
export function etcdProblems(
  outline: ConfigurationOutline,
  controlPlaneCount: number | undefined,
): string[] {
  const isShared = !isUnknown(controlPlaneCount) && (controlPlaneCount ?? 1) > 1;
  return isShared
    ? etcdFirewallProblems(documentsOfOutline(outline), installedMinor(outline) ?? 0).map(
        ({ document, path, message }) => `${document}: ${path}: ${message}`,
      )
    : [];
}
