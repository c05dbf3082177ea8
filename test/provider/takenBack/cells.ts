import type { HandlerName } from "../../../provider/engine/dynamicStub";

/** Where an update can fail that changes machines in steps. */
export const FAILURE_POINTS = [
  "before the first change",
  "after the first change",
  "between parts",
  "at the last wait",
] as const;

/** One of these. */
export type FailurePoint = (typeof FAILURE_POINTS)[number];

/** Fails an update at a point, takes it back by an ordinary `up`, and asserts that all is as before. */
export type Cell = () => Promise<void>;

/** Each failure point of a resource, or why the way back asks for nothing there. */
export type Cells = Readonly<Record<FailurePoint, Cell | string>>;

/** Every resource with its failure points, or why an update of it leaves no machine changed. */
export type Table = Readonly<Record<HandlerName, Cells | string>>;
