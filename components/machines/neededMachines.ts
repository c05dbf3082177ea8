import { isDeepStrictEqual } from "node:util";
import { type HandlerName, talosKind } from "../../provider/engine";

type Properties = Readonly<Record<string, unknown>>;

/** A create or an update, as hooks of the engine receive it. */
export interface Step {
  readonly type: string;
  /** Undefined for a create. */
  readonly oldInputs?: Properties | undefined;
  readonly newInputs?: Properties | undefined;
}

/**
 * The machines without which a step can't end: none, the resource's own one, or all of the control
 * plane and all others that the resource knows.
 */
export type NeededMachines = "none" | "own" | "all";

/** Inputs of a `ConfigurationApply` that say how to reach its machine, or what happens at its end. */
const RECORDED = ["endpoint", "privateAddress", "onDestroy"];

const needs: Partial<Record<HandlerName, (step: Step) => NeededMachines>> = {
  ConfigurationApply: ({ oldInputs, newInputs = {} }) => {
    if (oldInputs === undefined) {
      return "own";
    }
    const changed = changedNames(oldInputs, newInputs);
    if (changed.length > 0 && changed.every((name) => RECORDED.includes(name))) {
      return "none";
    }
    const isMoved = changed.includes("node");
    // A restart of a control plane machine needs every other member of etcd.
    return isMoved && changed.every((name) => name === "node" || RECORDED.includes(name))
      ? "own"
      : "all";
  },
  FirstContact: ({ oldInputs }) => (oldInputs === undefined ? "own" : "none"),
  KubernetesUpgrade: updateOf("images"),
  RotationGate: updateOf("rotation"),
  MachineTurn: updateOf("triggers"),
  // Etcd accepts no new member while another one is away.
  EtcdMember: updateOf("machineId"),
  ClusterHealth: () => "all",
};

/**
 * Kinds whose steps a preview doesn't refuse. The health comes last, so all other changes can be made
 * meanwhile. The others follow a replaced machine, which may be the stopped one.
 */
const onlyInUpdates: readonly (HandlerName | undefined)[] = [
  "ClusterHealth",
  "MachineTurn",
  "EtcdMember",
];

/** Whether a preview already refuses a step whose machines are stopped. */
export function isRefusedInPreview({ type }: Step): boolean {
  return !onlyInUpdates.includes(talosKind(type));
}

/** The machines without which a step of a resource can't end. */
export function neededMachines(step: Step): NeededMachines {
  const kind = talosKind(step.type);
  return (kind && needs[kind]?.(step)) ?? "none";
}

/** A gate that acts when an input changes, and creates nothing. */
function updateOf(name: string): (step: Step) => NeededMachines {
  return ({ oldInputs, newInputs = {} }) =>
    oldInputs !== undefined && changedNames(oldInputs, newInputs).includes(name) ? "all" : "none";
}

function changedNames(olds: Properties, news: Properties): string[] {
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (name) => !name.startsWith("__") && !isDeepStrictEqual(olds[name], news[name]),
  );
}
