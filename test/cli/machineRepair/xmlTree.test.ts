import { listAt, readXml, textAt, timeAt } from "../../../cli/machineRepair/xmlTree";

const answer = `<?xml version="1.0" encoding="UTF-8"?>
<Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
  <set>
    <item><id>i-1</id><note>a &lt;b&gt; &amp; c</note><at>2026-11-27T12:00:00.000Z</at></item>
    <item><id/></item>
  </set>
  <empty/>
</Response>`;

describe("an answer of AWS", () => {
  it("is read as its elements", () => {
    const items = listAt(readXml(answer), ["Response", "set"], "item");
    expect(items.map((item) => textAt(item, "id"))).toEqual(["i-1", undefined]);
    const [item] = items;
    expect(item && textAt(item, "note")).toBe("a <b> & c");
    expect(item && timeAt(item, "at")).toEqual(new Date("2026-11-27T12:00:00.000Z"));
    expect(item && timeAt(item, "note")).toBeUndefined();
    expect(listAt(readXml(answer), ["Response", "empty"], "item")).toEqual([]);
    expect(listAt(readXml(answer), ["Response", "none", "such"], "item")).toEqual([]);
  });

  it.each(["<a><b></a>", "<a>", "</a>"])("is refused if it is cut off: %s", (text) => {
    expect(() => readXml(text)).toThrow("the answer");
  });
});
