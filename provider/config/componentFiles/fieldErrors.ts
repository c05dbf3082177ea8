import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { valueAt } from "../secrets/quote";

/**
 * What a component refuses in a file that it could decode. Source: k8s.io/apimachinery v0.37.2,
 * `pkg/util/validation/field/errors.go`.
 */
export interface FieldError {
  readonly kind: "required" | "invalid" | "unsupported" | "duplicate" | "forbidden" | "tooMany";
  /** Of the value, within the file. */
  readonly path: Path;
  /** The path that Kubernetes prints, where it is another one. */
  readonly named?: Path;
  /** As Kubernetes prints it, where it isn't the value at the path. */
  readonly value?: YamlValue | undefined;
  /** Kubernetes' own words about it. */
  readonly detail?: string | undefined;
  /** The words that are allowed. */
  readonly allowed?: readonly string[];
}

/** The content of a file as Kubernetes' rules read it; a value of another type counts as absent. */
export class FileView {
  readonly errors: FieldError[] = [];

  /** @param minor of the component that reads it: 35 is v1.35 */
  constructor(
    readonly content: YamlValue,
    readonly minor: number,
  ) {}

  get(...path: Path): YamlValue | undefined {
    return valueAt(this.content, path) ?? undefined;
  }

  /** A text; empty without one, as in Go. */
  text(...path: Path): string {
    const value = this.get(...path);
    return typeof value === "string" ? value : "";
  }

  number(...path: Path): number | undefined {
    const value = this.get(...path);
    return typeof value === "number" ? value : undefined;
  }

  /** The paths of a list's items. */
  items(...path: Path): Path[] {
    const value = this.get(...path);
    return Array.isArray(value) ? value.map((_, index) => [...path, index]) : [];
  }

  /** Whether a list has items. */
  isFilled(...path: Path): boolean {
    return this.items(...path).length > 0;
  }

  isMapping(...path: Path): boolean {
    return isMapping(this.get(...path));
  }

  required(path: Path, detail?: string): void {
    this.errors.push({ kind: "required", path, detail });
  }

  /** @param value as Kubernetes prints it. Default: the one at the path */
  invalid(path: Path, detail: string, value = this.get(...path)): void {
    this.errors.push({ kind: "invalid", path, value, detail });
  }

  unsupported(path: Path, allowed: readonly string[]): void {
    this.errors.push({ kind: "unsupported", path, value: this.get(...path), allowed });
  }

  /** Requires one of some words. */
  word(path: Path, allowed: readonly string[], missing?: string): void {
    const word = this.text(...path);
    if (word === "") {
      this.required(path, missing);
    } else if (!allowed.includes(word)) {
      this.unsupported(path, allowed);
    }
  }

  /** Reports what was seen before, and remembers it. */
  once(path: Path, seen: Set<string>, text: string, value?: YamlValue): void {
    if (seen.has(text)) {
      this.duplicate(path, value);
    }
    seen.add(text);
  }

  duplicate(path: Path, value = this.get(...path)): void {
    this.errors.push({ kind: "duplicate", path, value });
  }

  forbidden(path: Path, detail: string): void {
    this.errors.push({ kind: "forbidden", path, detail });
  }

  tooMany(path: Path, limit: number): void {
    const value = this.items(...path).length;
    const detail = `must have at most ${limit} items`;
    this.errors.push({ kind: "tooMany", path, value, detail });
  }
}

/** What Kubernetes prints for an error. */
export function wordsOfField(error: FieldError): string {
  const { kind, path, named = path, value, detail, allowed = [] } = error;
  const place = goPath(named);
  const told = detail === undefined ? "" : `: ${detail}`;
  switch (kind) {
    case "required":
      return `${place}: Required value${told}`;
    case "invalid":
      return `${place}: Invalid value: ${goValue(value)}${told}`;
    case "unsupported": {
      const words = allowed.map((word) => JSON.stringify(word)).join(", ");
      return `${place}: Unsupported value: ${goValue(value)}: supported values: ${words}`;
    }
    case "duplicate":
      return `${place}: Duplicate value: ${goValue(value)}`;
    case "forbidden":
      return `${place}: Forbidden${told}`;
    case "tooMany":
      return `${place}: Too many: ${goValue(value)}${told}`;
  }
}

/** Several errors as Go's aggregate prints them: each once. */
export function aggregate(messages: readonly string[]): string {
  const each = [...new Set(messages)];
  return each.length === 1 ? (each[0] ?? "") : `[${each.join(", ")}]`;
}

/** A path in Kubernetes' form: `profiles[0].plugins.score`. */
export function goPath(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join("");
}

/** A text that is absent is empty in Go. */
function goValue(value: YamlValue | undefined): string {
  return JSON.stringify(value ?? "");
}
