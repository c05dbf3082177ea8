export { inBatches } from "./batches";
export { duringCall, engineCall, type EngineCall } from "./engineCall";
export { fileProblem } from "./fileProblem";
export { groupAlike } from "./groupAlike";
export { isMapping } from "./mapping";
export { messageOfError } from "./messageOfError";
export { packageFolder, packageVersion } from "./packageFolder";
export type { Progress } from "./progress";
export { isUnknown, UNKNOWN } from "./unknown";
