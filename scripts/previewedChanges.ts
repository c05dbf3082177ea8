import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";

const STACK = "pulumi:pulumi:Stack";

/** The events of a preview, as far as they say whether an update would change anything. */
export class PreviewedChanges {
  private hasChanges = false;
  /** Unknown until the program ends. */
  private hasOtherOutputs: boolean | undefined;

  readonly add = ({ resourcePreEvent, resOutputsEvent }: EngineEvent): void => {
    if (resourcePreEvent !== undefined) {
      this.hasChanges ||= isChange(resourcePreEvent.metadata);
    }
    if (resOutputsEvent?.metadata.type === STACK) {
      const { old, new: next } = resOutputsEvent.metadata;
      this.hasOtherOutputs = !isDeepStrictEqual(old?.outputs, next?.outputs);
    }
  };

  /**
   * Whether an update would leave the state as it is: every resource, what is recorded with it, and the
   * stack's outputs.
   */
  get isNothing(): boolean {
    return !this.hasChanges && this.hasOtherOutputs === false;
  }
}

function isChange({ op, type, old, new: next }: StepEventMetadata): boolean {
  return op !== "same" || (type !== STACK && !isDeepStrictEqual(recorded(old), recorded(next)));
}

/** What an update records of a resource that it doesn't change. */
function recorded(state: StepEventMetadata["old"]): unknown {
  const { inputs, parent, protect = false, provider, retainOnDelete = false } = state ?? {};
  return { inputs, parent, protect, provider, retainOnDelete };
}
