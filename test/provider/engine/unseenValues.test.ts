import * as pulumi from "@pulumi/pulumi";
import { transformChild } from "../../../components";
import { seenAgain, seenIn } from "../../../provider/engine/seenValues";
import { unseenIn, withoutShown } from "../../../provider/engine/unseenValues";

const isMarkable = (name: string) => name !== "made";

async function resolved<Value>(output: pulumi.Input<Value>): Promise<unknown> {
  return new Promise((resolve) => pulumi.output(output).apply(resolve));
}

/** What of the registered inputs counts as unseen, when a program gave others. */
async function unseen(given: pulumi.Inputs, registered: Readonly<Record<string, unknown>>) {
  return unseenIn(registered, await resolved(seenIn(given, isMarkable)), isMarkable);
}

const patches = [
  { machine: { env: { A: "one", B: 2 } } },
  "machine: {}",
  { file: "a.yaml", text: "x" },
];

describe("values of inputs that no program gave", () => {
  it.each<[string, pulumi.Inputs, Readonly<Record<string, unknown>>, readonly unknown[]]>([
    ["all given", { patches }, { patches }, []],
    ["given as outputs", { patches: pulumi.secret(patches) }, { patches }, []],
    [
      "given inside promises",
      { patches: [Promise.resolve(pulumi.output("late"))] },
      { patches: ["late"] },
      [],
    ],
    ["in another order", { patches }, { patches: [...patches].reverse() }, []],
    ["none given", {}, { patches: ["a: b"] }, [["a: b"]]],
    [
      "one member",
      { patches },
      { patches: [...patches, { machine: { env: { A: "one", C: "two" } } }] },
      [[{ machine: { env: { C: "two" } } }]],
    ],
    [
      "a number",
      { patches },
      { patches: [{ machine: { env: { B: 3 } } }] },
      [[{ machine: { env: { B: 3 } } }]],
    ],
    ["a switch", { patches }, { patches: [{ machine: { on: true, off: null, none: "" } }] }, []],
    ["what isn't known yet", {}, { patches: ["04da6b54-80e4-46f7-96ec-b56ff0331ba9"] }, []],
    ["an argument that is a text", {}, { clusterName: "other" }, []],
    ["an argument of this package", {}, { made: { a: "b" } }, []],
    ["what is marked already", {}, { markedValues: ["b"] }, []],
  ])("%s", async (_, given, registered, found) => {
    expect(await unseen(given, registered)).toEqual(found);
  });

  it("are none that are as recorded and were shown, as ignoreChanges keeps them", () => {
    const nodeLabels = { tier: "one" };
    const recorded = { nodeLabels, redactedConfiguration: { machine: { nodeLabels } } };
    expect(withoutShown({ nodeLabels, patches }, recorded)).toEqual({ patches });
    const hidden = { nodeLabels, redactedConfiguration: { machine: "«secret hmac:1a2b3c4d»" } };
    expect(withoutShown({ nodeLabels }, hidden)).toEqual({ nodeLabels });
    const other = { nodeLabels: { tier: "two" } };
    expect(withoutShown(other, recorded)).toEqual(other);
  });

  it("are none where the engine says what is secret", () => {
    expect(unseenIn({ patches }, undefined, isMarkable)).toEqual([]);
  });

  it("are seen where a transformation's result is looked at", async () => {
    const before = { patches, __seen: seenIn({ patches }, isMarkable), markedValues: ["own"] };
    const more = { machine: { env: { A: pulumi.secret("key"), B: "open" } } };
    const after = seenAgain(before, { ...before, patches: [...patches, more] });
    expect(after.markedValues).toEqual(["own"]);
    const registered = { patches: await resolved(after.patches) };
    expect(unseenIn(registered, await resolved(after.__seen), isMarkable)).toEqual([
      [{ machine: { env: { A: "key" } } }],
    ]);
    const change = transformChild("aws:ec2/vpc:Vpc", () => ({
      props: { cidrBlock: "10.0.0.0/8" },
    }));
    const child = { resource: {} as never, name: "it", opts: {} };
    expect(change({ ...child, type: "aws:ec2/vpc:Vpc", props: {} })?.props).toEqual({
      cidrBlock: "10.0.0.0/8",
    });
  });
});
