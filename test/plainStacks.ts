/**
 * Pulumi's SDK reads an error's stack at each promise that it makes, for a report that only
 * `PULUMI_DEBUG_PROMISE_LEAKS` prints. vitest would find the TypeScript of each frame: a fifth of the
 * time of a test that runs the engine. Stacks of other errors stay as they are.
 *
 * Source: @pulumi/pulumi v3.230.0, runtime/debuggable.js; vite-node v3.2.4, source-map.mjs.
 */
const mapStack = Error.prepareStackTrace;

if (mapStack !== undefined && mapStack.name !== "mapUnlessUnread") {
  Error.prepareStackTrace = function mapUnlessUnread(error, frames) {
    const isUnread = frames[0]?.getFileName()?.endsWith("/runtime/debuggable.js") === true;
    return isUnread ? String(error) : (mapStack(error, frames) as unknown);
  };
}
