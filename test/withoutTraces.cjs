/**
 * Preloaded into processes that run programs (`node --require`): leaves out what nobody reads.
 *
 * Pulumi's SDK has V8 write an error's stack at each promise that it makes, for a report that only
 * `PULUMI_DEBUG_PROMISE_LEAKS` prints, and vitest, as Pulumi's runner of programs, looks up the source of
 * each frame: a fifth of their time. Stacks of other errors stay as they are.
 *
 * It also reads the whole stack at each resource, for the positions that it records of it: another tenth.
 *
 * And it tells the engine in words of each step of each resource, which only `pulumi up --debug` prints:
 * half of all its calls, one after another, and a program ends only with the last of them.
 *
 * Source: @pulumi/pulumi v3.230.0, runtime/debuggable.js, resource.js and log/index.js.
 */
const Module = require("node:module");

const debuggable = /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]debuggable\.js$/;
const resource = /[\\/]@pulumi[\\/]pulumi[\\/]resource\.js$/;
const log = /[\\/]@pulumi[\\/]pulumi[\\/]log[\\/]index\.js$/;
const { ".js": load } = Module._extensions;

Module._extensions[".js"] = (module, file) => {
  load(module, file);
  if (resource.test(file)) {
    module.exports.Resource.callsites = () => [];
  }
  if (log.test(file)) {
    module.exports.debug = () => Promise.resolve();
  }
  if (debuggable.test(file)) {
    const { debuggablePromise } = module.exports;
    module.exports.debuggablePromise = (...given) => {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 0;
      try {
        return debuggablePromise(...given);
      } finally {
        Error.stackTraceLimit = stackTraceLimit;
      }
    };
  }
};
