import type { DiagnosticEvent, EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { CompactProgress } from "../../scripts/compactProgress";

const urnOf = (type: string, name: string) =>
  `urn:pulumi:local::talos-aws::talos-aws:index:TalosCluster$${type}::${name}`;
const apply = urnOf("pulumi-nodejs:dynamic/talos:ConfigurationApply", "local-1");

describe("CompactProgress", () => {
  let nowMs: number;
  let lines: string[];
  let progress: CompactProgress;

  beforeEach(() => {
    nowMs = 0;
    lines = [];
    progress = new CompactProgress(
      (line) => lines.push(line),
      () => nowMs,
    );
  });

  const event = (more: Partial<EngineEvent>) => {
    progress.add({ sequence: 0, timestamp: 0, ...more });
  };
  const step = (urn: string, op: string, custom = true) => {
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    return { metadata: { op, urn, type, provider: "", new: { custom } } as StepEventMetadata };
  };
  const begin = (urn: string, op = "create") => {
    event({ resourcePreEvent: step(urn, op) });
  };
  const done = (urn: string, op = "create", custom = true) => {
    event({ resOutputsEvent: step(urn, op, custom) });
  };
  const say = (message: string, more: Partial<DiagnosticEvent> = { ephemeral: true }) => {
    const told = { message, urn: apply, severity: "info", color: "never", ...more } as const;
    event({ diagnosticEvent: told });
  };

  it("shows Talos resources and machines when they are done, with what they achieved", () => {
    begin(apply);
    say("waiting for a machine: connection refused");
    say("<{%reset%}>configured after 3 s<{%reset%}>\n");
    done(apply);
    done(urnOf("aws:ec2/instance:Instance", "local-1"));
    expect(lines).toEqual([
      "  ConfigurationApply local-1 created: configured after 3 s",
      "  Instance local-1 created",
    ]);
  });

  it("counts the others at the end, without components and what stays the same", () => {
    done(urnOf("aws:ec2/vpc:Vpc", "a"));
    done(urnOf("aws:ec2/subnet:Subnet", "b"));
    done(urnOf("aws:ec2/subnet:Subnet", "c"), "update");
    done(urnOf("aws:ec2/subnet:Subnet", "d"), "same");
    done(urnOf("talos-aws:index:Network", "e"), "create", false);
    progress.end();
    expect(lines).toEqual(["  other resources: 2 created, 1 updated"]);
  });

  it("says every ten seconds what a resource waits for", () => {
    begin(apply);
    for (const [atMs, seen] of [
      [9_000, "starting"],
      [11_000, "still starting"],
      [15_000, "still starting"],
      [22_000, "restarting"],
    ] as const) {
      nowMs = atMs;
      say(seen);
    }
    expect(lines).toEqual([
      "  ConfigurationApply local-1: still starting",
      "  ConfigurationApply local-1: restarting",
    ]);
  });

  it("shows each warning once, and none about plugins on PATH", () => {
    say("careful", { severity: "warning" });
    say("careful", { severity: "warning" });
    say("using pulumi-resource-aws from $PATH at /somewhere", { severity: "warning" });
    expect(lines).toEqual(["  warning: careful"]);
  });
});
