import { isUnknown } from "../../base/unknown";
import { judgeAuthorities } from "../../config/authorityPath";
import { describeRefused, refusedAtBoot } from "../../config/bootValidation";
import { ineffectiveChanges } from "../../config/effects/ineffectiveChanges";
import { documentsOfOutline } from "../../config/effects/outline";
import { isInDocuments } from "../../config/effects/sameForm";
import { judgeKubernetesPath } from "../../config/kubernetesPath";
import type { ConfigDocument } from "../../config/machineConfig";
import { kubeletVersion, newerThanApiServer } from "../../config/releases/kubernetesSkew";
import { orderReleases } from "../../config/releases/releaseOrder";
import { removedInKubernetes } from "../../config/releases/removedInKubernetes";
import { talosMinor } from "../../config/releases/talosMinor";
import { unreadableDocuments } from "../../config/schema/unreadableDocuments";
import { FIRST_MINOR_IN_DOCUMENTS } from "../../config/settings/settingPatch";
import { installedSystem } from "../../config/talosSystem";
import type { CheckFailure } from "../../engine/handler";
import { isOutline, outlineOf } from "../../render/renderMachineConfiguration";
import { judgeBirth } from "./applyBirth";
import type { ApplyInputs } from "./applyRecord";

/** The verdict on a machine's next configuration. */
interface ApplyVerdict {
  readonly failures: readonly CheckFailure[];
  /** Accepted changes of what a machine has from its birth, changes without effect, and a Kubernetes that goes back. */
  readonly warnings: readonly string[];
}

/**
 * Judges a machine's next configuration by the one that is recorded for it: releases of Kubernetes,
 * their options, and stages of rotations.
 *
 * @param olds the recorded inputs; undefined for a new resource
 * @param given the inputs before this machine's patches
 * @param news the inputs with the rendered configuration
 */
export function judgeApply(
  olds: Partial<ApplyInputs> | undefined,
  given: ApplyInputs,
  news: ApplyInputs,
): ApplyVerdict {
  const { redactedConfiguration: after, machineId } = news;
  if (!isOutline(after)) {
    return { failures: [], warnings: [] };
  }
  // For another machine, little can be known.
  const recorded = olds?.machineId === machineId ? olds.redactedConfiguration : undefined;
  const before = isOutline(recorded) ? recorded : undefined;
  const path = before === undefined ? {} : judgeKubernetesPath(before, after);
  const isRotationKnown = before !== undefined && !isUnknown(news.renderedConfiguration);
  const unpatched = outlineOf(given.roleOutline);
  const birth = before && judgeBirth(before, after, olds?.bornOtherwise, given.acceptedChanges);
  const failures = [
    ...about("kubernetesVersion", path.problem === undefined ? [] : [path.problem]),
    ...about("talosVersion", before === undefined ? [] : withoutOrder(olds, before, news, after)),
    ...about("talosVersion", before === undefined ? [] : withoutReader(olds, before, news)),
    ...about("versionContract", before === undefined ? [] : withoutDocuments(olds, before, after)),
    ...about("talosVersion", before === undefined ? [] : refusedByTalos(olds, before, news)),
    ...about("kubernetesVersion", removedInKubernetes(before, after)),
    ...about(
      "patches",
      unpatched === undefined ? [] : newerThanApiServer(after, kubeletVersion(unpatched)),
    ),
    ...(birth?.failures ?? []),
    ...about("rotation", isRotationKnown ? judgeAuthorities(before, after).problems : []),
  ];
  const isUpgraded = news.talosSystem !== undefined;
  const isSynced = news.manifestsFollow === true;
  const ineffective = ineffectiveChanges(before, after, { isUpgraded, isSynced });
  const warnings = [
    ...(birth?.warnings ?? []),
    ...ineffective.map(({ reason }) => reason),
    ...(path.warning === undefined ? [] : [path.warning]),
  ];
  return { failures, warnings };
}

/** Why a machine could not start with its next Talos. */
function withoutReader(
  olds: Partial<ApplyInputs> | undefined,
  before: ConfigDocument,
  news: ApplyInputs,
): readonly string[] {
  const [from, to] = [olds?.talosSystem?.version, news.talosSystem?.version];
  const reason = to === undefined || from === to ? undefined : unreadableDocuments(before, to);
  return reason === undefined ? [] : [reason];
}

/**
 * Why a machine can't get its settings in documents: the Talos that it runs reads none. An upgrade in the
 * same update is refused too, because a machine that fails in it could not go back.
 */
function withoutDocuments(
  olds: Partial<ApplyInputs> | undefined,
  before: ConfigDocument,
  after: ConfigDocument,
): readonly string[] {
  const version = (olds?.talosSystem ?? installedSystem([before]))?.version;
  const isRead = version === undefined || (talosMinor(version) ?? 0) >= FIRST_MINOR_IN_DOCUMENTS;
  return isInDocuments(before) || !isInDocuments(after) || isRead
    ? []
    : [
        `the machine runs Talos ${version}, and settings in documents need v1.${FIRST_MINOR_IN_DOCUMENTS}: set versionContract back, upgrade the machines with talosVersion, and change versionContract in an update after that`,
      ];
}

/** Why a machine can get neither its next Talos nor its next Kubernetes first. */
function withoutOrder(
  olds: Partial<ApplyInputs> | undefined,
  before: ConfigDocument,
  news: ApplyInputs,
  after: ConfigDocument,
): readonly string[] {
  const [from, to] = [olds?.talosSystem?.version, news.talosSystem?.version];
  const [older, newer] = [kubeletVersion(before), kubeletVersion(after)];
  if (from === undefined || to === undefined || older === undefined || newer === undefined) {
    return [];
  }
  const order = orderReleases({ talos: from, kubernetes: older }, { talos: to, kubernetes: newer });
  return "refusal" in order ? [order.refusal] : [];
}

/** Why the next Talos would have no API with the configuration that the machine keeps until then. */
function refusedByTalos(
  olds: Partial<ApplyInputs> | undefined,
  before: ConfigDocument,
  news: ApplyInputs,
): readonly string[] {
  const [from, to] = [olds?.talosSystem?.version, news.talosSystem?.version];
  if (from === undefined || to === undefined) {
    return [];
  }
  const refused = refusedAtBoot(documentsOfOutline(before), from, to, { imagesFollow: true });
  return refused.length === 0 ? [] : [describeRefused(refused, from, to)];
}

function about(property: string, reasons: readonly string[]): readonly CheckFailure[] {
  return reasons.map((reason) => ({ property, reason }));
}
