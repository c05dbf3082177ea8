import { isDeepStrictEqual } from "node:util";
import {
  applyPatches,
  checkTalosVersion,
  type ConfigDocument,
  ConfigError,
  decodeDocuments,
  type Difference,
  differencesBetween,
  generateMachineConfig,
  installerImage,
  normalizeDocument,
  talosMinor,
  talosSchema,
  versionContracts,
} from "../../provider/config";
import { importSecrets, type SecretsBundle, SecretsBundleError } from "../../provider/pki";
import { said } from "../said";
import type { FormerCluster, FormerMachine } from "./formerCluster";
import { adoptionFailure } from "./formerResource";
import { keepingPatches, type KeptPatch, writtenPatch } from "./keptPatch";
import { readRoleArguments, type RoleArguments } from "./roleArguments";

export interface PlannedMachine extends FormerMachine {
  /** What it gets beside its role. */
  readonly ownPatches: readonly KeptPatch[];
}

/** Machines with one `MachineConfiguration`. */
export interface PlannedRole {
  /** Of its resources: `controlplane`, `worker`, `worker-gpu`. */
  readonly name: string;
  readonly arguments: RoleArguments & { readonly versionContract: string };
  readonly patches: readonly KeptPatch[];
  readonly machines: readonly PlannedMachine[];
}

export interface PlannedCluster {
  readonly name: string;
  readonly secrets: SecretsBundle;
  /** Control planes first. */
  readonly roles: readonly PlannedRole[];
}

interface ReadMachine extends FormerMachine {
  readonly documents: readonly ConfigDocument[];
}

/**
 * The roles of a cluster whose arguments and patches make the configurations that its machines have. It
 * keeps the patches of people in their order, and what else differs as patches of its own.
 *
 * @throws CommandFailure with all problems of its secrets and configurations
 */
export function planAdoption(cluster: FormerCluster): PlannedCluster {
  const problems: string[] = [];
  const secrets = readSecrets(cluster, problems);
  const groups = new Map<string, { arguments: RoleArguments; machines: ReadMachine[] }>();
  for (const machine of cluster.machines) {
    const documents = decodeDocuments(machine.configuration);
    const own = readRoleArguments(documents, machine.address, problems);
    const unsupported = own && checkTalosVersion(own.talosVersion);
    if (own === undefined || unsupported !== undefined) {
      problems.push(...(unsupported === undefined ? [] : [`${machine.address}: ${unsupported}`]));
      continue;
    }
    const key = JSON.stringify([machine.block, machine.contract, own]);
    const group = groups.get(key) ?? { arguments: own, machines: [] };
    group.machines.push({ ...machine, documents });
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort(
    (one, other) => placeInOrder(one.arguments) - placeInOrder(other.arguments),
  );
  const names = namesOf(sorted.map(({ arguments: own, machines }) => ({ own, machines })));
  const roles =
    secrets === undefined || problems.length > 0
      ? []
      : sorted.flatMap((group, index) => {
          const contract = group.machines[0]?.contract ?? cluster.contract;
          const name = names[index] ?? "";
          return planRole({ ...group, name, contract }, secrets, problems);
        });
  if (secrets === undefined || problems.length > 0) {
    throw adoptionFailure(`the cluster "${cluster.name}" can't be taken over`, problems);
  }
  return { name: cluster.name, secrets, roles };
}

function readSecrets(
  { secrets, machines }: FormerCluster,
  problems: string[],
): SecretsBundle | undefined {
  try {
    const bundle = importSecrets(secrets);
    problems.push(...machines.flatMap((machine) => otherSecrets(machine, bundle)));
    return bundle;
  } catch (error) {
    if (!(error instanceof SecretsBundleError)) {
      throw error;
    }
    problems.push(
      ...error.problems.map(({ path, message }) => `its secrets: ${path} ${message}`.trim()),
    );
    return undefined;
  }
}

/** The secrets that a control plane machine has otherwise, as after a rotation by hand. */
function otherSecrets(
  { address, configuration }: FormerMachine,
  bundle: SecretsBundle,
): readonly string[] {
  try {
    const own = importSecrets(configuration);
    const places = (["cluster", "secrets", "trustdinfo", "certs"] as const).flatMap((part) =>
      differentKeys(own[part], bundle[part]).map((key) => `${part}.${key}`),
    );
    return said(
      places.length > 0 &&
        `"${address}" has other secrets than those that are recorded for the cluster, at ${places.join(", ")}: give a talosconfig instead, with which the machines themselves are asked`,
    );
  } catch (error) {
    if (!(error instanceof SecretsBundleError)) {
      throw error;
    }
    // Workers have no keys of the cluster, and what a control plane lacks shows in the comparison.
    return [];
  }
}

function differentKeys(one: object, other: object): readonly string[] {
  const [left, right] = [one, other].map((each) => new Map(Object.entries(each)));
  return [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])].filter(
    (key) => !isDeepStrictEqual(left?.get(key), right?.get(key)),
  );
}

