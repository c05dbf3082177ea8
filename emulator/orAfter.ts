/**
 * A signal that aborts with another one, or with a `TimeoutError` after a time.
 *
 * `AbortSignal.any` with an `AbortSignal.timeout` may never abort: only the timer references the
 * latter, weakly, and Node.js 22.13 collects it (https://github.com/nodejs/node/issues/57736).
 */
export function orAfter(signal: AbortSignal, timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`it took more than ${timeoutMs / 1_000} s`, "TimeoutError"));
  }, timeoutMs);
  timer.unref();
  const either = AbortSignal.any([signal, controller.signal]);
  either.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return either;
}
