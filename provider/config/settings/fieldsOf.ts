import { type ConfigDocument, documentId, isMapping, type YamlValue } from "../machineConfig";
import { documentsNamed, formsOfKinds, membersOf, type Said } from "./formsOfKinds";
import { pathOf, valueAt, withoutMember, withValue } from "./keyPaths";
import { fieldOf, isOfAnother, isRead } from "./locate";
import { itemDocuments, type NamedKind, namedKinds } from "./namedKinds";
import { base64OfPem } from "./pemForms";
import { type KindPlace, type MemberPlace, settingPlaces } from "./settingPlaces";

/**
 * The same configuration, with the settings of documents in the fields that they replace. A reader
 * that looks there finds what Talos finds, in whichever form the configuration is written. The
 * documents themselves stay, for what has no field.
 *
 * @param outline of a configuration (`outlineDocuments`)
 */
export function fieldsOf(outline: ConfigDocument): ConfigDocument {
  const known = translated.get(outline);
  if (known !== undefined) {
    return known;
  }
  const fields = translate(outline, true);
  translated.set(outline, fields);
  return fields;
}

const translated = new WeakMap<ConfigDocument, ConfigDocument>();

/** The same of the documents themselves: one mapping with the fields, and each document under its id. */
export function fieldsOfDocuments(documents: readonly ConfigDocument[]): ConfigDocument {
  return translate(joinDocuments(documents), false);
}

/** Documents as one mapping, like an outline: but with secrets, and with lists as lists. */
export function joinDocuments(documents: readonly ConfigDocument[]): ConfigDocument {
  return Object.fromEntries(
    documents.flatMap((document): [string, YamlValue][] => {
      const id = documentId(document);
      return id === "v1alpha1" ? Object.entries(document) : [[id, document]];
    }),
  );
}

function translate(outline: ConfigDocument, hasNamedItems: boolean): ConfigDocument {
  const ofKinds = settingPlaces.reduce((fields, place) => ofKind(outline, fields, place), outline);
  const ofForms = formsOfKinds.reduce((fields, { kind, fields: replaced, read }) => {
    const { [kind]: document } = outline;
    return isMapping(document)
      ? say(replaced.reduce(without, fields), read(document, outline))
      : fields;
  }, ofKinds);
  const ofNamed = namedKinds.reduce(
    (fields, named) => ofNamedKind(outline, fields, named, hasNamedItems),
    ofForms,
  );
  return ofDiscovery(outline, ofNamed);
}

function ofKind(outline: ConfigDocument, fields: ConfigDocument, place: KindPlace): ConfigDocument {
  if (!isRead(outline, place)) {
    return fields;
  }
  const { [place.kind]: document } = outline;
  const { members = {}, presence, wins = "document" } = place;
  const said: Said = [
    ...Object.entries(members).map(([member, where]) => {
      const [field, value] = inField(where, valueAt(document, pathOf(member)));
      return [
        field,
        wins === "both" ? joined(valueAt(fields, pathOf(field)), value) : value,
      ] as const;
    }),
    ...ownMembers(document, place),
    ...(presence === undefined ? [] : [[presence, true] as const]),
  ];
  return say(clearedFields(fields, place).reduce(without, fields), said);
}

function inField(
  where: MemberPlace,
  value: YamlValue | undefined,
): readonly [string, YamlValue | undefined] {
  if (typeof where === "string") {
    return [where, value];
  }
  const [field, form] = where;
  return form === "opposite"
    ? [field, typeof value === "boolean" ? !value : undefined]
    : [field, typeof value === "string" ? base64OfPem(value) : undefined];
}

/** The members of a document that are in its section under their own names. */
function ownMembers(document: YamlValue | undefined, { section, members = {} }: KindPlace): Said {
  const placed = Object.keys(members).map((member) => pathOf(member)[0]);
  return section === undefined || !isMapping(document)
    ? []
    : Object.entries(membersOf(document))
        .filter(([member]) => !placed.includes(member))
        .map(([member, value]) => [`${section}.${member}`, value] as const);
}

/** The fields that Talos doesn't read where it reads the document. */
function clearedFields(fields: ConfigDocument, place: KindPlace): readonly string[] {
  const { section, members = {}, wins } = place;
  const own = Object.values(members).map(fieldOf);
  const found = section === undefined ? undefined : valueAt(fields, pathOf(section));
  const inSection = isMapping(found) ? Object.keys(found).map((key) => `${section}.${key}`) : [];
  return wins === "both" ? [] : [...own, ...inSection.filter((path) => !isOfAnother(path, place))];
}

function say(fields: ConfigDocument, said: Said): ConfigDocument {
  return said.reduce(
    (all, [field, value]) =>
      value === undefined ? without(all, field) : withValue(all, pathOf(field), value),
    fields,
  );
}

function without(fields: ConfigDocument, field: string): ConfigDocument {
  return withoutMember(fields, pathOf(field));
}

/** Mappings of both places. */
function joined(field: YamlValue | undefined, value: YamlValue | undefined): YamlValue | undefined {
  return isMapping(field) && isMapping(value) ? { ...field, ...value } : (value ?? field);
}

/** @param hasNamedItems whether lists with named items are written as mappings by their names */
function ofNamedKind(
  outline: ConfigDocument,
  fields: ConfigDocument,
  named: NamedKind,
  hasNamedItems: boolean,
): ConfigDocument {
  const { field, item, nameKey, both } = named;
  const documents = itemDocuments(outline, named);
  if (documents.length === 0) {
    return fields;
  }
  const path = pathOf(field);
  const former = both === true ? valueAt(fields, path) : undefined;
  const items = documents.map(([name, document]) => {
    const value = item(document, name);
    const named = nameKey !== undefined && isMapping(value) ? { [nameKey]: name, ...value } : value;
    return [name, named] as const;
  });
  if (nameKey !== undefined && hasNamedItems) {
    const byName = Object.fromEntries(items);
    return withValue(fields, path, { ...(isMapping(former) ? former : {}), ...byName });
  }
  const list = items.map(([, value]) => value);
  return withValue(fields, path, [...list, ...(Array.isArray(former) ? former : [])]);
}

/** A document is a discovery service that is on. Fields that turn one on come first. */
function ofDiscovery(outline: ConfigDocument, fields: ConfigDocument): ConfigDocument {
  const endpoints = documentsNamed(outline, "DiscoveryServiceConfig").map(
    ([, { endpoint = "" }]) => endpoint,
  );
  const field = valueAt(fields, ["cluster", "discovery"]);
  const isOff = valueAt(field, ["registries", "service", "disabled"]) === true;
  const isOnByField = valueAt(field, ["enabled"]) === true && !isOff;
  const [only, ...others] = endpoints;
  return only === undefined || isOnByField
    ? fields
    : withValue(fields, ["cluster", "discovery"], {
        enabled: true,
        registries: { service: { endpoint: others.length === 0 ? only : endpoints } },
      });
}
