const NOT_SHOWN = "(not shown: it can contain secrets)";

/**
 * A node's text in a status or a reply, without quoted parts of machine configurations, which can
 * contain secrets (seen with Talos v1.12.1):
 * - the difference after `diff:` or `Config diff:`, which has secrets in clear;
 * - the values of unknown keys;
 * - the value between backquotes in a YAML decoding error.
 */
export function redactServerMessage(message: string): string {
  return redactUnknownKeys(redactDiff(message)).replace(
    /(cannot unmarshal \S+ )`[^`]*`/g,
    `$1${NOT_SHOWN}`,
  );
}

function redactDiff(message: string): string {
  const heading = /^(.*\bdiff:)[ \t]*\n/im.exec(message);
  if (!heading?.[1]) {
    return message;
  }
  const end = heading.index + heading[0].length;
  const rest = message.slice(end).trim();
  if (rest === "" || /^no changes\.?$/i.test(rest)) {
    return message;
  }
  return `${message.slice(0, heading.index)}${heading[1]} ${NOT_SHOWN}`;
}

function redactUnknownKeys(message: string): string {
  const heading = "unknown keys found during decoding:";
  const start = message.indexOf(heading);
  if (start === -1) {
    return message;
  }
  const end = start + heading.length;
  const keys = [...message.slice(end).matchAll(/^[ \t]*(?:- )*([\w.-]+):/gm)].map(([, key]) => key);
  return `${message.slice(0, end)} ${keys.join(", ")}`;
}
