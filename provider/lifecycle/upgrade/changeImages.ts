import type { Progress } from "../../base/progress";
import { hashDocuments } from "../../config/hash";
import type { ConfigDocument } from "../../config/machineConfig";
import { applyPatches } from "../../config/patches/patch";
import { type NewSetting, settingPatches } from "../../config/settings/settingPatch";
import { encodeDocuments } from "../../config/yaml/encode";
import { awaitConfiguration, deliverConfiguration } from "../delivery/deliverConfiguration";
import { awaitHealthy } from "../health/awaitHealthy";
import type { Machine } from "../machine";

/** A change of images in the configuration that a machine runs. */
export interface ImageChange {
  readonly machine: Machine;
  /** The configuration that it runs. Secret. */
  readonly documents: readonly ConfigDocument[];
  /** The settings that have the images, and their values. */
  readonly images: readonly NewSetting[];
  /** How long the machine must stay healthy afterwards. */
  readonly settledSeconds: number;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Changes images of Kubernetes on a machine, without a restart, and waits until it is healthy.
 *
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline, with what isn't healthy
 */
export async function changeImages(change: ImageChange): Promise<void> {
  const { machine, documents, images, settledSeconds, deadline, progress } = change;
  const patched = applyPatches(documents, settingPatches(documents, images));
  const delivery = {
    machine,
    text: encodeDocuments(patched),
    hash: hashDocuments(patched),
    mode: "noReboot" as const,
    deadline,
    progress,
  };
  const acceptance = await deliverConfiguration(delivery);
  await awaitConfiguration(delivery, acceptance);
  const { missingBefore } = acceptance;
  await awaitHealthy({ machine, settledSeconds, wasUp: true, missingBefore, deadline, progress });
}
