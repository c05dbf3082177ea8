import { ConfigError, type ConfigProblem, describeProblem } from "../config/configError";
import { outlineDocuments } from "../config/effects/outline";
import { hashDocuments } from "../config/hash";
import { modeOfInstaller } from "../config/installer/installerImage";
import { type ConfigDocument, documentId } from "../config/machineConfig";
import { ownedDocuments } from "../config/ownedDocuments";
import { applyPatches, type Patch } from "../config/patches/patch";
import { unreadInFiles } from "../config/rules/componentFileRules";
import type { ValidationMode } from "../config/rules/installRules";
import { resultProblems } from "../config/rules/resultRules";
import type { ConfigSchema } from "../config/schema/configSchema";
import { normalizeDocument } from "../config/schema/normalize";
import { newestSchema } from "../config/schema/talosSchemas";
import { MarkedTexts, type MarkedValues } from "../config/secrets/markedValues";
import { tellNothing } from "../config/secrets/secretMark";
import {
  isWithheld,
  plainOutline,
  shortenedOutline,
  withheldHash,
} from "../config/secrets/withheld";
import { installerIn } from "../config/settings/installer";
import { validateDocuments } from "../config/validate";
import { encodeDocuments } from "../config/yaml/encode";
import type { CheckFailure } from "../engine/handler";

/** A machine configuration without secrets, as one mapping: see `outlineDocuments`. */
export type ConfigurationOutline = ConfigDocument;

/** A rendered machine configuration, in the forms that resources need. */
export interface RenderedConfiguration {
  /** The YAML documents. Secret. */
  readonly text: string;
  /** SHA-256, hex, of its content. */
  readonly hash: string;
  /** Its outline, in which a fingerprint replaces each secret. */
  readonly outline: ConfigurationOutline;
  /** Warnings about what nothing reads in the files of the control plane's components. */
  readonly unread: readonly string[];
}

/** A rendered configuration, or all of its problems. */
export type RenderResult =
  { readonly rendered: RenderedConfiguration } | { readonly failures: CheckFailure[] };

/** Options of a rendering. */
export interface RenderOptions {
  /** The schema of the machine's Talos. Default: the newest. */
  readonly schema?: ConfigSchema;
  /** How the machine runs Talos. Default: by its installer, or `cloud`. */
  readonly mode?: ValidationMode;
  /** The maximum length of a text in the outline. Default: unlimited. */
  readonly longestText?: number;
  /** Values that a program marked as secret, which the outline and the problems don't show. Default: none. */
  readonly marked?: MarkedValues;
  /** Leaves out problems that the documents have without the patches. Default: false. */
  readonly judgesPatchesOnly?: boolean;
}

/**
 * Patches, validates and renders a machine configuration. Otherwise returns all problems, also of
 * documents that only this package may write: as failures of the input `patches` if the patches
 * cause them.
 */
export function renderConfiguration(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  options: RenderOptions = {},
): RenderResult {
  const result = renderOpenly(documents, patches, options);
  return "failures" in result ? { failures: hideMarked(result.failures, options.marked) } : result;
}

