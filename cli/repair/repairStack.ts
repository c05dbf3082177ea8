import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { messageOfError } from "../../provider/base";
import { shownStack } from "../engine/shownStack";
import { exportState, importState } from "../engine/stateOfStack";
import { text } from "../properties";
import { askAws } from "./askAws";
import { recordedStack, type WrittenResource } from "./pendingOperations";
import { type Decisions, type Finding, isCreate, planRepair, type RepairStep } from "./planRepair";
import { repairedState, urnsToRefresh } from "./repairedState";
import { type Ask, Unsure } from "./searches/search";
import { searchFor } from "./searches/searches";

export interface Repair {
  /** Empty if the last operation on the stack is completely recorded. */
  readonly steps: readonly RepairStep[];
  /**
   * Applies it: writes the state, then refreshes the added resources.
   *
   * @throws RangeError if a step is undecided
   */
  readonly apply: (options: ApplyOptions) => Promise<void>;
}

export interface ApplyOptions {
  readonly onOutput: (text: string) => void;
  readonly color: "always" | "never";
  readonly signal?: AbortSignal;
}

/**
 * Finds the operations that a killed run had begun and not recorded, and searches AWS for the
 * created objects. It changes nothing. Without pending operations it only reads the state.
 *
 * @param options.decisions about what can't be found out. Default: none
 * @param options.state of the stack, encrypted. Default: it is exported, which takes half a second
 * @throws CommandFailure if AWS can't be called
 */
export async function planStackRepair(
  stack: Stack,
  options: { readonly decisions?: Decisions | undefined; readonly state?: Deployment } = {},
): Promise<Repair> {
  const { decisions, state: exported = await exportState(stack) } = options;
  const recorded = recordedStack(exported);
  const creates = new Map(
    recorded.pending.filter(isCreate).map(({ resource }) => [resource.urn, resource]),
  );
  const findings = await findAll(stack, [...creates.values()], recorded.resources);
  const steps = planRepair(recorded, findings, decisions);
  return { steps, apply: (options) => apply(stack, exported, steps, options) };
}

async function findAll(
  stack: Stack,
  creates: readonly WrittenResource[],
  resources: readonly WrittenResource[],
): Promise<Readonly<Record<string, Finding>>> {
  const recorded = new Set(resources.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const known: Record<string, Finding> = {};
  const toFind = creates.filter((created) => {
    const { urn, type, inputs } = created;
    const search = searchFor(created);
    if (search === "repeatable") {
      known[urn] = { repeatable: true };
    } else if (search === "named") {
      known[urn] = assumed(text(inputs ?? {}, "name"));
    } else if (search === undefined) {
      known[urn] = { unsure: `there is no search for a ${type}`, ids: [] };
    }
    return typeof search === "function";
  });
  if (toFind.length === 0) {
    return known;
  }
  const found = await askAws(stack, await providersOf(stack, toFind), (askAs) =>
    Promise.all(
      toFind.map(async (each) => [
        each.urn,
        await find(each, askAs(each.provider ?? ""), recorded),
      ]),
    ),
  );
  return { ...known, ...(Object.fromEntries(found) as Record<string, Finding>) };
}

/** Names that Pulumi makes end with seven random digits. */
const RANDOM_NAME = /-[0-9a-f]{7}$/;

function assumed(name: string): Finding {
  return RANDOM_NAME.test(name)
    ? { assumed: name }
    : { unsure: "one of this name may belong to another stack", ids: [name] };
}

async function find(
  created: WrittenResource,
  ask: Ask,
  recorded: ReadonlySet<string>,
): Promise<Finding> {
  const search = searchFor(created);
  if (typeof search !== "function") {
    return { unsure: "it was not searched for", ids: [] };
  }
  try {
    return { ids: await search(created.inputs ?? {}, ask, recorded) };
  } catch (error) {
    const reason = messageOfError(error);
    return { unsure: reason, ids: error instanceof Unsure ? error.ids : [] };
  }
}

/** The providers of the created resources, with their settings in clear, which calls need. */
async function providersOf(
  stack: Stack,
  resources: readonly WrittenResource[],
): Promise<readonly WrittenResource[]> {
  const isOwn = resources.some(({ provider = "" }) => !provider.includes("::default"));
  const exported = isOwn ? await stack.exportStack() : await exportState(stack);
  return recordedStack(exported).resources.filter(({ type }) => type === "pulumi:providers:aws");
}

async function apply(
  stack: Stack,
  exported: Deployment,
  steps: readonly RepairStep[],
  options: ApplyOptions,
): Promise<void> {
  await importState(stack, repairedState(exported, steps));
  const target = [...urnsToRefresh(steps)];
  if (target.length > 0) {
    await shownStack(stack).refresh({ ...options, target });
  }
}
