import { type EngineEvent, type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { EngineEvents, engineFailure } from "./engineFailure";
import { EngineOutput } from "./engineOutput";

interface OutputOptions {
  onOutput?: (text: string) => void;
  onEvent?: (event: EngineEvent) => void;
}

/**
 * A stack whose operations show the engine's output without repetitions, and fail with a message
 * that names each cause once. They return the same as those of `withoutReports`.
 *
 * @throws CommandFailure from an operation that fails, StackNotFoundError if the stack does not
 *   exist
 */
export function shownStack(stack: Stack): Stack {
  const quick = withoutReports(stack);
  const operations: Pick<Stack, "preview" | "up" | "refresh" | "destroy"> = {
    preview: (options) => show(options, (shown) => quick.preview(shown)),
    up: (options) => show(options, (shown) => quick.up(shown)),
    refresh: (options) => show(options, (shown) => quick.refresh(shown)),
    destroy: (options) => show(options, (shown) => quick.destroy(shown)),
  };
  return Object.assign(Object.create(stack) as Stack, operations);
}

/**
 * A stack whose operations return neither outputs nor a summary. Pulumi's SDK starts the engine
 * again to read these after an operation (v3.230.0, automation/stack.ts: three times after `up`).
 * That takes a second of processor time, and longer with a remote state.
 */
export function withoutReports(stack: Stack): Stack {
  const quick = Object.create(stack) as Stack;
  return Object.defineProperties(quick, {
    outputs: { value: () => Promise.resolve({}) },
    info: { value: () => Promise.resolve(undefined) },
  });
}

async function show<Options extends OutputOptions, Result>(
  options: Options | undefined,
  operate: (options: Options) => Promise<Result>,
): Promise<Result> {
  const { onOutput = () => undefined, onEvent } = options ?? {};
  const events = new EngineEvents();
  const output = new EngineOutput(onOutput);
  const shown = {
    ...options,
    onOutput: output.add,
    onEvent: (event: EngineEvent) => {
      events.add(event);
      onEvent?.(event);
    },
  } as Options;
  try {
    const result = await operate(shown);
    output.end({ hasFailed: false });
    return result;
  } catch (error) {
    output.end({ hasFailed: true });
    throw error instanceof StackNotFoundError ? error : engineFailure(error, events.all);
  }
}
