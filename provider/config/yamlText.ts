import { parse } from "yaml";

/** How a literal block begins that says nothing of its indentation, and what becomes of its end. */
const literalHeader = /^\|(-?)\n/;

/**
 * The text that a YAML document is, if it is nothing else. A literal block as Talos writes it for a
 * text of many lines is read directly: parsing it takes longer than the call that brought it.
 */
export function readYamlText(yaml: string): string {
  return readLiteralBlock(yaml) ?? String(parse(yaml));
}

/** Undefined for what only a parser can be trusted with. */
function readLiteralBlock(yaml: string): string | undefined {
  const [header, strips] = literalHeader.exec(yaml) ?? [];
  if (header === undefined) {
    return undefined;
  }
  const body = yaml.slice(header.length);
  const [indent] = /^ +(?=\S)/.exec(body) ?? [];
  const isPlain =
    indent !== undefined &&
    !/[^\t\n\x20-\x7e\xa0-\ud7ff]/.test(body) &&
    body.endsWith("\n") &&
    !/\s\n$/.test(body);
  if (!isPlain) {
    return undefined;
  }
  const lines = body.slice(0, -1).split("\n");
  if (!lines.every((line) => line === "" || line.startsWith(indent))) {
    return undefined;
  }
  const text = lines.map((line) => line.slice(indent.length)).join("\n");
  return strips === "-" ? text : `${text}\n`;
}
