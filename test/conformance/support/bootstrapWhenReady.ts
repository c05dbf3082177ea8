import { TalosApiError } from "../../../provider/api/talosApiError";
import type { TalosClient } from "../../../provider/api/talosClient";
import { waitFor } from "../../../provider/api/waitFor";

/** Bootstraps etcd as soon as the machine is ready for it: not before its container runtime is up. */
export function bootstrapWhenReady(client: TalosClient): Promise<undefined> {
  return waitFor<undefined>({
    what: "the machine to be ready for its bootstrap",
    deadlineMs: 60_000,
    isFatal: (error) => !(error instanceof TalosApiError && error.code === "failedPrecondition"),
    probe: async () => {
      await client.bootstrap();
      return { done: true, value: undefined };
    },
  });
}
