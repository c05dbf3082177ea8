/** A node of a session by its letter, and every address it has. */
export type SessionNodes = Readonly<Record<string, readonly string[]>>;

/** What differs from run to run, and what stands for it. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[ \t]+/g, " "],
  [/ +$/gm, ""],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000 UTC)?/g, "<time>"],
  [/\b(\d+[hms])+ ago\b/g, "<ago>"],
  [/\bPID \d+/g, "PID <pid>"],
  [/\b[0-9a-f]{16}\b/g, "<id>"],
  [/\b[0-9A-Za-z_-]{42,44}=?(?=\s|$)/gm, "<key>"],
  [/^ (SHA|Go version|Built): .*$/gm, " $1: <build>"],
  // It prints this until it has an answer, which may come before.
  [/^.*: waiting for actor ID\n/gm, ""],
];

/**
 * Output of talosctl without what differs from run to run: column widths, addresses, ids, times, and the release that the
 * machines run.
 */
export function normalise(output: string, nodes: SessionNodes, talos: string): string {
  const named = Object.entries(nodes).reduce(
    (text, [letter, addresses]) =>
      addresses.reduce((rest, address) => replaceAddress(rest, address, `<${letter}>`), text),
    output,
  );
  const released = named.replaceAll(talos, "<talos>");
  return replacements.reduce((text, [pattern, name]) => text.replace(pattern, name), released);
}

function replaceAddress(text: string, address: string, name: string): string {
  const escaped = address.replaceAll(".", "\\.");
  return text.replace(new RegExp(`(?<![\\d.])${escaped}(?!\\d)`, "g"), name);
}
