/**
 * Lets the engine's SDK take no stack traces while resources register, until the returned function is
 * called.
 *
 * The SDK makes four promises for each property of a resource, and takes a stack trace for each, which
 * it shows only to people who look for promises that never end (`PULUMI_DEBUG_PROMISE_LEAKS`; pulumi
 * v3.230.0, sdk/nodejs/runtime/debuggable.ts). In a program that the engine runs, with source maps,
 * that is half of the program's time. The positions in the source that the engine records are not of
 * these. An error that is thrown meanwhile has its message and no trace, unless that variable is set.
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
