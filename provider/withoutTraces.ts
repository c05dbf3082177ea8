/**
 * Registers resources while the engine's SDK takes no stack traces.
 *
 * The SDK makes four promises for each property of a resource, and takes a stack trace for each, which
 * it shows only to people who look for promises that never end (`PULUMI_DEBUG_PROMISE_LEAKS`; pulumi
 * v3.230.0, sdk/nodejs/runtime/debuggable.ts). In a program that the engine runs, with source maps,
 * that is half of the program's time. The positions in the source that the engine records are not of
 * these. An error that is thrown meanwhile has its message and no trace.
 */
export function withoutTraces<Value>(register: () => Value): Value {
  const restore = omitTraces();
  try {
    return register();
  } finally {
    restore();
  }
}

/**
 * The same for a constructor, which must call its parent's itself: no traces are taken until it calls
 * the returned function.
 */
export function omitTraces(): () => void {
  const { stackTraceLimit } = Error;
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) {
    Error.stackTraceLimit = 0;
  }
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}
