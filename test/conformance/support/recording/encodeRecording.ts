import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Recording, RecordedAnswer } from "./recording";

/** Shorter texts are written where they are. */
const minTextLength = 48;

type Line =
  | { readonly note: string; readonly oracles: string }
  | { readonly text: string }
  | { readonly input: string; readonly value: unknown }
  | RecordedAnswer;

/** The place of a long text in the list of them. */
interface TextReference {
  readonly $text: number;
}

const note =
  "Answers of Talos' own code. All keys and tokens in here were made for tests alone: no machine has them.";

/**
 * A recording as a compressed file of JSON lines. Each long text stands in it once, before the first
 * line that refers to it. The same recording always makes the same bytes, with the same zlib.
 */
export function encodeRecording(recording: Recording): Buffer {
  const lines: Line[] = [{ note, oracles: recording.oracles }];
  const texts = new Map<string, number>();
  const shared = (value: unknown): unknown =>
    mapTexts(value, (text) => {
      if (text.length < minTextLength) {
        return text;
      }
      const known = texts.get(text);
      if (known !== undefined) {
        return { $text: known };
      }
      lines.push({ text });
      texts.set(text, texts.size);
      return { $text: texts.size - 1 };
    });
  for (const [input, value] of recording.inputs) {
    const line = { input, value: shared(value) };
    lines.push(line);
  }
  for (const recorded of recording.answers) {
    const line = shared(recorded) as RecordedAnswer;
    lines.push(line);
  }
  const plain = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return brotliCompressSync(plain, {
    params: {
      // The highest, 11, takes sixteen times as long for 6 % less.
      [constants.BROTLI_PARAM_QUALITY]: 9,
      // Texts that are alike are far from each other.
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
}

/** What `encodeRecording` wrote. */
export function decodeRecording(file: Buffer): Recording {
  const texts: string[] = [];
  const inputs = new Map<string, unknown>();
  const answers: RecordedAnswer[] = [];
  let oracles = "";
  for (const text of brotliDecompressSync(file).toString("utf8").split("\n")) {
    if (text === "") {
      continue;
    }
    const line = JSON.parse(text) as Line;
    if ("text" in line) {
      texts.push(line.text);
    } else if ("oracles" in line) {
      oracles = line.oracles;
    } else if ("input" in line) {
      inputs.set(line.input, withTexts(line.value, texts));
    } else {
      answers.push(withTexts(line, texts) as RecordedAnswer);
    }
  }
  return { oracles, inputs, answers };
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === "string") {
    return change(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => mapTexts(item, change));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if ("$text" in value) {
    throw new Error("a recording can't hold a member with the name $text");
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, mapTexts(child, change)]),
  );
}

function withTexts(value: unknown, texts: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withTexts(item, texts));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isReference(value)) {
    return texts[value.$text];
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withTexts(child, texts)]),
  );
}

function isReference(value: object): value is TextReference {
  return "$text" in value;
}
