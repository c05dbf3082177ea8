import type { Progress } from "../../base/progress";
import { outlineDocuments } from "../../config/effects/outline";
import type { ConfigDocument } from "../../config/machineConfig";
import { orderReleases, runsKubernetes } from "../../config/releases/releaseOrder";
import { unreadableDocuments } from "../../config/schema/unreadableDocuments";
import { textIn } from "../../config/settings/settingIn";
import { decodeDocuments } from "../../config/yaml/encode";
import { readMachineConfig } from "../delivery/machineConfigs";
import { type Machine, withMachine } from "../machine";
import { changeImages } from "./changeImages";
import { tagOf } from "./controlPlaneImages";
import { readSystem } from "./upgradeMachine";

/** The images that a machine checks against its running Talos, and the settings that have them. */
const CHECKED = [
  ["apiServer", "cluster.apiServer.image"],
  ["controllerManager", "cluster.controllerManager.image"],
  ["scheduler", "cluster.scheduler.image"],
  ["kubelet", "machine.kubelet.image"],
] as const;

/** A machine that is about to get another Talos. */
export interface TalosToCome {
  readonly machine: Machine;
  /** The release that it gets: `v1.13.0`. */
  readonly talosVersion: string;
  /** The outline of the configuration that follows. */
  readonly outline: ConfigDocument;
  readonly settledSeconds: number;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Gives a machine its next images of Kubernetes, where the Talos to come doesn't support those that
 * it runs. The rest of its next configuration may need that Talos, and follows it.
 *
 * @throws Error if the running Talos doesn't support the next images either, or the Talos to come can't
 *   read the configuration; nothing is changed then
 * @throws what `changeImages` throws
 */
export async function imagesBeforeTalos(coming: TalosToCome): Promise<void> {
  const { machine, talosVersion, outline, progress } = coming;
  const [system, text] = await withMachine(machine, (client) =>
    Promise.all([readSystem(client), readMachineConfig(client, "v1alpha1")]),
  );
  const documents = decodeDocuments(text ?? "");
  const running = outlineDocuments(documents);
  const unreadable = unreadableDocuments(running, talosVersion);
  if (unreadable !== undefined) {
    throw new Error(`machine ${machine.node} was not changed: ${unreadable}`);
  }
  const changes = CHECKED.flatMap(([part, setting]) => {
    const [before, after] = [running, outline].map((each) => textIn(each, setting));
    const stays = before === undefined || runsKubernetes(talosVersion, tagOf(before));
    return stays || after === undefined || before === after
      ? []
      : [{ part, setting, before, after }];
  });
  if (changes.length === 0) {
    return;
  }
  for (const { before, after } of changes) {
    const order = orderReleases(
      { talos: system.version, kubernetes: tagOf(before) },
      { talos: talosVersion, kubernetes: tagOf(after) },
    );
    if ("refusal" in order) {
      throw new Error(`machine ${machine.node} was not changed: ${order.refusal}`);
    }
  }
  for (const { part, after } of changes) {
    progress.report(`machine ${machine.node}: changes ${part} to ${after}, before its Talos`);
  }
  const images = changes.map(({ setting, after }) => [setting, after] as const);
  await changeImages({ ...coming, documents, images });
}
