import { parse } from "yaml";
import { waitFor } from "../api/waitFor";
import { clock } from "../clock";
import type { KubernetesObject } from "../kubernetes/kubernetesObject";
import type { Progress } from "../progress";
import type { Machine } from "./machine";
import { withMachine } from "./withMachine";

/** An object of a manifest that Talos renders. */
export interface ManifestObject {
  /** Which manifest: `10-kube-proxy`. */
  readonly manifest: string;
  readonly object: KubernetesObject;
}

/** Where manifests are read, and what they have to be of. */
export interface ManifestQuery {
  /** Control plane machines, which all render the same: the next is asked when one doesn't answer. */
  readonly controlPlanes: readonly Machine[];
  /** The manifests that its configuration names: inline ones and URLs. */
  readonly named: readonly string[];
  readonly deadline: number;
  readonly progress: Progress;
}

const MANIFESTS = { namespace: "controlplane", type: "Manifests.kubernetes.talos.dev" };

/** A machine that is off must not hold up the next. */
const LOOK_TIMEOUT_MS = 10_000;

/**
 * The order of manifests that configurations name, of which URLs may take a while to be loaded. Source: talos
 * v1.12.1, `k8s/control_plane.go`.
 */
const NAMED = /^(?:05|30|99)-(.*)$/s;

/**
 * What a control plane machine renders of its configuration, once that holds still and has all that the
 * configuration names.
 *
 * @throws WaitTimeoutError at the deadline, with the manifests that are missing
 */
export async function readManifests({
  controlPlanes,
  named,
  deadline,
  progress,
}: ManifestQuery): Promise<readonly ManifestObject[]> {
  let before: string | undefined;
  let turn = 0;
  return waitFor<readonly ManifestObject[]>({
    what: "Talos to render its manifests",
    deadlineMs: deadline - clock.now(),
    report: progress.report,
    probe: async ({ signal, remainingMs }) => {
      const machine = controlPlanes[turn % controlPlanes.length];
      if (machine === undefined) throw new Error("a cluster has a control plane machine");
      const timeoutMs = Math.min(LOOK_TIMEOUT_MS, remainingMs);
      const resources = await withMachine(machine, (client) =>
        client.listResources(MANIFESTS, { signal, timeoutMs }),
      ).catch((error: unknown) => {
        turn += 1;
        throw error;
      });
      const ids = resources.map(({ id }) => NAMED.exec(id)?.[1] ?? "");
      const missing = named.filter((name) => !ids.includes(name));
      if (missing.length > 0) {
        before = undefined;
        return { done: false, seen: `${machine.node} hasn't loaded ${missing.join(", ")}` };
      }
      const versions = resources.map(({ id, version }) => `${id} ${version}`).join("\n");
      if (versions !== before) {
        before = versions;
        return { done: false, seen: "they may still change" };
      }
      const value = [...resources]
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .flatMap(({ id, spec }) => objectsOf(spec).map((object) => ({ manifest: id, object })));
      return { done: true, value };
    },
  });
}

/** Talos writes the objects of a manifest as a list. */
function objectsOf(spec: string): readonly KubernetesObject[] {
  const objects = parse(spec) as KubernetesObject | readonly KubernetesObject[] | null;
  return objects === null ? [] : [objects].flat();
}
