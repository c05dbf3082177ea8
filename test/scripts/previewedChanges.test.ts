import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { PreviewedChanges } from "../../scripts/previewedChanges";

type State = NonNullable<StepEventMetadata["old"]>;

const state = (more: Partial<State>): State => ({
  type: "a:b:C",
  urn: "urn",
  id: "id",
  parent: "parent",
  provider: "provider",
  inputs: { size: 1 },
  outputs: {},
  ...more,
});

function step(more: Partial<StepEventMetadata> = {}): EngineEvent {
  const metadata = {
    op: "same",
    type: "a:b:C",
    urn: "urn",
    provider: "provider",
    old: state({}),
    new: state({}),
    ...more,
  } as StepEventMetadata;
  return { sequence: 0, timestamp: 0, resourcePreEvent: { metadata } };
}

function outputs(old: object, next: object): EngineEvent {
  const { resourcePreEvent } = step({
    type: "pulumi:pulumi:Stack",
    old: state({ outputs: old }),
    new: state({ outputs: next }),
  });
  return {
    sequence: 0,
    timestamp: 0,
    ...(resourcePreEvent && { resOutputsEvent: resourcePreEvent }),
  };
}

function isNothing(...events: readonly EngineEvent[]): boolean {
  const changes = new PreviewedChanges();
  events.forEach(changes.add);
  return changes.isNothing;
}

const sameOutputs = outputs({ a: 1 }, { a: 1 });

describe("what a preview finds", () => {
  it("is nothing where resources, options and outputs stay", () => {
    const protectedOne = { old: state({ protect: true }), new: state({ protect: true }) };
    expect(isNothing(step(), step(protectedOne), sameOutputs)).toBe(true);
    // The engine leaves out what is false.
    expect(isNothing(step({ new: state({ protect: false }) }), sameOutputs)).toBe(true);
    // The program reads outputs before it ends.
    expect(isNothing(step(), outputs({ a: 1 }, {}), sameOutputs)).toBe(true);
  });

  it.each(["create", "update", "delete", "replace", "read"] as const)("is a step %s", (op) => {
    expect(isNothing(step(), step({ op }), sameOutputs)).toBe(false);
  });

  it.each([
    ["an input", { inputs: { size: 2 } }],
    ["protection", { protect: true }],
    ["retention", { retainOnDelete: true }],
    ["the parent", { parent: "other" }],
    ["the provider", { provider: "other" }],
  ])("is what an update records although the resource stays: %s", (_, more) => {
    expect(isNothing(step({ new: state(more) }), sameOutputs)).toBe(false);
  });

  it("is another output of the stack", () => {
    expect(isNothing(step(), outputs({ a: 1 }, { a: 2 }))).toBe(false);
    expect(isNothing(step(), outputs({ a: 1 }, { a: 1, b: 1 }))).toBe(false);
  });

  it("is unknown before the program ends", () => {
    expect(isNothing()).toBe(false);
    expect(isNothing(step())).toBe(false);
  });
});
