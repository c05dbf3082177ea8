import type { ConfigProblem } from "../configError";
import { type ConfigDocument, documentId, isMapping, type YamlValue } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { parseDuration } from "../schema/duration";
import { quoteValue, valueAt } from "../secrets/quote";
import { redactDocument } from "../secrets/redact";
import { notAllowed } from "../suggestion";

/**
 * A document as the rules read it. A value of another type than a rule expects counts as absent,
 * because the schema reports it already. Values are quoted without secrets.
 */
export class DocumentView {
  readonly problems: ConfigProblem[] = [];
  readonly id: string;
  private redacted: ConfigDocument | undefined;

  /** @param talosMinor minor of the Talos that reads the document: 13 is v1.13 */
  constructor(
    readonly document: ConfigDocument,
    readonly talosMinor: number,
  ) {
    this.id = documentId(document);
  }

  /** The value at a path. */
  get(...path: Path): YamlValue | undefined {
    const value = valueAt(this.document, path);
    return value === null ? undefined : value;
  }

  /** A text that is not empty. */
  text(...path: Path): string | undefined {
    const value = this.get(...path);
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  /** The items of a list; empty without a list. */
  list(...path: Path): readonly YamlValue[] {
    const value = this.get(...path);
    return Array.isArray(value) ? value : [];
  }

  /** The texts of a list, with their paths. */
  texts(...path: Path): (readonly [Path, string])[] {
    return this.list(...path).flatMap((item, index) =>
      typeof item === "string" ? [[[...path, index], item] as const] : [],
    );
  }

  /** The keys and texts of a mapping. */
  entries(...path: Path): (readonly [string, string])[] {
    const value = this.get(...path);
    const entries = isMapping(value) ? Object.entries(value) : [];
    return entries.flatMap(([key, child]) =>
      typeof child === "string" ? [[key, child] as const] : [],
    );
  }

  isMapping(...path: Path): boolean {
    return isMapping(this.get(...path));
  }

  /** The value at a path, for a message. */
  quote(...path: Path): string {
    this.redacted ??= redactDocument(this.document);
    return quoteValue(valueAt(this.redacted, path));
  }

  /** Reports what is wrong at a path; nothing without a message. */
  report(path: Path, message: string | undefined): void {
    if (message !== undefined) {
      this.problems.push({ ...this.placeOf(path), message });
    }
  }

  /** Where a problem at a path is reported. */
  protected placeOf(path: Path): Pick<ConfigProblem, "document" | "path"> {
    return { document: this.id, path: formatPath(path) };
  }

  /**
   * Reports a text that isn't right. One that is missing or empty passes.
   *
   * @param wrong what is wrong, after the quoted text
   */
  checkText(path: Path, isRight: (text: string) => boolean, wrong: string): void {
    if (this.text(...path) !== undefined) {
      this.requireText(path, isRight, wrong);
    }
  }

  /** The same of a text that has to be there: `isRight` gets an empty one for none. */
  requireText(path: Path, isRight: (text: string) => boolean, wrong: string): void {
    if (!isRight(this.text(...path) ?? "")) {
      this.report(path, `${this.quote(...path)} ${wrong}`);
    }
  }

  /** The same of each text of a list. */
  checkTexts(path: Path, isRight: (text: string) => boolean, wrong: string): void {
    for (const [where, text] of this.texts(...path)) {
      if (!isRight(text)) {
        this.report(where, `${this.quote(...where)} ${wrong}`);
      }
    }
  }

  /** Reports the allowed words if another value is at a path, or if a required one is missing. */
  requireWord(path: Path, words: readonly string[], { optional }: { readonly optional: boolean }) {
    const value = this.text(...path);
    if (value === undefined ? !optional : !words.includes(value)) {
      this.report(path, notAllowed(this.quote(...path), value, words));
    }
  }

  /** Reports a negative number or duration at a path. */
  requireNotNegative(path: Path): void {
    const value = this.get(...path);
    const isNegative =
      typeof value === "number" ? value < 0 : (parseDuration(this.text(...path) ?? "") ?? 0n) < 0n;
    if (isNegative) {
      this.report(path, `${this.quote(...path)} can't be negative`);
    }
  }

  /** Reports "is required" for each path without a value. `why` follows it. */
  require(why: string, ...paths: readonly Path[]): void {
    for (const path of paths) {
      const value = this.get(...path);
      if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) {
        this.report(path, `is required${why === "" ? "" : `: ${why}`}`);
      }
    }
  }
}
