import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { addOnChoices } from "./addOnChoices";

/**
 * Room for the 120 seconds that the termination handler gives a node by default, and for the time until it
 * notices. Source: pkg/config/config.go of aws/aws-node-termination-handler v1.25.6.
 */
const DEFAULT_DRAIN_SECONDS = 180;

/**
 * How long auto scaling groups keep machines that they are about to end; undefined if nothing in the
 * cluster drains them.
 */
export function drainSecondsOf({ addOns = {} }: TalosClusterArgs): number | undefined {
  const { nodeTerminationHandler } = addOnChoices(addOns);
  return nodeTerminationHandler === undefined ? undefined : DEFAULT_DRAIN_SECONDS;
}
