import { type ConfigDocument, textAt } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { fieldsOfDocuments, joinDocuments } from "../settings/fieldsOf";
import { locate } from "../settings/locate";
import { itemDocument } from "../settings/namedKinds";
import { DocumentView } from "./documentView";

/**
 * All settings of a configuration in the fields of the machine configuration proper, in whichever form it
 * is written. A problem is reported where the setting stands.
 */
export class SettingsView extends DocumentView {
  private readonly joined: ConfigDocument;

  constructor(documents: readonly ConfigDocument[], talosMinor: number) {
    super(fieldsOfDocuments(documents), talosMinor);
    this.joined = joinDocuments(documents);
  }

  protected override placeOf(path: Path) {
    const [id = "", ...rest] = this.placeInDocuments(path) ?? [this.id, ...path];
    return { document: String(id), path: formatPath(rest) };
  }

  /** Undefined for a setting in a field. */
  private placeInDocuments(path: Path): Path | undefined {
    const [index = path.length] = path.flatMap((key, at) => (typeof key === "number" ? [at] : []));
    const keys = path.slice(0, index).map(String);
    const rest = path.slice(index);
    const [item, ...inItem] = rest;
    const id =
      typeof item === "number" ? itemDocument(this.joined, keys.join("."), item) : undefined;
    if (id !== undefined) {
      return [id, ...inItem];
    }
    const location = locate(keys, this.joined);
    return location && [...location.place, ...rest];
  }
}

/** Whether one of the documents is the machine configuration proper. */
export function hasConfig(documents: readonly ConfigDocument[]): boolean {
  return documents.some((document) => (textAt(document, "kind") ?? "") === "");
}
