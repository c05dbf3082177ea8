import { printable, printableError, printableValue } from "../../../provider/base/printable";
import { parseAnswer } from "../../../provider/kubernetes/parseAnswer";

/** What terminals were seen to obey: colours, titles, links, rewritten lines, deleted text, reversed text. */
const orders = [
  ..."\u001b[31m|\u001b]0;title\u0007|\u001b]8;;https://example.com\u0007".split("|"),
  ..."all well\r|\b\b\b|\u009b2J|\u007f|\u0000|\u202egnp.exe|\u2066".split("|"),
];

describe("a printable text", () => {
  it.each(orders)("of %j has nothing that a terminal obeys", (order) => {
    expect(printable(`etcd ${order} is up`)).not.toContain(order);
    expect(printable(order)).toMatch(/^[\x20-\x7e]+$/);
  });

  it("is the text itself where nothing is obeyed", () => {
    const plain = "Ünïcode 漢字 \t tab\nsecond line";
    expect(printable(plain)).toBe(plain);
  });

  it("has no character of control but tabs and ends of lines", () => {
    const all = String.fromCodePoint(...Array.from({ length: 0x3000 }, (_, code) => code));
    expect(printable(all).match(/\p{Cc}/gu)).toEqual(["\t", "\n"]);
  });
});

describe("a printable value", () => {
  it("has printable keys and texts at any depth, and bytes, numbers and kept texts as they are", () => {
    const bytes = Buffer.from([27, 91]);
    const value = { a: ["\u001b[2J", 1, null], "b\r": { bytes, spec: "\u001b", c: undefined } };
    expect(printableValue(value, "spec")).toEqual({
      a: ["\\u001b[2J", 1, null],
      "b\\u000d": { bytes, spec: "\u001b" },
    });
  });

  it("is what people see of an API server's answer", () => {
    expect(parseAnswer(JSON.stringify({ name: "\u001b[1mnode" }))).toEqual({
      name: "\\u001b[1mnode",
    });
  });
});

it("leaves an error what it is", () => {
  const error = new TypeError("\u0007 ring");
  expect(printableError(error)).toBe(error);
  expect(error.message).toBe("\\u0007 ring");
});
