/** An element of an answer of AWS: its children by name, or its text. */
export interface XmlElement {
  readonly text: string;
  readonly children: readonly (readonly [name: string, element: XmlElement])[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
};

/** A tag with its attributes, or text between two tags. */
const PIECE = /<\?[^>]*\?>|<(\/?)([\w:.-]+)[^>]*?(\/?)>|([^<]+)/g;

/**
 * Reads the answer of one of AWS' query APIs. These have elements and texts, no comments and no sections of
 * characters. Attributes are left out.
 *
 * @returns an element with the outermost one as its child
 * @throws Error if a tag isn't closed
 */
export function readXml(xml: string): XmlElement {
  const root = { name: "", text: "", children: [] as [string, XmlElement][] };
  const open = [root];
  for (const [, closing, name, empty, text] of xml.matchAll(PIECE)) {
    const current = open.at(-1) ?? root;
    if (text !== undefined) {
      current.text += text.replace(/&(?:lt|gt|amp|quot|apos);/g, (each) => ENTITIES[each] ?? each);
    } else if (name !== undefined && closing === "/") {
      if (open.length === 1 || current.name !== name) {
        throw new Error(`the answer closes <${name}>, which isn't open`);
      }
      open.pop();
    } else if (name !== undefined) {
      const element = { name, text: "", children: [] };
      current.children.push([name, element]);
      if (empty !== "/") {
        open.push(element);
      }
    }
  }
  if (open.length > 1) {
    throw new Error(`the answer does not close <${open.at(-1)?.name ?? ""}>`);
  }
  return root;
}

export function elementAt(from: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let current: XmlElement | undefined = from;
  for (const name of path) {
    current = current?.children.find(([each]) => each === name)?.[1];
  }
  return current;
}

/** The text at a path. Undefined if there is none, or it is empty. */
export function textAt(from: XmlElement, ...path: readonly string[]): string | undefined {
  const text = elementAt(from, ...path)?.text.trim();
  return text === "" ? undefined : text;
}

/**
 * The members of a list at a path.
 *
 * @param member their name: `item` in EC2's answers, `member` in others
 */
export function listAt(from: XmlElement, path: readonly string[], member: string): XmlElement[] {
  const list = elementAt(from, ...path);
  return (list?.children ?? []).flatMap(([name, element]) => (name === member ? [element] : []));
}

export function timeAt(from: XmlElement, ...path: readonly string[]): Date | undefined {
  const text = textAt(from, ...path);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}
