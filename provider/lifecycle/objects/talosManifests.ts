import { parse } from "yaml";
import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import type { KubernetesObject } from "../../kubernetes/kubernetesObject";
import { type Machine, withMachine } from "../machine";

/** An object of a manifest that Talos renders. */
export interface ManifestObject {
  /** The id of its manifest, for example `10-kube-proxy`. */
  readonly manifest: string;
  readonly object: KubernetesObject;
}

/** What Talos renders. */
export interface RenderedManifests {
  readonly objects: readonly ManifestObject[];
  /** The Talos that rendered them: `v1.12.1`. */
  readonly talosVersion: string;
}

/** The machines to read manifests from, and the manifests that must be there. */
export interface ManifestQuery {
  /**
   * Control plane machines, which all render the same manifests. The next one is asked if one
   * doesn't answer.
   */
  readonly controlPlanes: readonly Machine[];
  /** The manifests that its configuration names: inline ones and URLs. */
  readonly named: readonly string[];
  readonly deadline: number;
  readonly progress: Progress;
}

const MANIFESTS = { namespace: "controlplane", type: "Manifests.kubernetes.talos.dev" };

/** A machine that is off must not delay the next. */
const LOOK_TIMEOUT_MS = 10_000;

/**
 * Ids of manifests that the configuration names. Machines may take a while to load those with a
 * URL. Source: talos v1.12.1, `k8s/control_plane.go`.
 */
const NAMED = /^(?:05|30|99)-(.*)$/s;

/**
 * The manifests that a control plane machine renders, once they no longer change and none is
 * missing.
 *
 * @throws WaitTimeoutError at the deadline, with the missing manifests
 */
export async function readManifests({
  controlPlanes,
  named,
  deadline,
  progress,
}: ManifestQuery): Promise<RenderedManifests> {
  let before: string | undefined;
  let next = 0;
  return waitFor<RenderedManifests>({
    what: "Talos to render its manifests",
    deadlineMs: deadline - clock.now(),
    report: progress.report,
    probe: async ({ signal, remainingMs }) => {
      const machine = controlPlanes[next % controlPlanes.length];
      if (machine === undefined) {
        throw new Error("no control plane machine is given");
      }
      const timeoutMs = Math.min(LOOK_TIMEOUT_MS, remainingMs);
      const call = { signal, timeoutMs };
      const [resources, { tag: talosVersion }] = await withMachine(machine, (client) =>
        Promise.all([client.listResources(MANIFESTS, call), client.version(call)]),
      ).catch((error: unknown) => {
        next += 1;
        throw error;
      });
      const ids = resources.map(({ id }) => NAMED.exec(id)?.[1] ?? "");
      const missing = named.filter((name) => !ids.includes(name));
      if (missing.length > 0) {
        before = undefined;
        return { done: false, status: `${machine.node} hasn't loaded ${missing.join(", ")}` };
      }
      const versions = resources.map(({ id, version }) => `${id} ${version}`).join("\n");
      if (versions !== before) {
        before = versions;
        return { done: false, status: "they may still change" };
      }
      const objects = [...resources]
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .flatMap(({ id, spec }) => objectsOf(spec).map((object) => ({ manifest: id, object })));
      return { done: true, value: { objects, talosVersion } };
    },
  });
}

/** The objects of a manifest, which Talos writes as a list. */
function objectsOf(spec: string): readonly KubernetesObject[] {
  const objects = parse(spec) as KubernetesObject | readonly KubernetesObject[] | null;
  return objects === null ? [] : [objects].flat();
}
