import { suggest } from "../../../provider/config";
import { FaultParameters, type FaultTarget, type ParameterValue } from "./faultKind";
import { type FaultKind, faultKinds } from "./faultKinds";

/** A request for a fault. */
export interface FaultRequest {
  readonly kind: FaultKind;
  /** Instance id, address or private address of the machine; this or `zone`. */
  readonly machine?: string;
  /** All machines that are in this zone now. */
  readonly zone?: string;
  /** Lifts the fault after this many milliseconds. Default: it stays until it is lifted. */
  readonly forMs?: number;
  /** Parameters of the kind. The table of kinds has the defaults. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
}

/** An invalid request. The message lists all problems. */
export class FaultRequestError extends Error {
  override readonly name = "FaultRequestError";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** A valid request. */
export interface CheckedRequest {
  readonly kind: FaultKind;
  readonly targets: readonly FaultTarget[];
  readonly forMs: number | undefined;
  readonly parameters: FaultParameters;
}

const fields = ["kind", "machine", "zone", "forMs", "parameters"];

/**
 * Checks an untrusted request.
 *
 * @param machines the running machines
 * @throws FaultRequestError that lists all problems
 */
export function checkFaultRequest(
  request: unknown,
  machines: readonly FaultTarget[],
): CheckedRequest {
  if (!isRecord(request)) {
    throw new FaultRequestError([`the request is no object: give ${fields.join(", ")}`]);
  }
  const problems = unknownNames("field", Object.keys(request), fields);
  const kind = checkKind(request.kind, problems);
  const targets = checkTargets(request, machines, problems);
  const parameters = kind && checkParameters(kind, request.parameters ?? {}, problems);
  const { forMs } = request;
  if (forMs !== undefined && !(typeof forMs === "number" && forMs > 0)) {
    problems.push(`forMs is ${show(forMs)}: give milliseconds, more than 0`);
  }
  for (const target of kind ? targets : []) {
    const refusal = kind && faultKinds[kind].refusal?.(target);
    if (refusal !== undefined) {
      problems.push(`${target.id} can't have ${kind}: ${refusal}`);
    }
  }
  if (problems.length > 0 || !kind || !parameters) {
    throw new FaultRequestError(problems);
  }
  return { kind, targets, forMs: typeof forMs === "number" ? forMs : undefined, parameters };
}

function checkKind(kind: unknown, problems: string[]): FaultKind | undefined {
  const all = Object.keys(faultKinds);
  const found = all.find((each) => each === kind);
  if (found === undefined) {
    problems.push(`there is no kind ${show(kind)}${hint(kind, all)}: there are ${all.join(", ")}`);
  }
  return found as FaultKind | undefined;
}

function checkTargets(
  { machine, zone }: Readonly<Record<string, unknown>>,
  machines: readonly FaultTarget[],
  problems: string[],
): FaultTarget[] {
  if ((machine === undefined) === (zone === undefined)) {
    problems.push("it is not said where: give either machine or zone");
    return [];
  }
  const found = machines.filter((each) =>
    machine === undefined
      ? each.zone === zone
      : [each.id, each.address, each.privateAddress].some((name) => name === machine),
  );
  if (found.length === 0) {
    const [what, known] =
      machine === undefined
        ? [`machine in zone ${show(zone)}`, machines.map((each) => each.zone)]
        : [`machine ${show(machine)}`, machines.map(({ id, address }) => `${id} at ${address}`)];
    const there = known.length === 0 ? "no machine is on" : [...new Set(known)].join(", ");
    problems.push(`there is no ${what}: there are ${there}`);
  }
  return found;
}

function checkParameters(
  kind: FaultKind,
  given: unknown,
  problems: string[],
): FaultParameters | undefined {
  if (!isRecord(given)) {
    problems.push(`parameters is ${show(given)}: give an object`);
    return undefined;
  }
  const { parameters } = faultKinds[kind];
  problems.push(
    ...unknownNames(`parameter of ${kind}`, Object.keys(given), Object.keys(parameters)),
  );
  const values: Record<string, ParameterValue> = {};
  for (const [name, definition] of Object.entries(parameters)) {
    const value = given[name] ?? definition.default;
    const type = typeof definition.default;
    const { atLeast = -Infinity } = definition;
    if (!isValue(value) || typeof value !== type) {
      problems.push(`${name} is ${show(value)}: give a ${type}, ${definition.meaning}`);
    } else if (typeof value === "number" && !(value >= atLeast)) {
      problems.push(`${name} is ${value}: give at least ${atLeast}, ${definition.meaning}`);
    } else {
      values[name] = value;
    }
  }
  return new FaultParameters(values);
}

function unknownNames(what: string, names: string[], known: readonly string[]): string[] {
  const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
  return names
    .filter((name) => !known.includes(name))
    .map((name) => `there is no ${what} "${name}"${hint(name, known)}: ${there}`);
}

function hint(name: unknown, known: readonly string[]): string {
  const suggestion = typeof name === "string" ? suggest(name, known) : undefined;
  return suggestion === undefined ? "" : `, did you mean "${suggestion}"`;
}

function show(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isValue(value: unknown): value is ParameterValue {
  return ["number", "boolean", "string"].includes(typeof value);
}
