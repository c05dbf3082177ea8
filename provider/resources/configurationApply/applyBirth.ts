import { isUnknown } from "../../base/unknown";
import {
  type BirthChange,
  birthChanges,
  type BirthValues,
  describeBirthChange,
  deviations,
  wholeBirth,
} from "../../config/birth/birthSettings";
import { outlineDocuments } from "../../config/effects/outline";
import type { ConfigDocument } from "../../config/machineConfig";
import { installedMinor } from "../../config/talosSystem";
import { decodeDocuments } from "../../config/yaml/encode";
import type { CheckFailure } from "../../engine/handler";
import { hideMarkedIn } from "../../render/renderConfiguration";
import { isOutline } from "../../render/renderMachineConfiguration";
import type { ApplyInputs } from "./applyRecord";

/**
 * What a machine was born with, where its next configuration has other values. While that is unknown, what
 * is recorded stays.
 *
 * @param olds the recorded inputs; undefined for a new resource
 * @returns undefined if all is as at its birth, as far as it is known
 */
export function bornOtherwiseAfter(
  olds: Partial<ApplyInputs> | undefined,
  machineId: string,
  outline: unknown,
): BirthValues | undefined {
  if (olds?.machineId !== machineId) {
    return undefined;
  }
  const { redactedConfiguration: before, bornOtherwise } = olds;
  return isOutline(before) && isOutline(outline)
    ? unlessEmpty(deviations(before, outline, installedMinor(outline), bornOtherwise))
    : bornOtherwise;
}

/** The same of a configuration that a refresh has found on the machine. */
export function bornOtherwiseThan(
  bornWith: BirthValues | undefined,
  found: ConfigDocument,
): BirthValues | undefined {
  const minor = installedMinor(found);
  const born = bornWith && wholeBirth(bornWith, minor);
  return unlessEmpty(deviations(found, found, minor, born));
}

/**
 * Judges changes of what a machine has from its birth: refuses those that the program doesn't accept, and
 * warns of the others.
 *
 * @param before the outline of the recorded configuration
 */
export function judgeBirth(
  before: ConfigDocument,
  after: ConfigDocument,
  bornOtherwise: BirthValues | undefined,
  accepted: ApplyInputs["acceptedChanges"],
): { readonly failures: readonly CheckFailure[]; readonly warnings: readonly string[] } {
  const changes = birthChanges(before, after, installedMinor(after), bornOtherwise);
  const mayChange = ({ setting, path, after: value }: BirthChange) =>
    [setting, path].some((name) => isAccepted(accepted, name, value));
  return {
    failures: changes
      .filter((change) => !mayChange(change))
      .map((change) => ({ property: change.path, reason: describeRefusal(change) })),
    warnings: changes
      .filter((change) => mayChange(change) && !change.isTold)
      .map(describeBirthChange),
  };
}

/**
 * Judges the configuration of a running machine that is taken over, of which the preview knows nothing.
 *
 * @param running the configuration that the machine has
 * @returns warnings of what the program accepts
 * @throws Error with everything that it doesn't
 */
export function judgeTakeover(
  inputs: ApplyInputs,
  running: readonly ConfigDocument[],
): readonly string[] {
  const { node, acceptedChanges, bornOtherwise, markedValues: marked = [] } = inputs;
  const documents = decodeDocuments(inputs.renderedConfiguration ?? "");
  const [before, after] = [running, documents].map((each) =>
    outlineDocuments(each, { marked, keyedBy: running }),
  );
  const { failures, warnings } = judgeBirth(
    before ?? {},
    after ?? {},
    bornOtherwise,
    acceptedChanges,
  );
  if (failures.length > 0) {
    const lines = failures.map(({ property, reason }) => `  - ${property}: ${reason}`);
    throw new Error(
      `machine ${node} is configured already, and the new configuration changes what a machine keeps from its birth. Nothing was sent to it:\n${hideMarkedIn(lines, marked).join("\n")}`,
    );
  }
  return hideMarkedIn(warnings, marked);
}

function describeRefusal({ path, before, after, reason }: BirthChange): string {
  const entry = JSON.stringify({ [path]: after });
  return `it can't change from "${before}" to "${after}" on a machine that runs: ${reason}. To change it all the same, set acceptedChanges to ${entry}`;
}

function isAccepted(
  accepted: ApplyInputs["acceptedChanges"],
  name: string,
  value: string,
): boolean {
  const entry = isUnknown(accepted) ? undefined : accepted?.[name];
  // A value that isn't known yet may be the one.
  return isUnknown(accepted) || entry === value || isUnknown(entry);
}

function unlessEmpty(values: BirthValues): BirthValues | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}
