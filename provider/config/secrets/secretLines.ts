import { aroundMarks, isReference, isSecretMark, isSwitch, type SecretMark } from "./secretMark";
import { isSecretName } from "./secretName";
import { holdsPrivateKey, replaceTokens } from "./secretShape";
import { redactUrl, URL_PATTERN } from "./secretUrl";

/** Certificates in PEM and nothing else. They are public, and random: a line can end like `password=`. */
const CERTIFICATES =
  /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----\s*)+$/;

/**
 * A text without parts that look like secrets, by its lines: see `redactText`. If the end of a secret
 * is unclear, the whole text is replaced. Every step reads each place of the text a limited number of
 * times, so a long text takes linear time.
 */
export function redactLines(text: string, mark: SecretMark): string {
  if (CERTIFICATES.test(text)) {
    return text;
  }
  if (holdsPrivateKey(text) || isSecretObject(text)) {
    return mark(text);
  }
  return aroundMarks(text, (plain) => {
    const lines = plain.split("\n");
    return holdsNamedPair(plain) || (lines.length > 1 && lines.some(hasLongSecret))
      ? mark(text)
      : lines.map((line) => redactLine(line, mark)).join("\n");
  });
}

/** A Kubernetes Secret in a text that may not be readable as YAML. */
function isSecretObject(text: string): boolean {
  return (
    /^[ \t]*(?:-[ \t]+)?["']?kind["']?[ \t]*:[ \t]*["']?Secret\b/m.test(text) ||
    /"kind"[ \t]*:[ \t]*"Secret"/.test(text)
  );
}

/**
 * The start of a named value: `name:`, `name =`, `"name":`, `--name=`, `name=>`. A flag may have its
 * value after a blank.
 */
