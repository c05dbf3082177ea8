import { isUnknown, UNKNOWN } from "../base/unknown";
import { ConfigError } from "../config/configError";
import { documentsOfOutline, LONGEST_TEXT, outlineDocuments } from "../config/effects/outline";
import { freeze } from "../config/frozenMemo";
import { LruCache } from "../config/lruCache";
import type { ConfigDocument } from "../config/machineConfig";
import type { Patch } from "../config/patches/patch";
import type { ConfigSchema } from "../config/schema/configSchema";
import { schemaOfDocuments } from "../config/schema/talosSchemas";
import { hiddenValues } from "../config/secrets/hiddenValues";
import type { MarkedValues } from "../config/secrets/markedValues";
import { decodeDocuments } from "../config/yaml/encode";
import type { CheckFailure } from "../engine/handler";
import { WITHHELD } from "../pki/withheld";
import {
  type ConfigurationOutline,
  renderConfiguration,
  type RenderedConfiguration,
  type RenderResult,
} from "./renderConfiguration";
import { fillUnknown, renderUnknown } from "./renderUnknown";

/** The configuration of a role and the patches of one machine. Each may be unknown. */
export interface MachineParts {
  /** The role's YAML documents. */
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  /** The role's outline, which may be known earlier: see `outlineOf`. */
  readonly roleOutline?: unknown;
  /** Values that the program marked as secret. Those that the role's outline hides count too. */
  readonly marked?: MarkedValues;
}

/** A machine's configuration, with all values that its outline hides because a program marked them. */
export type MachineRendering =
  | { readonly rendered: RenderedConfiguration & { readonly marked: MarkedValues } }
  | { readonly rendered: UnknownRendering }
  | { readonly failures: CheckFailure[] };

/** A configuration of which only the outline may be known. */
interface UnknownRendering {
  readonly text: string;
  readonly hash: string;
  readonly outline: unknown;
  readonly marked: MarkedValues;
}

/**
 * The configuration of one machine. While the role's is unknown, only the parts that are known
 * without secrets.
 */
export function renderMachineConfiguration(parts: MachineParts): MachineRendering {
  const isKnown = !isUnknown(parts.machineConfiguration) && !isUnknown(parts.patches);
  return isKnown ? render(parts) : preview(parts);
}

/**
 * The outline of a machine's configuration, as the state contains it.
 *
 * @param marked values that the program marked as secret. Default: none
 */
export function outlineMachineConfiguration(
  documents: readonly ConfigDocument[],
  marked: MarkedValues = [],
): ConfigurationOutline {
  return outlineDocuments(documents, { longestText: LONGEST_TEXT, marked });
}

/** Whether a value is a known outline. */
export function isOutline(value: unknown): value is ConfigurationOutline {
  return typeof value === "object" && value !== null;
}

/**
 * An outline that a program passed. Programs in TypeScript pass it as a text, see `outlineInput`.
 *
 * @returns undefined while it is unknown, or if there is none
 */
export function outlineOf(given: unknown): ConfigurationOutline | undefined {
  const isText = typeof given === "string" && given.startsWith("{");
  const value: unknown = isText ? JSON.parse(given) : given;
  return isOutline(value) ? value : undefined;
}

function render(parts: MachineParts): MachineRendering {
  try {
    const { machineConfiguration: text, patches, marked: own = [], roleOutline } = parts;
    const role = roles.get(text, () => new RoleConfiguration(text, LONGEST_TEXT));
    const marked = [...own, ...role.hiddenIn(outlineOf(roleOutline))];
    const result = role.render(patches, marked);
    return "failures" in result ? result : { rendered: { ...result.rendered, marked } };
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

/** The role configurations of the clusters in one run. */
const roles = new LruCache<RoleConfiguration>(8);

/** The known parts, before the configuration is known. */
function preview({ roleOutline, patches, marked = [] }: MachineParts): MachineRendering {
  const unknown = { text: UNKNOWN, hash: UNKNOWN, outline: UNKNOWN, marked };
  const role = outlineOf(roleOutline);
  if (role === undefined || isUnknown(patches)) {
    return { rendered: unknown };
  }
  const result = renderUnknown((placeholder) => {
    const documents = documentsOfOutline(fillUnknown(role, placeholder));
    return renderConfiguration(documents, patches, {
      schema: schemaOfDocuments(documents),
      longestText: LONGEST_TEXT,
      marked,
      // An outline may lack required parts of a configuration.
      judgesPatchesOnly: true,
    });
  });
  return "failures" in result ? result : { rendered: { ...unknown, outline: result.outline } };
}

/** The number of cached renderings: machines of a pool have the same patches, mostly none. */
const KEPT_RENDERINGS = 4;

/**
 * The configuration of a role. It is parsed once, and rendered once for all machines with the same
 * patches.
 */
export class RoleConfiguration {
  private readonly documents: readonly ConfigDocument[];
  private readonly schema: ConfigSchema;
  private readonly renderings = new LruCache<RenderResult>(KEPT_RENDERINGS);
  private readonly hidden = new LruCache<MarkedValues>(1);

  /**
   * @param text YAML documents
   * @param longestText the maximum length of a text in the outline
   * @throws ConfigError if the text can't be read
   */
  constructor(
    text: string,
    private readonly longestText: number,
  ) {
    this.documents = freeze(decodeDocuments(text));
    this.schema = schemaOfDocuments(this.documents);
  }

  /**
   * The configuration of a machine with these patches. The result is frozen.
   *
   * @param patches plain data, as the engine passes it. Patches with the same JSON count as equal
   * @param marked values that the program marked as secret. Default: none
   */
  render(patches: readonly Patch[], marked: MarkedValues = []): RenderResult {
    return this.renderings.get(JSON.stringify([patches, marked]), () =>
      freeze(
        renderConfiguration(this.documents, patches, {
          schema: this.schema,
          longestText: this.longestText,
          marked,
        }),
      ),
    );
  }

  /**
   * The values that the role's outline hides because a program marked them as secret. What contains a
   * withheld value is hidden for that.
   */
  hiddenIn(outline: ConfigurationOutline | undefined): MarkedValues {
    return outline === undefined
      ? []
      : this.hidden.get(JSON.stringify(outline), () =>
          hiddenValues(this.documents, outline).filter(
            (value) => !String(value).includes(WITHHELD),
          ),
        );
  }
}
