import { isMapping, isUnknown } from "../base";
import type { PropertyProblem } from "../engine";
import { expectation } from "./expectation";
import { adviceFor, joinPath } from "./memberNames";
import { type MembersSchema, referredType, type TypeSchema } from "./packageSchema";
import { choiceFor, fitsKind, kindOfValue, type Mapping } from "./valueKinds";
import { asInSchema, type WrittenName } from "./writtenName";

/** How arguments are written. Their problems are told in the same way. */
export interface Writing {
  /** How the program writes names. Default: as in the schema. */
  readonly written?: WrittenName;
  /**
   * Whether they are settings in a file. Its values are known, so they are quoted unless the schema calls
   * them secret, and a text is written as a text. Default: false, a program's arguments, which may be
   * unknown or secret.
   */
  readonly inFile?: boolean;
}

/**
 * What is wrong with the names and the shapes of arguments, at any depth: another kind of value than the
 * schema says, a word that isn't allowed, a missing member, or one that the schema doesn't have.
 */
export function checkMembers(
  value: Mapping,
  schema: MembersSchema,
  { written = asInSchema, inFile = false }: Writing = {},
): PropertyProblem[] {
  return new ShapeCheck(schema, written, inFile).members("", value, schema, inFile);
}

const PROGRAM_ONLY =
  "only a program in TypeScript can give it, because it is a resource or a function: leave it out";

class ShapeCheck {
  constructor(
    private readonly root: MembersSchema,
    private readonly written: WrittenName,
    private readonly inFile: boolean,
  ) {}

  /** @param quotes whether values may be quoted */
  members(
    path: string,
    value: Mapping,
    { properties = {}, required = [], language }: MembersSchema,
    quotes: boolean,
  ): PropertyProblem[] {
    const at = (name: string) => joinPath(path, this.written(name));
    const unknown = Object.keys(value)
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => ({
        property: joinPath(path, name),
        reason: language?.nodejs.programOnly.includes(name)
          ? PROGRAM_ONLY
          : this.noSuchMember(name, Object.keys(properties)),
      }));
    const missing = required
      .filter((name) => this.isAbsent(value[name]))
      .map((name) => ({
        property: at(name),
        reason: `it is missing: it must be ${expectation(properties[name] ?? {})}`,
      }));
    const wrong = Object.entries(properties).flatMap(([name, member]) =>
      this.value(at(name), value[name], member, quotes),
    );
    return [...unknown, ...missing, ...wrong];
  }

  private value(
    path: string,
    value: unknown,
    schema: TypeSchema,
    mayQuote: boolean,
  ): PropertyProblem[] {
    const { type, items, additionalProperties, oneOf } = schema;
    const quotes = mayQuote && !mayHoldSecrets(schema);
    const isKnown = this.inFile || typeof value !== "string" || !isUnknown(value);
    // What may be anything, or a resource, is judged later.
    if (this.isAbsent(value) || !isKnown || isAnything(schema)) {
      return [];
    }
    const chosen = oneOf === undefined ? undefined : choiceFor(value, oneOf);
    if (chosen !== undefined) {
      return this.value(path, value, chosen, quotes);
    }
    const referred = referredType(schema);
    const isWord =
      typeof value !== "string" || (referred.enum?.some((word) => word.value === value) ?? true);
    if (!fitsKind(value, schema) || !isWord) {
      const kind = isWord ? kindOfValue(value) : "another text";
      const given = (quotes ? quoted(value) : undefined) ?? kind;
      const advice = type === "string" && isNumberOrFlag(value) ? ": write it in quotes" : "";
      const reason = `it must be ${expectation(schema)}, not ${given}${advice}`;
      return [{ property: path, reason }];
    }
    if (Array.isArray(value)) {
      return value.flatMap((item, index) =>
        this.value(`${path}[${index}]`, item, items ?? {}, quotes),
      );
    }
    if (!isMapping(value)) {
      return [];
    }
    return referred.properties === undefined
      ? this.entries(path, value, additionalProperties ?? {}, quotes)
      : this.members(path, value, referred, quotes);
  }

  /** The values of a map. Where a program has to give texts, Talos and Kubernetes also take numbers. */
  private entries(
    path: string,
    value: Mapping,
    schema: TypeSchema,
    quotes: boolean,
  ): PropertyProblem[] {
    const takesText = choiceFor("", schema.oneOf ?? [schema]) !== undefined;
    return Object.entries(value)
      .filter(([, each]) => this.inFile || !takesText || typeof each === "object")
      .flatMap(([name, each]) => this.value(joinPath(path, name), each, schema, quotes));
  }

  /** In a file, what is empty is a value: nothing says that the default is meant. */
  private isAbsent(value: unknown): boolean {
    return value === undefined || (value === null && !this.inFile);
  }

  private noSuchMember(name: string, known: readonly string[]): string {
    const advice = adviceFor(name, known, this.root, this.written);
    return `there is no such ${this.inFile ? "setting" : "argument"}: ${advice}`;
  }
}

/** Documents of Talos may have secrets inside, and so has what the schema calls secret. */
function mayHoldSecrets({ secret = false, items, additionalProperties }: TypeSchema): boolean {
  return secret || [items, additionalProperties].some((held) => held && isAnything(held));
}

function isAnything({ type, oneOf }: TypeSchema): boolean {
  return type === undefined && oneOf === undefined;
}

/** The longest value that is quoted. */
const MOST_QUOTED = 80;

/** A value as messages quote it; undefined for one that is too long, or a list or a mapping. */
function quoted(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  const isScalar = typeof value !== "object" || value === null;
  return isScalar && text.length <= MOST_QUOTED ? text : undefined;
}

function isNumberOrFlag(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}
