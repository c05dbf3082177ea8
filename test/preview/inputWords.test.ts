import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { renderMarkdown, renderText, summarize } from "../../preview";
import { inputWords } from "../../preview/inputWords";
import { apply, configured, event, instance, type Step } from "./steps";

const resources = join(__dirname, "../../provider/resources");

/** The inputs that handlers compute, by kind, as their sources name them. */
function computedInputs(): readonly (readonly [kind: string, input: string])[] {
  const files = readdirSync(resources, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(resources, file), "utf8");
      const [, list] = /^ {2}computed: \[([^\]]*)\]/m.exec(text) ?? [];
      const name = basename(file).replace(/(Handler)?\.ts$/, "");
      const kind = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return [...(list ?? "").matchAll(/"(\w+)"/g)].map(([, input = ""]) => [kind, input] as const);
    });
}

const computed = computedInputs();

it("finds the inputs that Talos resources compute", () => {
  expect(computed).toContainEqual(["ConfigurationApply", "redactedConfiguration"]);
  expect(new Set(computed.map(([kind]) => kind)).size).toBeGreaterThanOrEqual(4);
});

it.each(computed)("has words for what a program doesn't give: %s.%s", (kind, input) => {
  expect(inputWords(kind, input)).toMatch(/ /);
});

it("calls all others as the program does", () => {
  expect(inputWords("Instance", "instanceType")).toBe("instanceType");
  expect(inputWords("ConfigurationApply", "node")).toBe("node");
});

describe("a report", () => {
  const live: Step = {
    op: "update",
    type: apply,
    name: "m-2",
    diffs: ["redactedConfiguration"],
    old: configured({}),
    new: configured({ sysctls: { a: "1" } }),
  };
  const summary = summarize({
    stack: "staging",
    events: [
      event(live),
      {
        sequence: 1,
        timestamp: 0,
        summaryEvent: {
          maybeCorrupt: false,
          durationSeconds: 1,
          policyPacks: {},
          resourceChanges: { update: 1, same: 12 },
        },
      },
    ],
  });

  it("gives reasons in the reader's words, and programs the names of inputs", () => {
    expect(renderText(summary)).toContain("~ ConfigurationApply m-2 (the machine's configuration)");
    expect(renderMarkdown(summary)).toContain("| the machine's configuration |");
    expect(summary.groups[0]?.resources[0]?.because).toEqual(["redactedConfiguration"]);
  });

  it("names no outputs that follow from a reason", () => {
    const resized: Step = {
      op: "update",
      type: instance,
      name: "m-1",
      diffs: ["instanceType", "publicIp"],
      old: { instanceType: "t3.large" },
      new: { instanceType: "t3.xlarge" },
    };
    const { groups } = summarize({ stack: "staging", events: [event(resized)] });
    expect(groups[0]?.resources[0]?.because).toEqual(["instanceType"]);
  });

  it("has Pulumi's counts beside its own where they differ", () => {
    expect(renderText(summary)).toMatch(/^staging: 1 to change\n/);
    const created = { ...summary.counts, create: 10, update: 0 };
    const counted = { ...summary, counts: created, pulumiCounts: { ...created, create: 13 } };
    expect(renderText(counted)).toMatch(/^staging: 10 to create \(13 with components\)\n/);
    expect(renderMarkdown(counted)).toContain("### staging: 10 to create (13 with components)\n");
  });
});
