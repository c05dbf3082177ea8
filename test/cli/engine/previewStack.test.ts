import type { EngineEvent, PreviewResult } from "@pulumi/pulumi/automation";
import { previewStack } from "../../../cli/engine/previewStack";
import { apply, configured, event } from "../../preview/steps";

const secret = "a-key-of-the-cluster";

function said(severity: string, message: string): EngineEvent {
  return {
    sequence: 0,
    timestamp: 0,
    diagnosticEvent: {
      // the SDK's types don't know of `debug`
      severity: severity as "info",
      message: `<{%reset%}>${message}<{%reset%}>\n`,
      color: "always",
    },
  };
}

/** A stack whose preview has these events, and fails where it is told to. */
function stackWith(events: readonly EngineEvent[], failure?: Error) {
  return {
    name: "staging",
    preview: ({ onEvent }: { onEvent?: (event: EngineEvent) => void } = {}) => {
      events.forEach((one) => onEvent?.(one));
      return failure === undefined
        ? Promise.resolve<PreviewResult>({ stdout: "", stderr: "", changeSummary: {} })
        : Promise.reject(failure);
    },
  };
}

describe("a preview of the command line", () => {
  it("shows the errors of a failed preview, and no debugging logs", async () => {
    const stack = stackWith(
      [said("debug", secret), said("error", "it is wrong"), said("error", "it is wrong")],
      new Error("code: 255"),
    );
    await expect(previewStack(stack, {})).rejects.toThrow(/^it is wrong$/);
  });

  it("shows no warning that is among the risks", async () => {
    const image = (version: string) => configured({ install: { image: `installer:${version}` } });
    const update = event({
      op: "update",
      type: apply,
      name: "m-1",
      diffs: ["redactedConfiguration"],
      old: image("v1.12.0"),
      new: image("v1.12.1"),
    });
    const { summary, changed } = await previewStack(stackWith([update]), {});
    expect([...changed].map((urn) => urn.split("::").at(-1))).toEqual(["m-1"]);
    const [risk] = summary.risks;
    expect(risk?.reason).toContain("only the installer changes");
    const warned = await previewStack(
      stackWith([update, said("warning", risk?.reason ?? ""), said("warning", "another")]),
      {},
    );
    expect(warned.summary.warnings).toEqual(["another"]);
  });
});
