import { type ComponentFile, componentFiles } from "../componentFiles/componentFiles";
import type { DecodeError } from "../componentFiles/decodeErrors";
import type { FieldError } from "../componentFiles/fieldErrors";
import { fieldsOf, schedulerPlugins } from "../componentFiles/fileTypes";
import type { StartError } from "../componentFiles/schedulerStart";
import { judgeFile } from "../componentFiles/verdict";
import type { FileFault, KindError } from "../componentFiles/verdictParts";
import type { ConfigProblem } from "../configError";
import { isInMinors, otherMinors } from "../flags/componentTable";
import { type ConfigDocument, documentId, isMapping } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { adviceOn, notAllowed, suggest } from "../suggestion";
import { DocumentView } from "./documentView";
import { BINARIES } from "./flagRules";

/**
 * What is wrong with the configuration files of components of the control plane. Talos
 * takes all of it: a value of another type then keeps it from writing the files anew, and for the others
 * the component ends whenever it starts.
 */
export function componentFileProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  return componentFiles(documents, talosMinor).flatMap((file) => {
    const { unwritable, refused } = judgeFile(file);
    const faults = onePerPlace([
      ...unwritable.map((fault) => ({ fault, ending: "Talos can't write the file with it" })),
      ...refused.map((fault) => ({
        fault,
        ending: `${BINARIES[file.program]} fails to start with it`,
      })),
    ]);
    return faults.flatMap(({ fault, ending }) => {
      const place = file.locate(fault.path);
      const owner = documents.find((document) => documentId(document) === place?.document);
      if (place === undefined || owner === undefined) {
        return [];
      }
      const isText = file.asItIs !== undefined;
      const content = isMapping(file.content) ? file.content : {};
      const view = new DocumentView(isText ? content : owner, talosMinor);
      const quoted = view.quote(...(isText ? fault.path : place.path));
      const message = explain(fault, quoted, { file, ending });
      return [
        {
          document: place.document,
          path: formatPath(place.path),
          message: isText ? `${formatPath(fault.path)} in it ${message}` : message,
        },
      ];
    });
  });
}

/** Warnings about what nothing reads in those files. */
export function unreadInFiles(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): readonly string[] {
  return componentFiles(documents, talosMinor).flatMap((file) =>
    judgeFile(file).unread.flatMap(({ path, reason }) => {
      const place = file.locate(path);
      const document = place?.document === "v1alpha1" ? "" : `${place?.document ?? ""}: `;
      return place === undefined
        ? []
        : [`${document}${formatPath(place.path)} has no effect: ${reason}; leave it out`];
    }),
  );
}

/** One fault of each place: what has another type is refused for more than that. */
function onePerPlace<Each extends { readonly fault: FileFault }>(faults: readonly Each[]): Each[] {
  const places = new Set<string>();
  return faults.filter(({ fault }) => {
    const place = formatPath(fault.path);
    const isNew = !places.has(place);
    places.add(place);
    return isNew;
  });
}

/** Whose file a fault is in, and what becomes of it. */
interface Place {
  readonly file: ComponentFile;
  readonly ending: string;
}

function explain(fault: FileFault, quoted: string, place: Place): string {
  switch (fault.kind) {
    case "unknown":
      return explainUnknown(fault, place);
    case "type":
      return `has to be ${formOf(fault.type)}, not ${quoted}: ${place.ending}`;
    case "kind":
      return explainKind(fault, quoted, place);
    case "noPlugin":
    case "noPoint":
    case "twice":
    case "none":
      return explainPlugin(fault, place);
    case "args":
      return explainField(fault.error, quoted, place);
    default:
      return explainField(fault, quoted, place);
  }
}