const NAMED = /(?<![\w.-])([\w.-]+)(["'\]]{0,2}[ \t]*(?:=>|:=|[:=])[ \t]*|[ \t]+(?=[^\s\-:=]))/g;

/** Ends of a line after which a named value goes on: a block, a list, an open quote, a document. */
const GOES_ON = /^(?:[|>][-+0-9]{0,3}|<<-?\s{0,3}\S{1,50}|.*\\|)[ \t]*$/;

/** Whether a secret that a line names goes on in the next line. */
function hasLongSecret(line: string): boolean {
  const named = namedIn(line);
  let done = 0;
  for (const { end } of named) {
    if (end >= done && /["']/.test(line.charAt(end))) {
      const close = closingQuote(line, end);
      if (close === -1) {
        return true;
      }
      done = close;
    }
  }
  const last = named.at(-1);
  return last !== undefined && GOES_ON.test(line.slice(last.end).trimEnd());
}

/** A secret whose name and value are values of their own, in a text that can't be read as YAML. */
function holdsNamedPair(text: string): boolean {
  return (
    /\bvalue["']?[ \t]*[:=]/.test(text) &&
    [...text.matchAll(/\b(?:name|key)["']?[ \t]*[:=][ \t]*["']?([\w.-]{1,200})/g)].some(
      ([, name = ""]) => isSecretName(name),
    )
  );
}

interface Named {
  readonly name: string;
  /** Whether it is a flag, whose value ends at a blank. */
  readonly isFlag: boolean;
  /** Where the value begins. */
  readonly end: number;
}

/** The secret-sounding names of a line. */
function namedIn(line: string): readonly Named[] {
  return [...line.matchAll(NAMED)].flatMap(({ index, 0: whole, 1: name = "", 2: sign = "" }) => {
    const isFlag = name.startsWith("-");
    const known = isFlag ? name.replace(/^-+/, "") : name;
    // The part after the last slash of an image is no name.
    const isImage =
      sign === ":" && (line.charAt(index - 1) === "/" || isVersionAt(line, index + whole.length));
    const isNamed = isFlag || (/[:=]/.test(sign) && !isImage);
    return isNamed && (isSecretName(known) || isCredentialFlag(name))
      ? [{ name: known, isFlag, end: index + whole.length }]
      : [];
  });
}

/** Whether a version follows, as after the name of an image. */
function isVersionAt(line: string, start: number): boolean {
  return /^v?\d{1,6}\.\d{1,6}(?:[.\w-]{0,60})(?![\w.-])/.test(line.slice(start, start + 80));
}

/** Flags that take a name and a password: of curl, and of `kubectl create secret`. */
function isCredentialFlag(name: string): boolean {
  return ["-u", "--user", "--proxy-user", "--from-literal"].includes(name);
}

function redactLine(line: string, mark: SecretMark): string {
  // A line without a sign has neither a named value nor a URL.
  const named = /[:=]|(?:^|\s)-/.test(line) ? redactNamed(redactUrls(line, mark), mark) : line;
  return replaceTokens(redactSchemes(named, mark), mark);
}

function redactUrls(line: string, mark: SecretMark): string {
  return aroundMarks(
    line.replace(URL_PATTERN, (url) => redactUrl(url, mark)),
    (rest) =>
      // Without a scheme: `user:password@host`, but no image with a digest.
      rest.replace(
        /(?<![\w.+-])([\w.+-]+):([^\s@/:"']+)@(?!sha\d{3}:)/g,
        (whole, user: string, password: string) =>
          isSecretMark(password) ? whole : `${mark(`${user}:${password}`)}@`,
      ),
  );
}

function redactNamed(text: string, mark: SecretMark): string {
  return aroundMarks(text, (line) => {
    const parts: string[] = [];
    let done = 0;
    for (const { name, isFlag, end } of namedIn(line)) {
      if (end < done || line.charAt(end) === "\uE000") {
        // It is inside a value that is hidden already, or has a mark.
        continue;
      }
      const stop = endOfValue(line, end, isFlag);
      const value = line.slice(end, stop);
      const isLogin = !isSecretName(name);
      if (isShown(value) || (isLogin && !/[:=]/.test(value))) {
        continue;
      }
      parts.push(line.slice(done, end), mark(value));
      done = stop;
    }
    return [...parts, line.slice(done)].join("");
  });
}

/** Whether a value with a secret-sounding name can be shown. */
export function isShown(value: string): boolean {
  if (value.length > LONGEST_SHOWN) {
    return false;
  }
  const text = value.trim().replace(/[,;)}\]]{1,5}$/, "");
  return (
    text === "" ||
    isSwitch(text) ||
    isReference(text) ||
    isSecretMark(text) ||
    /^["']?\/[\w./-]+["']?$/.test(text)
  );
}

const LONGEST_SHOWN = 300;

/** Where a value ends: with its quote, before another assignment, or with the line. */
function endOfValue(line: string, start: number, isFlag: boolean): number {
  if (/["']/.test(line.charAt(start))) {
    const end = closingQuote(line, start);
    return end === -1 ? line.length : end + 1;
  }
  const pattern = isFlag ? /\s/g : /\s(?=-{0,2}\w[\w.-]*=)/g;
  pattern.lastIndex = start;
  return pattern.exec(line)?.index ?? line.length;
}

/** The place of the quote that closes the one at `start`; -1 for none. */
function closingQuote(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let index = start + 1; index < line.length; index++) {
    const letter = line.charAt(index);
    if (letter === "\\" && quote === '"') {
      index++;
    } else if (letter === quote) {
      return index;
    }
  }
  return -1;
}

/** Credentials after the name of a scheme, as in the header `Authorization`. */
function redactSchemes(line: string, mark: SecretMark): string {
  return line
    .replace(/\bBearer[ \t]+([\w.~+/=-]{4,})/gi, (whole, token: string) =>
      isPlainWord(token) ? whole : whole.replace(token, mark(token)),
    )
    .replace(
      /\b(?:Basic|Token|ApiKey|Digest|Negotiate)[ \t]+([\w.~+/=-]{8,})/gi,
      (whole, token: string) => (/\d|=$/.test(token) ? whole.replace(token, mark(token)) : whole),
    );
}

/** As in "Bearer token": what it says of the scheme. */
function isPlainWord(word: string): boolean {
  return /^(?:tokens?|auth|authentication|authorization|scheme|realm)[.,]?$/i.test(word);
}
