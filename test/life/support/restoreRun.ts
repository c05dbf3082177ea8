import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { planStackRepair } from "../../../cli/repair/repairStack";
import { restoreCluster } from "../../../cli/restore/restoreCluster";

type OnEvent = (event: EngineEvent) => void;

/**
 * Restores as `talos-aws restore <stack> --from <snapshot>` does, for a person who says yes.
 *
 * @param onEvent hears the events of the engine's `up` in it
 * @returns what it said
 */
export async function restoreRun(
  stack: Stack,
  snapshot: string,
  onEvent?: OnEvent,
): Promise<string> {
  const { apply } = await planStackRepair(stack);
  await apply({ color: "never", onOutput: () => undefined });
  const said: string[] = [];
  const done = await restoreCluster(
    onEvent === undefined ? stack : withEvents(stack, onEvent),
    { snapshot: { path: snapshot }, discardRunningEtcd: false, acceptOtherCluster: false },
    {
      note: (line) => said.push(`${line}\n`),
      say: (line) => said.push(`${line}\n`),
      write: (text) => said.push(text),
      color: false,
      confirm: () => Promise.resolve(true),
    },
    new AbortController().signal,
  );
  expect(done).toBe(true);
  return said.join("");
}

/** The same stack, of whose updates somebody hears. */
function withEvents(stack: Stack, onEvent: OnEvent): Stack {
  const heard = Object.create(stack) as Stack;
  heard.up = (options) => stack.up({ ...options, onEvent });
  return heard;
}
