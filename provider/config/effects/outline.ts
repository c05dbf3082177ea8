import { createHash } from "node:crypto";
import { memoized } from "../frozenMemo";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  mapMembers,
  type YamlValue,
} from "../machineConfig";
import { itemNaming } from "../patches/itemNaming";
import { type Field, itemField, memberField } from "../schema/configSchema";
import { normalizeDocument } from "../schema/normalize";
import { widestSchema } from "../schema/talosSchemas";
import type { MarkedValues } from "../secrets/markedValues";
import { redactDocuments } from "../secrets/redact";

/**
 * Replaces a value that is unknown until the update runs. It is a text, because a program in a
 * preview gets no output with an unknown part, and could not pass it on (pulumi v3.230.0,
 * sdk/nodejs/runtime/rpc.ts).
 */
export const NOT_MADE_YET = "«not made yet»";

/** The key for the order of a named list's items, if they aren't sorted by name. */
export const ORDER = "(order)";

/** The maximum length of a text in a machine's outline. A role's outline shows manifests in full. */
export const LONGEST_TEXT = 160;

/**
 * The outline of a machine configuration: one mapping without secrets, for people to read and
 * programs to compare key by key. It contains the fields of the machine configuration proper, and
 * each other document under its id. Lists with named items become mappings by name, so another item
 * moves no other. Fingerprints replace certificates and the ends of long texts.
 *
 * Configurations with the same content have the same outline, others have another.
 *
 * @param options.longestText the maximum length of a text. Default: unlimited
 * @param options.marked values that a program marked as secret: see `redactDocuments`
 * @param options.keyedBy documents to compare with: see `redactDocuments`
 * @param normal their normal forms, if known
 */
export function outlineDocuments(
  documents: readonly ConfigDocument[],
  options: {
    readonly longestText?: number;
    readonly marked?: MarkedValues;
    readonly keyedBy?: readonly ConfigDocument[];
  } = {},
  normal: readonly ConfigDocument[] = documents.map((document) => normalizeDocument(document)),
): ConfigDocument {
  const { longestText = Infinity, marked = [], keyedBy } = options;
  const entries = redactDocuments(normal, marked, keyedBy).flatMap(
    (document): [string, YamlValue][] => {
      const outlined = outlineMapping(document, widestSchema.fieldOf(document), longestText);
      if (documentId(document) === "v1alpha1") {
        return Object.entries(outlined);
      }
      const { apiVersion, kind, name, ...rest } = outlined;
      const version = apiVersion === "v1alpha1" ? {} : { apiVersion: apiVersion ?? "" };
      return [[documentId(document), { ...version, ...rest }]];
    },
  );
  return Object.fromEntries(entries);
}

/**
 * The documents of an outline without shortened texts. They contain its placeholders for secrets
 * and certificates. After a patch they are in Talos' normal form.
 */
export function documentsOfOutline(outline: ConfigDocument): ConfigDocument[] {
  const config: ConfigDocument = {};
  const others: ConfigDocument[] = [];
  for (const [key, value] of Object.entries(outline)) {
    // Fields start with a small letter, kinds with a capital letter.
    const [kind = "", ...name] = /^[A-Z]/.test(key) && isMapping(value) ? key.split("/") : [];
    if (kind === "" || !isMapping(value)) {
      config[key] = value;
    } else {
      const { apiVersion = "v1alpha1", ...rest } = value;
      const label = name.length === 0 ? {} : { name: name.join("/") };
      others.push({ apiVersion, kind, ...label, ...rest });
    }
  }
  return [config, ...others].map((document) => {
    const restored = restoreLists(document, widestSchema.fieldOf(document));
    return isMapping(restored) ? restored : document;
  });
}

function outlineMapping(
  mapping: ConfigDocument,
  field: Field | undefined,
  longestText: number,
): ConfigDocument {
  return mapMembers(mapping, (value, key) =>
    outlineValue(value, memberField(field, key), longestText),
  );
}

const outlineValue = memoized(
  (value: YamlValue, field: Field | undefined, longestText: number): YamlValue => {
    if (isMapping(value)) {
      return outlineMapping(value, field, longestText);
    }
    if (!Array.isArray(value)) {
      return typeof value === "string" ? shorten(value, longestText) : value;
    }
    const items = value.map((item) => outlineValue(item, itemField(field), longestText));
    const naming =
      field?.shape.kind === "list" && value.length > 0
        ? itemNaming([value], field.shape.mergeBy)
        : undefined;
    if (naming === undefined) {
      return items;
    }
    const names = value.map((item) => naming(item) ?? "");
    const byName = Object.fromEntries(names.map((name, index) => [name, items[index] ?? null]));
    const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
    return isSorted ? byName : { ...byName, [ORDER]: names.join(", ") };
  },
);

const PEM_START = "-----BEGIN CERTIFICATE-----";

/**
 * The first bytes of a certificate in Talos' older form, PEM in base64, up to a whole group of
 * characters.
 */
const certificateStart = Buffer.from(PEM_START).toString("base64");

/** A text as an outline has it that shows at most `longest` characters of it. */
export function shorten(text: string, longest: number): string {
  // Both forms of a certificate have one fingerprint.
  const encoded = text.startsWith(PEM_START) ? Buffer.from(text).toString("base64") : text;
  if (encoded.startsWith(certificateStart)) {
    return certificatesIn(encoded)
      .map((certificate) => `«certificate sha256:${fingerprint(certificate)}»`)
      .join(", ");
  }
  return text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}… «${text.length} characters sha256:${fingerprint(text)}»`;
}

/** The certificates of a text in Talos' form, each in that form. */
function certificatesIn(text: string): readonly string[] {
  const pem = Buffer.from(text, "base64").toString("latin1");
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return blocks.length > 1 ? blocks.map((block) => Buffer.from(block).toString("base64")) : [text];
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function restoreLists(value: YamlValue, field: Field | undefined): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => restoreLists(item, itemField(field)));
  }
  if (!isMapping(value)) {
    return value;
  }
  if (field?.shape.kind !== "list") {
    return mapMembers(value, (child, key) => restoreLists(child, memberField(field, key)));
  }
  const { [ORDER]: order, ...items } = value;
  const names = typeof order === "string" ? order.split(", ") : Object.keys(items).sort();
  return names.map((name) => restoreLists(items[name] ?? {}, itemField(field)));
}
