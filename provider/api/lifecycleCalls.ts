import type { CallOptions } from "./callOptions";
import type { ImageServicePullLayerProgress__Output } from "./gen/machine/ImageServicePullLayerProgress";
import type { CallPlan, Method, NodeCaller } from "./nodeCaller";
import { protocol } from "./protocol";
import { redactServerMessage } from "./serverMessage";
import { TalosApiError } from "./talosApiError";

/** How far the pull of one layer of an image is. */
export interface LayerProgress {
  readonly layer: string;
  /** Done when it is extracted, or was there before. */
  readonly isDone: boolean;
  readonly offsetBytes: number;
  /** 0 while it is unknown. */
  readonly totalBytes: number;
}

/**
 * Where `talosctl upgrade` has installers: beside the images of Talos' own services, on the disk. The
 * other driver keeps images in memory. Source: talos v1.14.1, `talosctl`'s `containerdInstance`.
 */
const SYSTEM = { driver: "CRI", namespace: "NS_SYSTEM" } as const;

/** The longest pull and the longest run of an installer. */
const TIMEOUT_MS = 600_000;

/**
 * Calls that install another Talos step by step, since Talos v1.13; `unimplemented` before. Each goes
 * to a single node, because apid requires that.
 */
export function lifecycleCalls(caller: NodeCaller, node: string) {
  const images = protocol.machine.ImageService.service;
  const lifecycle = protocol.machine.LifecycleService.service;
  const plan = <Request, Reply>(
    method: Method<Request, Reply>,
    call: CallOptions | undefined,
  ): CallPlan<Request, Reply> => ({
    target: { node },
    method,
    call: { timeoutMs: TIMEOUT_MS, ...call },
  });
  const withoutEnd = (asked: CallPlan<never, unknown>) =>
    TalosApiError.unreadable(new Error("the stream ended without a result"), caller.context(asked));
  return {
    /** Pulls an installer. `notFound` if it doesn't exist. Default deadline: 10 min. */
    pullInstaller: async (
      image: string,
      onProgress: (progress: LayerProgress) => void,
      call?: CallOptions,
    ): Promise<void> => {
      const asked = plan(images.Pull, call);
      for await (const { name, pullProgress } of caller.stream(asked, {
        containerd: SYSTEM,
        imageRef: image,
      })) {
        if (name !== undefined) {
          return;
        }
        if (pullProgress?.progress) {
          onProgress(progressOf(pullProgress.layerId, pullProgress.progress));
        }
      }
      throw withoutEnd(asked);
    },

    /**
     * Runs an installer that was pulled, for the next boot: nothing restarts, and no other machine is
     * asked. `failedPrecondition` while another one runs; `internal` if it was not pulled. Default
     * deadline: 10 min. If the caller goes away, the installer goes on.
     *
     * @param onLine gets what it writes, without secrets
     * @returns its exit code: 0 if the system is installed
     */
    runInstaller: async (
      image: string,
      onLine: (line: string) => void,
      call?: CallOptions,
    ): Promise<number> => {
      const asked = plan(lifecycle.Upgrade, call);
      for await (const { progress } of caller.stream(asked, {
        containerd: SYSTEM,
        source: { imageName: image },
      })) {
        if (progress?.exitCode !== undefined) {
          return progress.exitCode;
        }
        if (progress?.message !== undefined) {
          onLine(redactServerMessage(progress.message));
        }
      }
      throw withoutEnd(asked);
    },
  };
}

function progressOf(
  layer: string,
  { status, offset, total }: ImageServicePullLayerProgress__Output,
): LayerProgress {
  return {
    layer,
    isDone: status === "EXTRACT_COMPLETE" || status === "ALREADY_EXISTS",
    offsetBytes: Number(offset),
    totalBytes: Number(total),
  };
}
