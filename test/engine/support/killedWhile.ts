import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { findLocks } from "../../../cli/fileBackend/findLocks";
import { mendBackend } from "../../../cli/fileBackend/mendBackend";
import { filesOfStack } from "../../../cli/fileBackend/stackFiles";
import {
  allEnd,
  type KilledEngines,
  killEngines,
  type Process,
} from "../../../scripts/killEngines";
import { eventually } from "../../emulator/support/eventually";
import type { EngineWorld } from "./engineWorld";

/** So long processes may take to see that their engine is gone, on a machine with other work. */
export const END_MS = 120_000;

/**
 * Runs the engine until a moment and kills it then; the stack is unlocked for the next run.
 *
 * @param run gets the world's ordinary stack: an engine that attaches leaves its plugins at work
 * @param end waits for the end of the plugins. Default: they have to end by themselves
 */
export async function killedWhile(
  run: (
    options: { onEvent: (event: EngineEvent) => void },
    ordinaryStack: Stack,
  ) => Promise<unknown>,
  isMoment: (event: EngineEvent) => boolean,
  world: Pick<EngineWorld, "ordinaryStack" | "record">,
  end = (plugins: readonly Process[]): Promise<void> =>
    eventually(async () => expect(await allEnd(plugins)).toBe(true), END_MS),
): Promise<void> {
  const stack = await world.ordinaryStack();
  let killed = undefined as KilledEngines | undefined;
  const kill = (event: EngineEvent) => {
    if (killed === undefined && isMoment(event)) {
      killed = killEngines();
    }
  };
  // Most of the time passes between events. The machines are in this process too: none of them
  // answers, and none gets on, between a moment and the end of the engine.
  const timer = setInterval(() => kill({ sequence: 0, timestamp: 0 }), 5);
  const onEvent = (event: EngineEvent) => {
    world.record.onEvent(event);
    kill(event);
  };
  const failure: unknown = await run({ onEvent }, stack).catch((error: unknown) => error);
  clearInterval(timer);
  if (killed === undefined) {
    const end = failure instanceof Error ? failure.message : "it succeeded";
    throw new Error(`the engine ended before the moment came: ${end}`, { cause: failure });
  }
  const { engines, plugins } = killed;
  expect(engines).not.toHaveLength(0);
  await end(plugins);
  // The lock of the killed engine, and what that may have left half written.
  await mendBackend(stack, {
    consentsToAll: true,
    say: () => undefined,
    confirm: () => Promise.resolve(true),
  });
  const files = await filesOfStack(stack);
  expect(files && (await findLocks(files))).toEqual([]);
}
