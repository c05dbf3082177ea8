import type { EngineEvent } from "@pulumi/pulumi/automation";
import { renderMarkdown, summarize } from "../../preview";

const said = (severity: "info" | "warning", message: string): EngineEvent => ({
  sequence: 0,
  timestamp: 0,
  diagnosticEvent: { severity, message: `<{%reset%}>${message}<{%reset%}>\n`, color: "always" },
});

describe("the warnings of a preview", () => {
  const plugin = "using pulumi-resource-aws from $PATH at /a/bin/pulumi-resource-aws";
  const events = ["a warning", plugin, `${plugin} expected /b`, "a warning"].map((message) =>
    said("warning", message),
  );
  const summary = summarize({ stack: "staging", events: [...events, said("info", "progress")] });

  it("are in its summary, each once, and none about plugins that this package puts on PATH", () => {
    expect(summary.warnings).toEqual(["a warning"]);
  });

  it("are in the comment on a pull request, whose reader sees nothing else", () => {
    expect(renderMarkdown(summary)).toMatch(/^> a warning$/m);
  });
});
