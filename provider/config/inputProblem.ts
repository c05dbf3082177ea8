import { formatPath, type Path } from "./path";

/** What is wrong with one property of an input. Never holds a secret's value. */
export interface InputProblem {
  /** `endpoint`, `nodeTaints["x"]`, `userVolumes[1].name`. */
  readonly property: string;
  readonly reason: string;
}

/** A reason as the problem of a property; none when there is no reason. */
export function inputProblems(path: Path, reason: string | undefined): InputProblem[] {
  return reason === undefined ? [] : [{ property: formatPath(path), reason }];
}
