import {
  decodeDocuments,
  differencesBetween,
  hashDocuments,
  installerImage,
  normalizeDocument,
} from "../../provider/config";
import { renderMachineConfiguration } from "../../provider/render";
import { checkKnown, type Given, render, warningsOf } from "../../provider/resources";
import { placeOf } from "./keptPatch";
import type { PlannedCluster, PlannedMachine, PlannedRole } from "./planAdoption";

/** What a preview would say of a cluster's machines. */
export interface Comparison {
  readonly machines: readonly ComparedMachine[];
  /** What a preview refuses, and so doesn't show. */
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
}

/** A machine, and where its configuration would change. */
export interface ComparedMachine {
  readonly machine: PlannedMachine;
  readonly role: string;
  /** Places without values; none if nothing changes. */
  readonly changes: readonly string[];
}

/** Whether a program changes no machine. */
export function changesNothing({ machines, refused }: Comparison): boolean {
  return refused.length === 0 && machines.every(({ changes }) => changes.length === 0);
}

/**
 * Compares the configurations that a program renders with those that the machines have. It renders and judges
 * them with what the engine calls in a preview, and asks no machine.
 */
export function compareMachines({ roles, secrets }: PlannedCluster): Comparison {
  const compared = roles.map((role) => compareRole(role, secrets, roles));
  return {
    machines: compared.flatMap(({ machines }) => machines),
    refused: compared.flatMap(({ refused }) => refused),
    warnings: [...new Set(compared.flatMap(({ warnings }) => warnings))],
  };
}

function compareRole(
  role: PlannedRole,
  secretsBundle: Given["secretsBundle"],
  roles: readonly PlannedRole[],
): Comparison {
  const { name, arguments: own, machines } = role;
  const patches = textsOf(role.patches);
  const given: Given = {
    ...own,
    secretsBundle,
    patches,
    controlPlaneCount: roles
      .filter(({ arguments: { machineType } }) => machineType === "controlplane")
      .reduce((sum, each) => sum + each.machines.length, 0),
  };
  const machinePatches = Object.fromEntries(
    machines
      .filter(({ ownPatches }) => ownPatches.length > 0)
      .map((machine) => [machine.name, textsOf(machine.ownPatches)]),
  );
  const problems = checkKnown(given);
  const result =
    problems.length > 0
      ? { failures: problems }
      : render(given, installerImage(given), { machinePatches });
  if ("failures" in result) {
    const refused = result.failures.map(
      ({ property, reason }) => `"${name}": ${property === "" ? "" : `${property}: `}${reason}`,
    );
    return { machines: [], refused, warnings: [] };
  }
  const compared = machines.map((machine) => compareMachine(machine, result.rendered.text, name));
  return {
    machines: compared.flatMap((each) => ("changes" in each ? [each] : [])),
    refused: compared.flatMap((each) => ("changes" in each ? [] : each.refused)),
    warnings: warningsOf(result.rendered, given),
  };
}

function compareMachine(
  machine: PlannedMachine,
  machineConfiguration: string,
  role: string,
): ComparedMachine | { readonly refused: readonly string[] } {
  const patches = textsOf(machine.ownPatches);
  const result = renderMachineConfiguration({ machineConfiguration, patches });
  if ("failures" in result) {
    const refused = result.failures.map(
      ({ property, reason }) => `"${machine.name}": ${property}: ${reason}`,
    );
    return { refused };
  }
  const documents = decodeDocuments(machine.configuration);
  if (result.rendered.hash === hashDocuments(documents)) {
    return { machine, role, changes: [] };
  }
  const [before, after] = [documents, decodeDocuments(result.rendered.text)].map((each) =>
    each.map((document) => normalizeDocument(document)),
  );
  const changes = differencesBetween(before ?? [], after ?? []).map(placeOf);
  return { machine, role, changes: changes.length === 0 ? ["(order of documents)"] : changes };
}

function textsOf(patches: PlannedRole["patches"]): string[] {
  return patches.map(({ text }) => text);
}
