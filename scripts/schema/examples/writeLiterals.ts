/** How a language writes a list or a mapping over several lines. */
export interface Brackets {
  readonly open: string;
  readonly close: string;
}

const INDENT = "    ";

/** Parts between brackets, one a line. Lines inside a part are indented too. */
export function block(
  { open, close }: Brackets,
  parts: readonly string[],
  indent: string = INDENT,
): string {
  const lines = parts.map((part) => `${part},`.replaceAll(/^/gm, indent));
  return parts.length === 0 ? `${open}${close}` : [open, ...lines, close].join("\n");
}