function explainUnknown({ path, owner }: DecodeError, { file, ending }: Place): string {
  const key = String(path.at(-1));
  const isTalos = ending.startsWith("Talos");
  const minor = isTalos ? file.talosTypes : file.minor;
  const reader = isTalos ? `Talos v1.${file.talosMinor}` : `Kubernetes v1.${minor}`;
  const fields = fieldsOf(owner) ?? new Map<string, never>();
  const elsewhere = otherMinors(fields.get(key), minor);
  const here = [...fields].filter(([, entry]) => isInMinors(entry, minor)).map(([name]) => name);
  const advice = adviceOn(key, elsewhere, here);
  const allowed =
    elsewhere === undefined && suggest(key, here) === undefined && here.length > 0
      ? `; allowed here: ${here.join(", ")}`
      : "";
  return `is no field that ${reader} knows, and ${ending}: ${advice}${allowed}`;
}

function explainKind({ path, expected }: KindError, quoted: string, { ending }: Place): string {
  const words = [
    ...new Set(expected.map((each) => each.split(" ")[path[0] === "kind" ? 1 : 0] ?? "")),
  ];
  const told = words.map((word) => JSON.stringify(word)).join(", ");
  const wish = words.length === 1 ? told : `one of ${told}`;
  return `${quoted === "nothing" ? "is required: it" : `${quoted} isn't known here: it`} has to be ${wish}: ${ending}`;
}

function explainPlugin(
  error: Exclude<StartError, { readonly kind: "args" }>,
  { file: { minor }, ending }: Place,
): string {
  const name = JSON.stringify(error.name);
  switch (error.kind) {
    case "noPlugin": {
      const here = [...schedulerPlugins]
        .filter(([, plugin]) => isInMinors(plugin, minor))
        .map(([each]) => each);
      const elsewhere = otherMinors(schedulerPlugins.get(error.name), minor);
      const advice = adviceOn(error.name, elsewhere, here);
      return `the scheduler of Kubernetes v1.${minor} has no plugin ${name}, and ${ending}: ${advice}`;
    }
    case "noPoint":
      return `the plugin ${name} can't be enabled here, and ${ending}: it is one for ${error.points.join(", ")}`;
    case "twice":
      return `the plugin ${name} is there twice: ${ending}`;
    case "none":
      return `leaves nothing in the place of ${name}, and ${ending}: enable it, or another plugin of its kind`;
  }
}

/** What Kubernetes' longest words end in: the pattern of a name. */
const PATTERN = / \(e\.g\. .*?, regex used for validation is '.*?'\)/g;

function explainField(
  { kind, path, value, detail, allowed = [] }: FieldError,
  there: string,
  { ending }: Place,
): string {
  const isNamed = there === "a mapping" && typeof value === "string";
  const quoted = isNamed ? JSON.stringify(value) : there;
  const told = detail?.replace(PATTERN, "");
  switch (kind) {
    case "required":
      return `is required${told === undefined ? "" : ` (${told})`}: ${ending}`;
    case "unsupported":
      return `${notAllowed(quoted, quoted === "nothing" ? undefined : unquoted(quoted), allowed)}: ${ending}`;
    case "duplicate":
      return `${quotedAt(quoted, path)} is there twice: ${ending}`;
    case "forbidden":
    case "tooMany":
      return `${told ?? ""}: ${ending}`;
    case "invalid":
      return quoted === "nothing"
        ? `is missing, and ${ending}: ${told ?? ""}`
        : `${quotedAt(quoted, path)} is refused, and ${ending}: ${told ?? ""}`;
  }
}

/** A mapping is no help; its place is. */
function quotedAt(quoted: string, path: Path): string {
  return quoted === "a mapping" || quoted === "a list" || quoted === "nothing"
    ? JSON.stringify(path.findLast((step) => typeof step === "string") ?? "")
    : quoted;
}

function unquoted(quoted: string): string {
  return quoted.startsWith('"') ? quoted.slice(1, -1) : quoted;
}

/** What a type of the table is, for a person. */
function formOf(type: string): string {
  const forms = new Map([
    ["string", "a text"],
    ["bool", "true or false"],
    ["int32", "a whole number"],
    ["int64", "a whole number"],
    ["float32", "a number"],
    ["float64", "a number"],
    ["duration", "a duration with units, like 1h30m or 10s"],
    ["time", "a time, like 2030-01-31T00:00:00Z"],
    ["bytes", "base64"],
  ]);
  return forms.get(type) ?? (type.startsWith("[]") ? "a list" : "a mapping of keys");
}
