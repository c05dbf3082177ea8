import { TalosApiError } from "../api/talosApiError";
import { decodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import { fingerprintText, type KnownText } from "../config/knownText";
import type { ConfigDocument } from "../config/machineConfig";
import type { Progress } from "../progress";
import type { Machine } from "./machine";
import { readMachineConfig } from "./machineConfigs";
import { withMachine } from "./withMachine";

/** A configuration that nobody recorded. */
export interface Drift {
  /** Secret. */
  readonly documents: readonly ConfigDocument[];
  /** Their text, and what it means. */
  readonly text: KnownText;
}

/** What of an older release's state may be missing. */
type RecordedMachine = Omit<Machine, "credentials"> & Partial<Pick<Machine, "credentials">>;

/** Of an older release's state only what the text means is known. */
type RecordedText = Pick<KnownText, "hash"> & Partial<KnownText>;

/**
 * Whether a machine keeps another configuration than the recorded one. One that is only tried out, and
 * that the machine gives up by itself, doesn't count. Asked over mutual TLS only. A machine that
 * doesn't answer, or not as this cluster's, has not drifted: nothing is known of it, of which the
 * person is warned.
 *
 * @param recorded the recorded one
 * @returns undefined when it has that one, or doesn't tell
 */
export async function findDrift(
  { credentials, ...place }: RecordedMachine,
  recorded: RecordedText,
  { warn }: Progress,
): Promise<Drift | undefined> {
  const { node } = place;
  if (credentials === undefined) {
    warn(
      `machine ${node} was not looked at: it was recorded by an older release, without credentials; its next update adds them`,
    );
    return undefined;
  }
  try {
    return await withMachine({ ...place, credentials }, async (client) => {
      const kept = await readMachineConfig(client, "persistent");
      if (kept === undefined) {
        warn(
          `machine ${node} tries a configuration out, or did since it started, and doesn't tell which one it keeps: it stays recorded as it was`,
        );
        return undefined;
      }
      const fingerprint = fingerprintText(kept);
      if (fingerprint === recorded.fingerprint) {
        return undefined;
      }
      const documents = decodeDocuments(kept);
      const hash = hashDocuments(documents);
      return hash === recorded.hash ? undefined : { documents, text: { fingerprint, hash } };
    });
  } catch (error) {
    if (!(error instanceof TalosApiError)) {
      throw error;
    }
    warn(`nothing is known of machine ${node}, which stays recorded as it was: ${error.message}`);
    return undefined;
  }
}
