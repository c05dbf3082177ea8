import * as pulumi from "@pulumi/pulumi";
import { forgetPendingRelease } from "../../provider/lifecycle";
import { logBeside } from "../logBeside";
import { accessOf, type NodeObserver } from "../workers/nodeObserver";
import type { HelmReleaseArgs } from "./helmArgs";
import { namespaceOf } from "./planHelmRelease";

/** So long Kubernetes may take. If it doesn't answer, Helm says that, too. */
const LOOK_MS = 15_000;

/**
 * Has Helm forget a step that a killed run has left, or it would refuse each further one. The stack is locked meanwhile, so
 * no other run is at work. A preview asks nothing.
 *
 * @param ready how to ask Kubernetes, and when
 * @param cluster beside which a forgotten step is shown
 * @returns the release's name, once that is done
 */
export function forgetPending(
  name: string,
  args: HelmReleaseArgs,
  ready: pulumi.Output<[NodeObserver, string]>,
  cluster: pulumi.Resource | undefined,
): pulumi.Input<string> {
  if (pulumi.runtime.isDryRun() || cluster === undefined) {
    return name;
  }
  return ready.apply(async ([observer]) => {
    for (const status of await look(name, args, observer)) {
      const line = `a run that was killed has left the Helm release "${name}" in the state ${status}: that step is begun again`;
      await logBeside(cluster, line, { severity: "warn" });
    }
    return name;
  });
}

async function look(
  name: string,
  args: HelmReleaseArgs,
  observer: NodeObserver,
): Promise<readonly string[]> {
  const release = { name, namespace: namespaceOf(args) };
  try {
    return await forgetPendingRelease(accessOf(observer), release, AbortSignal.timeout(LOOK_MS));
  } catch {
    return [];
  }
}
