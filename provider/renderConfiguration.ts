import { ConfigError } from "./config/configError";
import { encodeDocuments } from "./config/encode";
import { hashDocuments } from "./config/hash";
import type { ConfigDocument } from "./config/machineConfig";
import { applyPatches, type Patch } from "./config/patch";
import { redactDocuments } from "./config/redact";
import { validateDocuments } from "./config/validate";
import { newestSchema } from "./config/talosSchemas";
import type { ConfigSchema } from "./config/configSchema";
import type { CheckFailure } from "./handler";

/** A machine configuration in the three forms a resource keeps. */
export interface RenderedConfiguration {
  /** The YAML documents. Secret. */
  readonly text: string;
  /** SHA-256, hex, of their meaning. */
  readonly hash: string;
  /** The documents with each secret replaced by a fingerprint. */
  readonly redacted: string;
}

/**
 * Patches, validates and renders a machine configuration; or says all that is wrong with it, as
 * failures of the input `patches`, the only part of it that people write by hand.
 *
 * @param schema what the Talos that gets the configuration reads. Default: the newest
 */
export function renderConfiguration(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  schema: ConfigSchema = newestSchema,
): { readonly rendered: RenderedConfiguration } | { readonly failures: CheckFailure[] } {
  try {
    const patched = applyPatches(documents, patches, { schema });
    const problems = validateDocuments(patched, { schema });
    if (problems.length > 0) {
      throw new ConfigError(problems);
    }
    return {
      rendered: {
        text: encodeDocuments(patched),
        hash: hashDocuments(patched),
        redacted: encodeDocuments(redactDocuments(patched)),
      },
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    return {
      failures: error.problems.map(({ document, path, message }) => ({
        property: "patches",
        reason: [document, path, message].filter((part) => part !== "").join(": "),
      })),
    };
  }
}
