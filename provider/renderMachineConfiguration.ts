import { ConfigError } from "./config/configError";
import type { ConfigDocument } from "./config/machineConfig";
import { documentsOfOutline, outlineDocuments } from "./config/outline";
import type { Patch } from "./config/patch";
import { Recent } from "./config/recent";
import { schemaOfDocuments } from "./config/schemaOfDocuments";
import {
  type RedactedConfiguration,
  renderConfiguration,
  type RenderResult,
} from "./renderConfiguration";
import { fillUnknown, renderUnknown } from "./renderUnknown";
import { RoleConfiguration } from "./roleConfiguration";
import { isUnknown, UNKNOWN } from "./unknown";

/** The configuration of a role, and what one machine has over it; each may not be known yet. */
export interface MachineParts {
  /** The role's YAML documents. */
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  /** The role's configuration without secrets, which may be known before it is itself. */
  readonly redactedConfiguration: unknown;
}

/**
 * How many characters of a text in the configuration are kept with each machine: a manifest is
 * shown in full where that of the role is.
 */
const LONGEST_TEXT = 160;

/**
 * The configuration of one machine; while the role's isn't known, what can be told of it without
 * secrets.
 */
export function renderMachineConfiguration(parts: MachineParts) {
  const isKnown = !isUnknown(parts.machineConfiguration) && !isUnknown(parts.patches);
  return isKnown ? render(parts) : preview(parts);
}

/** What is kept with a machine of the configuration that it runs. */
export function outlineMachineConfiguration(
  documents: readonly ConfigDocument[],
): RedactedConfiguration {
  return outlineDocuments(documents, { longestText: LONGEST_TEXT });
}

/** Whether it is one: not one that isn't known. */
export function isOutline(value: unknown): value is RedactedConfiguration {
  return typeof value === "object" && value !== null;
}

function render(parts: MachineParts): RenderResult {
  try {
    const { machineConfiguration: text, patches } = parts;
    return roles.get(text, () => new RoleConfiguration(text, LONGEST_TEXT)).render(patches);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    return {
      failures: error.problems.map(({ message }) => ({
        property: "machineConfiguration",
        reason: `not a machine configuration: ${message}`,
      })),
    };
  }
}

/** Of the clusters that are seen to in one run. */
const roles = new Recent<RoleConfiguration>(8);

/** What is known before the configuration is. */
function preview({ redactedConfiguration, patches }: MachineParts) {
  const unknown = { text: UNKNOWN, hash: UNKNOWN, redacted: UNKNOWN };
  if (!isOutline(redactedConfiguration) || isUnknown(patches)) {
    return { rendered: unknown };
  }
  const result = renderUnknown((standIn) => {
    const documents = documentsOfOutline(fillUnknown(redactedConfiguration, standIn));
    return renderConfiguration(documents, patches, {
      schema: schemaOfDocuments(documents),
      longestText: LONGEST_TEXT,
      // an outline may lack what makes a configuration right
      judgesPatchesOnly: true,
    });
  });
  return "failures" in result ? result : { rendered: { ...unknown, redacted: result.redacted } };
}
