const notShown = "(not shown: it can hold secrets)";

/**
 * What a node wrote in a status or a reply, without the parts of machine configurations it quotes,
 * which can hold secrets (seen with Talos v1.12.1):
 * - the difference after `diff:` or `Config diff:`, which has secrets in clear;
 * - the values of keys it does not know;
 * - the value that a YAML decoding error gives between backquotes.
 */
export function redactServerMessage(message: string): string {
  return redactUnknownKeys(redactDiff(message)).replace(
    /(cannot unmarshal \S+ )`[^`]*`/g,
    `$1${notShown}`,
  );
}

function redactDiff(message: string): string {
  const heading = /^(.*\bdiff:)[ \t]*\n/im.exec(message);
  if (!heading?.[1]) return message;
  const end = heading.index + heading[0].length;
  const rest = message.slice(end).trim();
  if (rest === "" || /^no changes\.?$/i.test(rest)) return message;
  return `${message.slice(0, heading.index)}${heading[1]} ${notShown}`;
}

function redactUnknownKeys(message: string): string {
  const heading = "unknown keys found during decoding:";
  const start = message.indexOf(heading);
  if (start === -1) return message;
  const end = start + heading.length;
  const keys = [...message.slice(end).matchAll(/^[ \t]*(?:- )*([\w.-]+):/gm)].map(([, key]) => key);
  return `${message.slice(0, end)} ${keys.join(", ")}`;
}
