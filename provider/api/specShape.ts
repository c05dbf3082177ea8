import { isMapping } from "../base/mapping";
import { printable } from "../base/printable";

/**
 * Reads a value from YAML, in which every scalar is still text. `path` names it in a `ShapeError`.
 */
export type SpecShape<T> = (value: unknown, path: string) => T;

/** A value does not have the expected shape. Each problem begins with the value's path. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("; "));
  }
}

/** The key of a shape's field, if it isn't the field's own name. */
export interface SpecField<T> {
  readonly key?: string;
  readonly shape: SpecShape<T>;
}

/** A text field, without what a terminal would obey. */
export const text: SpecShape<string> = (value, path) => {
  if (typeof value === "string") {
    return printable(value);
  }
  throw mismatch(path, "a text", value);
};

/** A Boolean field. */
export const flag: SpecShape<boolean> = (value, path) => {
  if (value === "true" || value === "false") {
    return value === "true";
  }
  throw mismatch(path, "true or false", value);
};

/** A whole number that is exact in JavaScript. */
export const wholeNumber: SpecShape<number> = (value, path) => {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(number)) {
    return number;
  }
  throw mismatch(path, "a whole number", value);
};

/** One of the texts. */
export function oneOf<T extends string>(...allowed: readonly T[]): SpecShape<T> {
  return (value, path) => {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) {
      return found;
    }
    throw mismatch(path, `one of ${allowed.join(", ")}`, value);
  };
}

/** A list. An absent one is empty, because Talos leaves out empty lists of many types. */
export function listOf<T>(shape: SpecShape<T>): SpecShape<T[]> {
  return (value, path) => {
    if (value === undefined) {
      return [];
    }
    if (Array.isArray(value)) {
      return collect(value, (item, index) => shape(item, `${path}[${index}]`));
    }
    throw mismatch(path, "a list", value);
  };
}

/** A field that Talos leaves out if it is empty or false. */
export function orElse<T, D>(shape: SpecShape<T>, absent: D): SpecShape<T | D> {
  return (value, path) => (value === undefined ? absent : shape(value, path));
}

/**
 * An object with these fields; other fields are dropped. Raises the problems of all fields at once.
 */
export function fields<T extends object>(table: {
  readonly [Name in keyof T]: SpecField<T[Name]> | SpecShape<T[Name]>;
}): SpecShape<T> {
  const names = Object.keys(table) as (keyof T & string)[];
  return (value, path) => {
    if (!isMapping(value)) {
      throw mismatch(path, "an object", value);
    }
    const source = new Map<string, unknown>(Object.entries(value));
    const values = collect(names, (name) => {
      const field = table[name];
      const { key = name, shape } = typeof field === "function" ? { shape: field } : field;
      return [name, shape(source.get(key), path === "" ? key : `${path}.${key}`)] as const;
    });
    return Object.fromEntries(values) as T;
  };
}

/** A field with another name in Talos. */
export function at<T>(key: string, shape: SpecShape<T>): SpecField<T> {
  return { key, shape };
}

function collect<In, Out>(items: readonly In[], read: (item: In, index: number) => Out): Out[] {
  const problems: string[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [read(item, index)];
    } catch (error) {
      if (!(error instanceof ShapeError)) {
        throw error;
      }
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) {
    throw new ShapeError(problems);
  }
  return results;
}

/** Names only the kind of the value, because the value may be secret. */
function mismatch(path: string, expected: string, value: unknown): ShapeError {
  const kind =
    value === undefined
      ? "nothing"
      : Array.isArray(value)
        ? "a list"
        : typeof value === "object"
          ? "an object"
          : "a text";
  return new ShapeError([`"${path === "" ? "spec" : path}" should be ${expected} and is ${kind}`]);
}
