import { encodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import type { ConfigDocument } from "../config/machineConfig";
import { applyPatches, type Patch } from "../config/patch";
import type { Progress } from "../progress";
import { awaitWell } from "./awaitWell";
import { awaitConfiguration, deliverConfiguration } from "./deliverConfiguration";
import type { Machine } from "./machine";

/** A change of images in the configuration that a machine runs. */
export interface ImageChange {
  readonly machine: Machine;
  /** The configuration that it runs. Secret. */
  readonly documents: readonly ConfigDocument[];
  /** Sets the images. */
  readonly patch: Patch;
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
  const { machine, settledSeconds, deadline, progress } = change;
  const patched = applyPatches(change.documents, [change.patch]);
  const delivery = {
    ...{ machine, text: encodeDocuments(patched), hash: hashDocuments(patched) },
    ...{ mode: "noReboot" as const, deadline, progress },
  };
  const acceptance = await deliverConfiguration(delivery);
  await awaitConfiguration(delivery, acceptance);
  const { missingBefore } = acceptance;
  await awaitWell({ machine, settledSeconds, wasUp: true, missingBefore, deadline, progress });
}
