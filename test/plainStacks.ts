/** How V8 lets a stack be written, see https://v8.dev/docs/stack-trace-api. */
interface Stacks {
  prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) & {
    readonly leavesUnread?: true;
  };
}

/**
 * Pulumi's SDK reads an error's stack at each promise that it makes, for a report that only
 * `PULUMI_DEBUG_PROMISE_LEAKS` prints. vitest would find the TypeScript of each frame: a sixth of the
 * time of a test that runs the engine. Stacks of other errors stay as they are.
 *
 * Source: @pulumi/pulumi v3.230.0, runtime/debuggable.js; vite-node v3.2.4, source-map.mjs.
 */
const stacks: Stacks = Error;
const mapStack = stacks.prepareStackTrace;

// This runs before each file, in a process that files share.
if (mapStack !== undefined && mapStack.leavesUnread !== true) {
  stacks.prepareStackTrace = Object.assign(
    (error: Error, frames: NodeJS.CallSite[]) => {
      const isUnread = frames[0]?.getFileName()?.endsWith("/runtime/debuggable.js") === true;
      return isUnread ? String(error) : mapStack(error, frames);
    },
    { leavesUnread: true as const },
  );
}
