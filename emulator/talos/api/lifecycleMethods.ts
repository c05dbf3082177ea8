import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { ContainerdInstance__Output } from "../../../provider/api/gen/common/ContainerdInstance";
import type { LifecycleServiceUpgradeResponse } from "../../../provider/api/gen/machine/LifecycleServiceUpgradeResponse";
import { messageOfError } from "../../../provider/base";
import { talosMinor } from "../../../provider/config";
import { systemOf } from "../machine/installerImage";
import { requireImage, storeOf } from "../machine/nodeImages";
import type { NodeState } from "../machine/nodeState";
import { type Method, serverStream } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { Uptime } from "../runtime/uptime";
import type { MethodContext } from "./methodContext";

const { service: lifecycle } = protocol.machine.LifecycleService;
const { service: images } = protocol.machine.ImageService;

/** The first release with these services. Source: `pkg/machinery/api/machine` of v1.12.1 and v1.13.9. */
const FIRST_MINOR = 13;

/** The layers of an image, with their sizes. */
const LAYERS = [
  { layerId: "sha256:4f4fb700ef54", total: 34_603_008 },
  { layerId: "sha256:9a1c2c1b7f3d", total: 120_586_240 },
] as const;

/** The boots in which an installer runs: machined has one lock. */
const installing = new WeakSet<Uptime>();

/**
 * ImageService.Pull and LifecycleService.Upgrade (talos v1.14.1, `internal/app/images` and
 * `internal/app/lifecycle`). An upgrade only runs the installer of an image that was pulled before: it
 * asks no etcd, drains nothing and restarts nothing. It goes on if its caller goes away.
 */
export function lifecycleMethods({ state, control }: MethodContext): Method[] {
  if ((talosMinor(state.talosVersion) ?? 0) < FIRST_MINOR) {
    return [];
  }
  const { logs } = state.uptime;
  return [
    serverStream(images.Pull, async function* ({ containerd, imageRef }) {
      const store = storeIn(state, containerd);
      const name = pulled(imageRef);
      const layers = store.has(name) ? [] : LAYERS;
      for (const { layerId, total } of layers) {
        for (const [progressStatus, offset] of [
          ["DOWNLOADING", total / 2],
          ["EXTRACT_COMPLETE", total],
        ] as const) {
          yield {
            pullProgress: {
              layerId,
              progress: { status: progressStatus, offset: `${offset}`, total: `${total}` },
            },
          };
        }
      }
      store.set(name, new Date());
      await Promise.resolve();
      yield { name };
    }),
    serverStream(lifecycle.Upgrade, async function* ({ containerd, source }) {
      if (installing.has(state.uptime)) {
        throw new RpcError(
          status.FAILED_PRECONDITION,
          "another installation/upgrade is already in progress",
        );
      }
      const image = source?.imageName ?? "";
      if (image === "") {
        throw new RpcError(status.INVALID_ARGUMENT, "installer image name is required");
      }
      if (!storeIn(state, containerd).has(image)) {
        throw new RpcError(
          status.INTERNAL,
          `upgrade failed: installer image ${JSON.stringify(image)} not found in containerd store: image ${JSON.stringify(image)}: not found`,
        );
      }
      logs.talos(`starting upgrade {"component": "machined", "service": "lifecycle"}`);
      installing.add(state.uptime);
      const run = control.install(systemOf(image)).finally(() => {
        installing.delete(state.uptime);
      });
      const { output, exitCode } = await run;
      for (const message of output) {
        yield progressOf({ message });
      }
      yield progressOf({ exitCode });
    }),
  ];
}

function progressOf(
  progress: { readonly message: string } | { readonly exitCode: number },
): LifecycleServiceUpgradeResponse {
  return { progress };
}

/** The images in the memory of a boot: of Talos' own containerd, which starts before the disk is there. */
const inMemory = new WeakMap<Uptime, Map<string, Date>>();

/** The images of an instance of containerd. Throws `INVALID_ARGUMENT` if there is none such. */
function storeIn(
  { disk, uptime }: NodeState,
  instance: ContainerdInstance__Output | null,
): Map<string, Date> {
  const { driver = "CONTAINERD", namespace = "NS_UNKNOWN" } = instance ?? {};
  if (namespace !== "NS_CRI" && namespace !== "NS_SYSTEM") {
    throw new RpcError(status.INVALID_ARGUMENT, `invalid containerd namespace ${namespace}`);
  }
  if (driver === "CONTAINERD" && namespace === "NS_CRI") {
    throw new RpcError(status.INVALID_ARGUMENT, "cannot use CRI namespace with containerd driver");
  }
  if (driver === "CRI") {
    return storeOf(disk, namespace);
  }
  const images = inMemory.get(uptime) ?? new Map<string, Date>();
  inMemory.set(uptime, images);
  return images;
}

function pulled(reference: string): string {
  try {
    return requireImage(reference);
  } catch (error) {
    const reason = messageOfError(error);
    throw reason.endsWith("not found")
      ? new RpcError(status.NOT_FOUND, `error pulling image: ${reason}`)
      : new RpcError(status.UNKNOWN, reason);
  }
}
