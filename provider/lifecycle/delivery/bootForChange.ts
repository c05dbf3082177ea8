import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";
import type { TalosErrorCode } from "../../api/talosErrorCode";
import { clock } from "../../base/clock";
import { rebootPaths } from "../../config/effects/changeEffects";
import { changedPaths } from "../../config/effects/changedPaths";
import { outlineDocuments } from "../../config/effects/outline";
import { type ConfigDocument, isMapping, textAt } from "../../config/machineConfig";
import { decodeDocuments } from "../../config/yaml/encode";
import type { ApplyMode, Delivery } from "./delivery";
import { readMachineConfig } from "./machineConfigs";
import { runningMinor } from "./rebootingApply";

/** The longest wait for an image. Talos itself tries for 20 min (v1.12.1, `containers/image`). */
const PULL_TIMEOUT_MS = 300_000;

/** The codes of a call that ended without the machine's answer. */
const NO_ANSWER: readonly TalosErrorCode[] = ["unreachable", "cancelled"];

/** Places that say where images come from. With other ones, a pull may need them first. */
const SOURCES = /^(machine\.registries|Registry\w+Config|TrustedRootsConfig)\b/;

/**
 * How a machine gets its next configuration. What is read only when the machine boots needs a
 * reboot, also where Talos accepts it without one: see `effectTable`. Before that reboot, the
 * machine pulls another image of etcd. So an image that doesn't exist changes nothing.
 *
 * Only the running configuration is compared. So it is the same for an update, a return to a former
 * configuration, and a machine that a person has changed.
 *
 * @throws Error if the mode allows no reboot, or the machine can't pull the image
 * @throws TalosApiError if it doesn't answer or refuses
 */
export async function modeForChange(
  client: TalosClient,
  delivery: Delivery,
  call: CallOptions,
): Promise<ApplyMode> {
  const { machine, text, mode, progress } = delivery;
  if (mode === "staged") {
    return mode;
  }
  const running = await readMachineConfig(client, "v1alpha1", call);
  if (running === undefined || running === text) {
    return mode;
  }
  const keyedBy = decodeDocuments(running);
  const before = outlineDocuments(keyedBy);
  const after = outlineDocuments(decodeDocuments(text), { keyedBy });
  const minor = await runningMinor(client, call);
  const places = rebootPaths(before, after, minor).map((path) => path.join("."));
  if (places.length === 0) {
    return mode;
  }
  if (mode === "noReboot") {
    throw new Error(
      `machine ${machine.node} was not changed: ${places.join(", ")} takes effect only when it reboots, and mode is "noReboot". Set mode to "auto", or to "staged" and reboot the machine yourself`,
    );
  }
  const [former, image] = [etcdImage(before), etcdImage(after)];
  if (image !== undefined && image !== former) {
    progress.report(`machine ${machine.node}: pulls ${image}, before it reboots`);
    const isOtherSource = changedPaths(before, after).some((path) => SOURCES.test(path.join(".")));
    await pull(client, delivery, image, isOtherSource, call);
  }
  return "reboot";
}

async function pull(
  client: TalosClient,
  { machine, deadline, progress }: Delivery,
  reference: string,
  isOtherSource: boolean,
  { signal }: CallOptions,
): Promise<void> {
  const timeoutMs = Math.min(PULL_TIMEOUT_MS, Math.max(1, deadline - clock.now()));
  try {
    await client.imagePull(
      { namespace: "system", reference },
      { timeoutMs, ...(signal && { signal }) },
    );
  } catch (error) {
    // Without the machine's answer, the next attempt asks again.
    if (!(error instanceof TalosApiError) || NO_ANSWER.includes(error.code)) {
      throw error;
    }
    const message = error.message.replaceAll(/\s+/g, " ");
    const reason = `machine ${machine.node} can't pull etcd's image "${reference}": ${message}`;
    if (!isOtherSource) {
      throw new Error(
        `${reason}. It was not changed: correct cluster.etcd.image, or its registry`,
        { cause: error },
      );
    }
    progress.warn(`${reason}. It reboots all the same, because its registries change too`);
  }
}

function etcdImage({ cluster }: ConfigDocument): string | undefined {
  return isMapping(cluster) ? textAt(cluster.etcd, "image") : undefined;
}
