import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import {
  type ApiResource,
  type ApiResourceList,
  discoveryPath,
  findResource,
  objectPath,
} from "../../kubernetes/apiResources";
import { KubernetesApiError, type KubernetesRequest } from "../../kubernetes/kubernetesApi";
import type { KubernetesObject } from "../../kubernetes/kubernetesObject";
import { isKubernetesRefusal, seenOfKubernetes } from "../kubernetes/askKubernetes";
import { KubernetesAccess } from "../kubernetes/kubernetesAccess";
import type { Machine } from "../machine";

const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
/**
 * How long a write may take. A webhook has ten seconds, or up to thirty, before the server says that it doesn't answer.
 * Source: Kubernetes, `admissionregistration/v1.ValidatingWebhook.timeoutSeconds`.
 */
const WRITE_MS = 35_000;

/** The Kubernetes to work on, and a deadline. */
export interface ClusterWork {
  /** Control plane machines, asked one after the other. */
  readonly controlPlanes: readonly Machine[];
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Objects of a cluster's Kubernetes, of any kind. A request is repeated until the deadline if no
 * server answers, or the server is too busy.
 */
export class ClusterObjects {
  private access: KubernetesAccess | undefined;
  private readonly lists = new Map<string, ApiResourceList>();

  constructor(private readonly work: ClusterWork) {}

  /** The address of a kind's objects; undefined if the server doesn't have the kind. */
  async resourceOf({
    apiVersion,
    kind,
  }: Pick<KubernetesObject, "apiVersion" | "kind">): Promise<ApiResource | undefined> {
    const known = this.lists.get(apiVersion);
    const found = known && findResource(known, kind);
    if (found !== undefined) {
      return found;
    }
    // A definition that was just applied adds kinds.
    const list = await this.read<ApiResourceList>(discoveryPath(apiVersion));
    if (list === undefined) {
      return undefined;
    }
    this.lists.set(apiVersion, list);
    return findResource(list, kind);
  }

  /** The kind of a reference without a version, in the version that the server prefers. */
  async resourceOfKind(group: string, kind: string): Promise<ApiResource | undefined> {
    if (group === "") {
      return this.resourceOf({ apiVersion: "v1", kind });
    }
    const answer = await this.read<{
      readonly preferredVersion?: { readonly groupVersion?: string };
    }>(`/apis/${group}`);
    const apiVersion = answer?.preferredVersion?.groupVersion;
    return apiVersion === undefined ? undefined : this.resourceOf({ apiVersion, kind });
  }

  /** The value at a path; undefined without one. */
  async read<Value>(path: string): Promise<Value | undefined> {
    const text = await this.send({ method: "GET", path });
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  }

  /** An object; undefined without one. */
  find(
    resource: ApiResource,
    place: { readonly namespace?: string; readonly name: string },
  ): Promise<KubernetesObject | undefined> {
    return this.read(objectPath(resource, place));
  }

  /**
   * @param options.endsWithWebhook whether it doesn't wait for a webhook that doesn't answer. Default: it does
   * @returns the body of the answer; undefined where nothing is at the path
   * @throws KubernetesApiError when the server refuses
   * @throws WaitTimeoutError when no server answers until the deadline
   */
  async send(
    request: KubernetesRequest,
    { endsWithWebhook = false }: { readonly endsWithWebhook?: boolean } = {},
  ): Promise<string | undefined> {
    const { deadline, progress } = this.work;
    const timed = request.method === "GET" ? request : { ...request, timeoutMs: WRITE_MS };
    const isEnd = (error: unknown) => isFinal(error) || (endsWithWebhook && isOfWebhook(error));
    return waitFor<string | undefined>({
      what: "the Kubernetes API",
      deadlineMs: deadline - clock.now(),
      report: progress.report,
      isFatal: (error) => isEnd(error) || isKubernetesRefusal(error),
      probe: async ({ signal }) => {
        try {
          this.access ??= await KubernetesAccess.open(this.work.controlPlanes, signal);
          return { done: true, value: await this.access.send(timed, signal) };
        } catch (error) {
          if (error instanceof KubernetesApiError && error.status === NOT_FOUND) {
            return { done: true, value: undefined };
          }
          if (isEnd(error)) {
            throw error;
          }
          this.access = undefined;
          return { done: false, status: seenOfKubernetes(error) };
        }
      },
    });
  }
}

/**
 * The server's text about an object that doesn't match its schema; it reports this as an internal
 * error.
 */
const MISFIT = "failed to create typed patch object";

/**
 * Whether a webhook should have judged a request, and didn't answer: its pods may not run yet. Source: Kubernetes v1.37,
 * `apiserver/pkg/util/webhook`, `ErrCallingWebhook`, which the server reports as an internal error.
 */
export function isOfWebhook(error: unknown): boolean {
  return (
    error instanceof KubernetesApiError &&
    error.status >= SERVER_ERROR &&
    error.message.includes("failed calling webhook")
  );
}

/** Whether another request would fail too. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof KubernetesApiError &&
    error.status !== TOO_MANY_REQUESTS &&
    (error.status < SERVER_ERROR || error.message.includes(MISFIT))
  );
}
