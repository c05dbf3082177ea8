import { StringDecoder } from "node:string_decoder";

/** Joins lines from the chunks of a log. A chunk may end inside a character. */
export function createLineReader(): (message: { readonly bytes: Buffer } | undefined) => string[] {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (message) => {
    const text = rest + (message ? decoder.write(message.bytes) : decoder.end());
    const lines = text.split(/\r?\n/);
    rest = message ? (lines.pop() ?? "") : "";
    // After the last newline, an empty string remains.
    return message || lines.at(-1) !== "" ? lines : lines.slice(0, -1);
  };
}
