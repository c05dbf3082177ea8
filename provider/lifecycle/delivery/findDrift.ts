import { TalosApiError } from "../../api/talosApiError";
import type { Progress } from "../../base/progress";
import { fingerprintText, hashDocuments, type KnownText } from "../../config/hash";
import type { ConfigDocument } from "../../config/machineConfig";
import { installedSystem, isSameSystem, type TalosSystem } from "../../config/talosSystem";
import { decodeDocuments } from "../../config/yaml/encode";
import { orRefused } from "../health/controllerFacts";
import { lookAtMachine } from "../health/lookAtMachine";
import { type Machine, withMachine } from "../machine";
import { readSystem } from "../upgrade/upgradeMachine";
import { readMachineConfig } from "./machineConfigs";

/** A machine whose configuration or Talos differs from the state. */
export interface Drift {
  /** The configuration that it keeps. Secret. */
  readonly documents: readonly ConfigDocument[];
  /** Their text, and what it means. */
  readonly text: KnownText;
  /** The Talos that it runs; undefined where that is not looked at. */
  readonly system: TalosSystem | undefined;
}

/** Fields that an older release's state may lack. */
type RecordedMachine = Omit<Machine, "credentials"> & Partial<Pick<Machine, "credentials">>;

/** From an older release's state, only the text's hash is known. */
type RecordedText = Pick<KnownText, "hash"> & Partial<KnownText>;

/** The recorded configuration and Talos of a machine. */
export interface RecordedContents extends RecordedText {
  /**
   * `unheeded` if the machine's Talos is not managed here. An older release recorded none: then it
   * is the Talos of the installer in the machine's configuration.
   */
  readonly system: TalosSystem | "unheeded" | undefined;
}

/**
 * Finds a machine whose configuration or Talos differs from the state. A configuration that is only
 * tried, and that the machine reverts on its own, doesn't count. Only mutual TLS is used. A machine
 * that doesn't answer, or not as this cluster's, has no known drift; a warning says so. One also says
 * what Talos has not applied of a configuration that it has accepted.
 *
 * @returns undefined without a difference, or without an answer
 */
export async function findDrift(
  { credentials, ...place }: RecordedMachine,
  recorded: RecordedContents,
  { warn }: Progress,
): Promise<Drift | undefined> {
  const { node } = place;
  if (credentials === undefined) {
    warn(
      `machine ${node} was not checked: an older release recorded it without credentials; its next update records them`,
    );
    return undefined;
  }
  try {
    return await withMachine({ ...place, credentials }, async (client) => {
      const [kept, running, look] = await Promise.all([
        readMachineConfig(client, "persistent"),
        recorded.system === "unheeded" ? undefined : readSystem(client),
        orRefused(lookAtMachine(client, {})),
      ]);
      look?.unapplied.forEach((each) =>
        warn(`machine ${node} has its configuration, but has not applied all of it: ${each}`),
      );
      if (kept === undefined) {
        warn(
          `machine ${node} tries out a configuration, or did so since its start, and doesn't report which one it keeps: its recorded state is kept`,
        );
        return undefined;
      }
      const fingerprint = fingerprintText(kept);
      const isSameText = fingerprint === recorded.fingerprint;
      if (isSameText && isRecorded(running, recorded.system)) {
        return undefined;
      }
      const documents = decodeDocuments(kept);
      const system = recorded.system ?? installedSystem(documents);
      const hash = isSameText ? recorded.hash : hashDocuments(documents);
      return hash === recorded.hash && isRecorded(running, system)
        ? undefined
        : { documents, text: { fingerprint, hash }, system: asRecorded(running, system) };
    });
  } catch (error) {
    if (!(error instanceof TalosApiError)) {
      throw error;
    }
    warn(`machine ${node} could not be checked, so its recorded state is kept: ${error.message}`);
    return undefined;
  }
}

function isRecorded(
  running: TalosSystem | undefined,
  recorded: RecordedContents["system"],
): boolean {
  return (
    running === undefined ||
    recorded === "unheeded" ||
    (recorded !== undefined && isSameSystem(running, recorded))
  );
}

/** The machine's configuration, as the recorded text if both mean the same. */
function asRecorded(
  running: TalosSystem | undefined,
  recorded: RecordedContents["system"],
): TalosSystem | undefined {
  return typeof recorded === "object" && isRecorded(running, recorded) ? recorded : running;
}
