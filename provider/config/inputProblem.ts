import { formatPath, type Path } from "./path";

/** A problem of one property of an input. It never contains a secret value. */
export interface InputProblem {
  /** `endpoint`, `nodeTaints["x"]`, `userVolumes[1].name`. */
  readonly property: string;
  readonly reason: string;
}

/** A reason as the problem of a property; empty without a reason. */
export function inputProblems(path: Path, reason: string | undefined): InputProblem[] {
  return reason === undefined ? [] : [{ property: formatPath(path), reason }];
}
