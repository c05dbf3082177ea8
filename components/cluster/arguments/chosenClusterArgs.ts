import type { AddOnChoices } from "../../addOns/addOnChoices";
import type { ClusterFacts } from "../plan/clusterFacts";
import type { TalosClusterArgs } from "./talosClusterArgs";

/** A cluster's arguments with its add-ons in their long form. */
export type ClusterChoices = Omit<TalosClusterArgs, "addOns"> & {
  /** Undefined if the program says nothing of add-ons. */
  readonly addOns?: AddOnChoices;
};

/** The same with what follows from them, as checks see them: `chooseAddOns`. */
export type ChosenClusterArgs = ClusterChoices & { readonly facts: ClusterFacts };

/**
 * The same with what the add-ons need in the other arguments, as plans and makers see them:
 * `withAddOns`. So the parts that add-ons change are always there.
 */
export type ClusterPlanInput = ChosenClusterArgs &
  Required<
    Pick<TalosClusterArgs, "machineConfiguration" | "controlPlane" | "workers" | "workerPools">
  >;