function placeInOrder({ machineType }: RoleArguments): number {
  return machineType === "controlplane" ? 0 : 1;
}

/** Names of roles: their type, and what of the former program generated them, where several have the type. */
function namesOf(
  roles: readonly {
    readonly own: RoleArguments;
    readonly machines: readonly FormerMachine[];
  }[],
): readonly string[] {
  const taken = new Map<string, number>();
  return roles.map(({ own: { machineType }, machines: [first] }) => {
    const isOnly = roles.filter(({ own }) => own.machineType === machineType).length === 1;
    const block = (first?.block ?? "").split(".").at(-1) ?? "";
    const label = block.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
    const name = isOnly || label === "" || label === machineType ? machineType : label;
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
}

interface Group {
  readonly name: string;
  readonly arguments: RoleArguments;
  readonly machines: readonly ReadMachine[];
  /** The contract that it had, if that is recorded. */
  readonly contract: string | undefined;
}

function planRole(
  group: Group,
  secretsBundle: SecretsBundle,
  problems: string[],
): readonly PlannedRole[] {
  const { name, arguments: own, machines } = group;
  const schema = talosSchema(own.talosVersion);
  const written = machines.map(({ patches }) => patches ?? []);
  const shared = commonStart(written);
  try {
    const choices = contractsFor(group).map((versionContract) => {
      const chosen = { ...own, versionContract };
      const documents = generateMachineConfig({
        ...chosen,
        secretsBundle,
        installerImage: installerImage(chosen),
      });
      const differences = machines.map((machine, index) =>
        differencesBetween(
          normal(applyPatches(documents, written[index] ?? [], { schema })),
          normal(machine.documents),
        ),
      );
      return { versionContract, differences };
    });
    const [best] = [...choices].sort((one, other) => sizeOf(one) - sizeOf(other));
    if (best === undefined) {
      throw new ConfigError([{ document: "", path: "", message: "no version contract fits" }]);
    }
    const hasOwn = written.some((patches) => patches.length > shared.length);
    const common = hasOwn ? [] : commonDifferences(best.differences);
    return [
      {
        name,
        arguments: { ...own, versionContract: best.versionContract },
        patches: [
          ...shared.map((text) => writtenPatch(text, schema)),
          ...keepingPatches(common, schema),
        ],
        machines: machines.map(({ documents, ...machine }, index) => ({
          ...machine,
          ownPatches: [
            ...(written[index] ?? [])
              .slice(shared.length)
              .map((text) => writtenPatch(text, schema)),
            ...keepingPatches(without(best.differences[index] ?? [], common), schema),
          ],
        })),
      },
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    const places = error.problems.map(({ document, path, message }) =>
      [document, path, message].filter((part) => part !== "").join(": "),
    );
    problems.push(...places.map((place) => `the machines of "${name}": ${place}`));
    return [];
  }
}

/** The contracts to try: the recorded one, or all that the machines' Talos reads, the likeliest first. */
function contractsFor({ arguments: { talosVersion }, contract, machines }: Group) {
  const minor = contract === undefined ? undefined : talosMinor(contract);
  const recorded = minor === undefined ? undefined : `v1.${minor}`;
  if (recorded !== undefined && machines[0]?.contract !== undefined) {
    return [recorded];
  }
  const newest = talosMinor(talosVersion) ?? 0;
  const readable = versionContracts.filter((name) => (talosMinor(name) ?? 0) <= newest).reverse();
  return [
    ...readable.filter((name) => name === recorded),
    ...readable.filter((name) => name !== recorded),
  ];
}

function sizeOf({ differences }: { readonly differences: readonly (readonly Difference[])[] }) {
  return differences.reduce((sum, each) => sum + each.length, 0);
}

function normal(documents: readonly ConfigDocument[]): readonly ConfigDocument[] {
  return documents.map((document) => normalizeDocument(document));
}

function commonStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const length = first.findIndex((text, index) => others.some((each) => each[index] !== text));
  return length === -1 ? first : first.slice(0, length);
}

function commonDifferences(lists: readonly (readonly Difference[])[]): readonly Difference[] {
  const [first = [], ...others] = lists;
  return first.filter((each) =>
    others.every((list) => list.some((other) => isDeepStrictEqual(each, other))),
  );
}

function without(
  differences: readonly Difference[],
  common: readonly Difference[],
): readonly Difference[] {
  return differences.filter((each) => !common.some((other) => isDeepStrictEqual(each, other)));
}
