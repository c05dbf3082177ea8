import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { documentsNamed, formsOfKinds } from "./formsOfKinds";
import { pathOf, valueAt } from "./keyPaths";
import { namedKinds } from "./namedKinds";
import { type KindPlace, type MemberForm, type MemberPlace, settingPlaces } from "./settingPlaces";

/** The place of a setting in documents. */
export interface Location {
  /** As in an outline: the id of the document, then keys. */
  readonly place: readonly string[];
  /** How the document says it, if otherwise than the field. */
  readonly form?: MemberForm;
  /** Whether the value has a form that only a reader knows. Default: no. */
  readonly isDerived?: true;
}

/**
 * Where a setting stands in the documents of a configuration; undefined if Talos reads the field.
 *
 * @param path key path in the machine configuration proper
 * @param outline of the configuration. Undefined: of one that has every document
 */
export function locate(
  path: readonly string[],
  outline: ConfigDocument | undefined,
): Location | undefined {
  const read = settingPlaces.filter((place) => outline === undefined || isRead(outline, place));
  return (
    first(read, (place) => inMembers(path, place, outline)) ??
    first(read, (place) => inSection(path, place)) ??
    inForms(path, outline) ??
    (outline === undefined ? undefined : inNamed(path, outline))
  );
}

/** Whether Talos reads the document of a kind, and not the fields. */
export function isRead(
  outline: ConfigDocument,
  { kind, counts, wins, members = {} }: KindPlace,
): boolean {
  const { [kind]: document } = outline;
  const isCounted = counts === undefined || valueAt(document, pathOf(counts)) === true;
  const saysSomething = (value: YamlValue | undefined) => value !== undefined && value !== "";
  const hasFields = Object.values(members).some((where) =>
    saysSomething(valueAt(outline, pathOf(fieldOf(where)))),
  );
  return isMapping(document) && isCounted && !(wins === "fields" && hasFields);
}

/** The field that a member replaces. */
export function fieldOf(where: MemberPlace): string {
  return typeof where === "string" ? where : where[0];
}

/** Whether a field is replaced by a kind of its own, as `machine.kubelet.nodeIP` is. */
export function isOfAnother(field: string, { kind }: Pick<KindPlace, "kind">): boolean {
  const ofPlaces = settingPlaces.flatMap((other) =>
    other.kind === kind ? [] : Object.values(other.members ?? {}).map(fieldOf),
  );
  const ofForms = formsOfKinds.flatMap(({ fields }) => fields);
  return [...ofPlaces, ...ofForms, ...namedKinds.map((named) => named.field)].includes(field);
}

function inMembers(
  path: readonly string[],
  { kind, members = {}, wins }: KindPlace,
  outline: ConfigDocument | undefined,
): Location | undefined {
  return first(Object.entries(members), ([member, where]) => {
    const rest = restAfter(path, pathOf(fieldOf(where)));
    if (rest === undefined) {
      return undefined;
    }
    const place = [kind, ...pathOf(member), ...rest];
    const form = typeof where === "string" ? undefined : where[1];
    const isElsewhere =
      wins === "both" && outline !== undefined && valueAt(outline, place) === undefined;
    return isElsewhere ? undefined : { place, ...(form && { form }) };
  });
}

function inSection(path: readonly string[], place: KindPlace): Location | undefined {
  const { kind, section, presence } = place;
  if (presence !== undefined && restAfter(path, pathOf(presence)) !== undefined) {
    return { place: [kind], isDerived: true };
  }
  const rest = section === undefined ? undefined : restAfter(path, pathOf(section));
  const [key = ""] = rest ?? [];
  return rest === undefined || isOfAnother(`${section ?? ""}.${key}`, place)
    ? undefined
    : { place: [kind, ...rest] };
}

function inForms(
  path: readonly string[],
  outline: ConfigDocument | undefined,
): Location | undefined {
  const read = formsOfKinds.filter(({ kind }) => outline === undefined || isMapping(outline[kind]));
  return first(read, ({ kind, members }) =>
    first(Object.entries(members), ([field, member]) => {
      const rest = restAfter(path, pathOf(field));
      return rest && { place: [kind, ...pathOf(member), ...rest], isDerived: true as const };
    }),
  );
}

function inNamed(path: readonly string[], outline: ConfigDocument): Location | undefined {
  return first(namedKinds, ({ kind, field, member }) => {
    const [name = "", key, ...rest] = restAfter(path, pathOf(field)) ?? [];
    if (!documentsNamed(outline, kind).some(([each]) => each === name)) {
      return undefined;
    }
    const inside = key === undefined ? [] : [key === member?.[0] ? member[1] : key, ...rest];
    return { place: [`${kind}/${name}`, ...inside], isDerived: true as const };
  });
}

/** What a function finds first. */
function first<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The keys of a path below another one; undefined for a path elsewhere. */
function restAfter(
  path: readonly string[],
  start: readonly string[],
): readonly string[] | undefined {
  return start.every((key, index) => path[index] === key) ? path.slice(start.length) : undefined;
}
