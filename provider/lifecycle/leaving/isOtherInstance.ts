import { parse } from "yaml";
import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";

/** Source: Talos v1.12.1, `runtime.PlatformMetadataSpec`. */
const PLATFORM = {
  namespace: "runtime",
  type: "PlatformMetadatas.talos.dev",
  id: "platformmetadata",
};

/**
 * Whether another EC2 instance answers than expected, because it got the address. Machines of other
 * platforms, such as containers, have no identity: false.
 *
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function isOtherInstance(
  client: TalosClient,
  instanceId: string,
  call: CallOptions,
): Promise<boolean> {
  try {
    const { spec } = await client.getResource(PLATFORM, call);
    const found = parse(spec) as { readonly platform: string; readonly instanceId?: string };
    return found.platform === "aws" && (found.instanceId ?? instanceId) !== instanceId;
  } catch (error) {
    if (error instanceof TalosApiError && error.code === "notFound") {
      return false;
    }
    throw error;
  }
}
