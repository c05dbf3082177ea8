import { parse } from "yaml";

/** The header of a literal block without an indentation indicator, with its chomping indicator. */
const LITERAL_HEADER = /^\|(-?)\n/;

/**
 * The text of a YAML document that consists of nothing else. Talos writes a multi-line text as a
 * literal block, which is read directly: parsing it takes longer than the call.
 */
export function readYamlText(yaml: string): string {
  return readLiteralBlock(yaml) ?? String(parse(yaml));
}

/** Undefined for texts that need a parser. */
function readLiteralBlock(yaml: string): string | undefined {
  const [header, strips] = LITERAL_HEADER.exec(yaml) ?? [];
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