/** The same, with failures that may quote marked values. */
function renderOpenly(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  options: RenderOptions,
): RenderResult {
  const { schema = newestSchema, judgesPatchesOnly = false } = options;
  try {
    const patched = applyPatches(documents, patches, { schema });
    const judged = { schema, mode: options.mode ?? modeOfDocuments(documents) };
    const problems = problemsOf(patched, documents, judged);
    const failures = problems.length === 0 ? [] : blame(problems, documents, judged);
    const reported = failures.filter(({ property }) => property !== "" || !judgesPatchesOnly);
    if (reported.length > 0) {
      return { failures: reported };
    }
    const normal = patched.map((document) => normalizeDocument(document));
    const outline = renderOutline(patched, options, normal);
    return {
      rendered: {
        text: encodeDocuments(patched, schema),
        hash: isWithheld(patched) ? withheldHash(outline) : hashDocuments(patched, normal),
        outline,
        unread: unreadInFiles(patched, schema.talosMinor),
      },
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    const failures = error.problems.map((problem) => ({
      property: "patches",
      reason: describeProblem(problem),
    }));
    return { failures };
  }
}

/** The outline of a configuration. If its secrets are withheld, it is comparable only with others of that kind. */
export function renderOutline(
  documents: readonly ConfigDocument[],
  options: Parameters<typeof outlineDocuments>[1],
  normal?: readonly ConfigDocument[],
): ConfigDocument {
  if (!isWithheld(documents)) {
    return outlineDocuments(documents, options, normal);
  }
  // Texts are shortened last: a fingerprint follows from the marks in the text.
  const { longestText = Infinity, ...others } = options ?? {};
  const whole = outlineDocuments(documents, others, normal);
  return shortenedOutline(plainOutline(whole), longestText);
}

/** Failures that quote no value that the program marked as secret. */
export function hideMarked(
  failures: readonly CheckFailure[],
  marked: MarkedValues = [],
): CheckFailure[] {
  const reasons = hideMarkedIn(
    failures.map(({ reason }) => reason),
    marked,
  );
  return failures.map((failure, index) => ({ ...failure, reason: reasons[index] ?? "" }));
}

/** Messages that quote no value that the program marked as secret. */
export function hideMarkedIn(messages: readonly string[], marked: MarkedValues): string[] {
  const texts = new MarkedTexts(marked);
  return messages.map((message) =>
    texts.isEmpty ? message : texts.hideInMessage(message, tellNothing),
  );
}

/**
 * The text of a configuration that `renderConfiguration` accepts.
 *
 * @throws ConfigError for patches that it refuses
 */
export function renderText(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  schema: ConfigSchema,
): string {
  return encodeDocuments(applyPatches(documents, patches, { schema }), schema);
}

/** What Talos refuses, and documents of this package. Talos' advice on such a document would mislead. */
function problemsOf(
  documents: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
  by: JudgedBy,
): readonly ConfigProblem[] {
  const owned = ownedDocuments(documents, base);
  const ids = new Set(owned.map(({ document }) => document));
  const read = documents.filter((document) => !ids.has(documentId(document)));
  const refused = validateDocuments(read, by);
  const places = new Set(refused.map(placeOf));
  return [
    ...owned,
    ...refused,
    ...broughtProblems(read, base, by.schema).filter((each) => !places.has(placeOf(each))),
  ];
}

/** What options are refused for, as far as patches bring it. */
function broughtProblems(
  documents: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
  { talosMinor }: ConfigSchema,
): readonly ConfigProblem[] {
  if (documents === base) {
    return [];
  }
  const before = new Set(resultProblems(base, talosMinor).map(describeProblem));
  return resultProblems(documents, talosMinor).filter((each) => !before.has(describeProblem(each)));
}

function placeOf({ document, path }: ConfigProblem): string {
  return `${document}: ${path}`;
}

/** What a configuration is judged by. */
interface JudgedBy {
  readonly schema: ConfigSchema;
  readonly mode: ValidationMode;
}

/** How a machine with this installer runs Talos. */
function modeOfDocuments(documents: readonly ConfigDocument[]): ValidationMode {
  const image = installerIn(documents);
  return (image === undefined ? undefined : modeOfInstaller(image)) ?? "cloud";
}

/** The problems as failures of `patches`, or of no input if they exist without patches. */
function blame(
  problems: readonly ConfigProblem[],
  documents: readonly ConfigDocument[],
  by: JudgedBy,
): CheckFailure[] {
  const before = new Set(problemsOf(documents, documents, by).map(describeProblem));
  return problems
    .map(describeProblem)
    .map((reason) => ({ property: before.has(reason) ? "" : "patches", reason }));
}
