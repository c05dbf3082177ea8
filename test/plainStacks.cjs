/**
 * Preloaded into processes that run programs (`node --require`): leaves stacks unmapped that nobody reads.
 *
 * Pulumi's SDK reads an error's stack at each promise that it makes, for a report that only
 * `PULUMI_DEBUG_PROMISE_LEAKS` prints. vitest, and Pulumi's runner of programs, would find the source of
 * each frame: a sixth of their time. Stacks of other errors stay as they are.
 *
 * Sources: @pulumi/pulumi v3.230.0, runtime/debuggable.js and cmd/run/index.js; vite-node v3.2.4,
 * source-map.mjs; https://v8.dev/docs/stack-trace-api.
 */
const unread = /[\\/]runtime[\\/]debuggable\.js$/;

let mapStack = Error.prepareStackTrace;

function prepareStack(error, frames) {
  return unread.test(frames[0]?.getFileName() ?? "") ? String(error) : mapStack(error, frames);
}

Object.defineProperty(Error, "prepareStackTrace", {
  configurable: true,
  get: () => (mapStack === undefined ? undefined : prepareStack),
  set: (value) => {
    mapStack = value === prepareStack ? mapStack : value;
  },
});
