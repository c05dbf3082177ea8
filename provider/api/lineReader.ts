import { StringDecoder } from "node:string_decoder";

/** Puts lines together from the pieces in which a log arrives; a piece may end inside a character. */
export function createLineReader(): (message: { readonly bytes: Buffer } | undefined) => string[] {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (message) => {
    const text = rest + (message ? decoder.write(message.bytes) : decoder.end());
    const lines = text.split(/\r?\n/);
    rest = message ? (lines.pop() ?? "") : "";
    // At the end, what a newline closed leaves an empty piece behind.
    return message || lines.at(-1) !== "" ? lines : lines.slice(0, -1);
  };
}
