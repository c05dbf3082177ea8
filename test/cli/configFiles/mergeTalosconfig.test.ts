import fc from "fast-check";
import { parse, stringify } from "yaml";
import { mergeTalosconfig } from "../../../cli/configFiles/mergeTalosconfig";
import { removeTalosconfig } from "../../../cli/configFiles/removeTalosconfig";
import { renderTalosconfig } from "../../../provider/pki/renderTalosconfig";

const talosconfigOf = (ca: string, key = "a2V5", endpoints = ["10.0.0.1", "10.0.0.2"]) =>
  renderTalosconfig({
    clusterName: "prod",
    endpoints,
    nodes: endpoints,
    credentials: { ca, crt: "Y3J0", key },
  });

const own = talosconfigOf("b3Vycw==");

interface Talosconfig {
  [field: string]: unknown;
  context?: string;
  contexts?: Record<string, Record<string, unknown>> | null;
}

const read = (text: string) => parse(text) as Talosconfig;

function meaning(text: string) {
  const config = (parse(text) ?? {}) as Talosconfig;
  return { ...config, context: config.context ?? "", contexts: config.contexts ?? {} };
}

const name = fc.oneof(
  fc.constantFrom("prod", "prod-1", "prod-2", "on", "12", "null", "ü: y"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((each) => each !== "__proto__"),
);
const theirs = fc
  .record(
    {
      context: name,
      contexts: fc.option(
        fc.dictionary(
          name,
          fc.record({ endpoints: fc.array(name), ca: fc.constant("dGhlaXJz"), key: name }),
          { maxKeys: 5, noNullPrototype: true },
        ),
      ),
    },
    { requiredKeys: [] },
  )
  .chain((config) => fc.constantFrom(stringify(config, { indent: 4 }), JSON.stringify(config)));

describe("mergeTalosconfig", () => {
  it("creates a new file in the form of this package and talosctl", () => {
    expect(mergeTalosconfig("", own)).toEqual({
      text: own,
      contextName: "prod",
      isCurrent: true,
    });
  });

  it("keeps other clusters' contexts, merges idempotently, and is removed again", () => {
    fc.assert(
      fc.property(theirs, fc.boolean(), (before, setCurrent) => {
        const merged = mergeTalosconfig(before, own, { setCurrent });
        const [was, is] = [meaning(before), meaning(merged.text)];
        const { [merged.contextName]: ours, ...others } = is.contexts;
        expect(others).toEqual(was.contexts);
        expect(ours).toEqual(read(own).contexts?.prod);
        const wanted = setCurrent || was.context === "" ? merged.contextName : was.context;
        expect(is.context).toBe(wanted);
        expect(mergeTalosconfig(merged.text, own, { setCurrent }).text).toBe(merged.text);

        const removed = removeTalosconfig(merged.text, own);
        expect(removed.contextNames).toEqual([merged.contextName]);
        expect(meaning(removed.text)).toEqual({
          ...was,
          context: removed.wasCurrent ? "" : was.context,
        });
      }),
      { numRuns: 150 },
    );
  });

  const file = `context: home # the one I use
contexts:
    # at home
    home:
        endpoints:
            - 192.168.0.2
        ca: aG9tZQ==
        crt: Y3J0
        key: a2V5
`;

  it("keeps text, comments and order, and removal restores the exact text", () => {
    const { text } = mergeTalosconfig(file, own);
    expect(text.startsWith(file)).toBe(true);
    expect(removeTalosconfig(text, own).text).toBe(file);
  });

  it("updates its own context", () => {
    const before = mergeTalosconfig(file, own, { setCurrent: true }).text;
    const later = talosconfigOf("b3Vycw==", "bmV3", ["10.0.0.3"]);
    const { text } = mergeTalosconfig(before, later);
    expect(read(text).contexts?.prod).toEqual(read(later).contexts?.prod);
    expect(Object.keys(read(text).contexts ?? {})).toEqual(["home", "prod"]);
    expect(read(text).context).toBe("prod");
  });

  it("adds a number if another cluster has the name, as talosctl does, and keeps it", () => {
    const other = talosconfigOf("dGhlaXJz");
    const merged = mergeTalosconfig(other, own);
    expect(merged).toMatchObject({ contextName: "prod-1", renamedFrom: "prod", isCurrent: false });
    const alone = removeTalosconfig(merged.text, other).text;
    expect(Object.keys(read(alone).contexts ?? {})).toEqual(["prod-1"]);
    expect(mergeTalosconfig(alone, own).contextName).toBe("prod-1");
  });

  it("gives the context the requested name, unless another cluster has it", () => {
    const { text } = mergeTalosconfig(file, own, { contextName: "p" });
    expect(Object.keys(read(text).contexts ?? {})).toEqual(["home", "p"]);
    expect(removeTalosconfig(text, own).contextNames).toEqual([]);
    expect(removeTalosconfig(text, own, { contextName: "p" }).text).toBe(file);
    expect(() => mergeTalosconfig(file, own, { contextName: "home" })).toThrow(
      'it has a context "home" of another cluster: choose another name with --context',
    );
  });

  it("reports that no context is current after it removed the current one", () => {
    const { text, wasCurrent } = removeTalosconfig(own, own);
    expect([text, wasCurrent]).toEqual(['context: ""\ncontexts: {}\n', true]);
  });

  it("rejects contexts that are not a mapping", () => {
    expect(() => mergeTalosconfig("contexts: [a]\n", own)).toThrow(
      'its "contexts" is not a mapping',
    );
  });
});
