import { comparableOutlines, type ConfigDocument } from "../provider/config";
import { type ChangedLine, lineDiff } from "./lineDiff";
import { documentAt, type PreviewedResource, type Properties } from "./previewedResource";

/** A resource whose inputs have the outline of a configuration. */
type Outlined = Pick<PreviewedResource, "oldInputs" | "newInputs">;

/** The outline of a configuration in a resource's inputs; undefined while it isn't known. */
export function outlineOf(inputs: Properties): ConfigDocument | undefined {
  return documentAt(inputs, "redactedConfiguration") as ConfigDocument | undefined;
}

/** The outlines before and after; empty ones where they aren't known. */
export function outlinesOf({ oldInputs, newInputs }: Outlined): [ConfigDocument, ConfigDocument] {
  return [outlineOf(oldInputs) ?? {}, outlineOf(newInputs) ?? {}];
}

/** The differences between the outlines before and after, as `lineDiff`. */
export function outlineDiff(resource: Outlined): readonly ChangedLine[] {
  return lineDiff(...comparableOutlines(...outlinesOf(resource)));
}
