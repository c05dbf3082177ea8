import { ConfigError } from "../config/configError";
import { decodeDocuments } from "../config/encode";
import type { ConfigDocument } from "../config/machineConfig";
import { SecretsBundleError } from "./secretsBundleError";

/**
 * The documents of a YAML or JSON text with secrets.
 *
 * @throws SecretsBundleError with the line of everything that is not YAML, without quoting it
 */
export function decodeSecrets(text: string): ConfigDocument[] {
  try {
    return decodeDocuments(text);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    throw new SecretsBundleError(
      error.problems.map(({ document, message }) => ({ path: document, message })),
    );
  }
}
