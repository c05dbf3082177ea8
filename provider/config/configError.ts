import { formatPath, type Path } from "./path";

/** A problem of a machine configuration. It never contains a secret. */
export interface ConfigProblem {
  /**
   * The place: `v1alpha1`, `HostnameConfig`, `KmsgLogConfig/remote`, `patches[1]`, `line 3`; may be
   * empty.
   */
  readonly document: string;
  /** The field: `machine.network.interfaces[0].addresses[1]`; empty for the whole document. */
  readonly path: string;
  /** The problem, the quoted value, what is allowed, what to do: a lower-case sentence. */
  readonly message: string;
}

/** An error about a machine configuration, a patch or an input, with all problems. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(describeProblem);
    super(
      lines.length === 1
        ? lines.join("")
        : `${lines.length} problems in the machine configuration:\n${lines.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

/** A problem as one line. */
export function describeProblem({ document, path, message }: ConfigProblem): string {
  return [document, path, message].filter((part) => part !== "").join(": ");
}

/** A problem of one property of an input. It never contains a secret value. */
export interface InputProblem {
  /** `endpoint`, `nodeTaints["x"]`, `userVolumes[1].name`. */
  readonly property: string;
  readonly reason: string;
}

/** @throws ConfigError with all problems of an input, if there are any */
export function refuse(problems: readonly InputProblem[]): void {
  if (problems.length > 0) {
    throw new ConfigError(
      problems.map(({ property, reason }) => ({ document: "", path: property, message: reason })),
    );
  }
}

/** A reason as the problem of a property; empty without a reason. */
export function inputProblems(path: Path, reason: string | undefined): InputProblem[] {
  return reason === undefined ? [] : [{ property: formatPath(path), reason }];
}
