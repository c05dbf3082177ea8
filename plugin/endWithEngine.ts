import { connect } from "node:http2";

/**
 * Ends this process when the engine at an address does, also one that was killed. Otherwise the
 * plugin would continue to change machines beside the next run. It holds an idle connection to the
 * engine, because its standard input is not always the engine's: a language host can be between.
 *
 * @param address such as `127.0.0.1:41234`
 */
export function endWithEngine(address: string, end: () => void = () => process.exit(1)): void {
  connect(`http://${address}`)
    // An engine that can't be reached is gone: "close" follows.
    .on("error", () => undefined)
    .on("close", end);
}
