import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { detailedDiff } from "../../plugin/detailedDiff";

const { Kind } = PropertyDiff;
const open = { isSecret: () => false, replaces: [] };

function places(...given: Parameters<typeof detailedDiff>) {
  const found = [...detailedDiff(...given)];
  expect(found.every(([, place]) => place.getInputdiff())).toBe(true);
  return Object.fromEntries(found.map(([path, place]) => [path, place.getKind()]));
}

describe("the detailed diff of a resource", () => {
  it("names only the places that differ", () => {
    const olds = { outline: { machine: { type: "worker", nodeLabels: { a: "1" } }, debug: false } };
    const news = {
      outline: {
        machine: { type: "worker", nodeLabels: { a: "2" }, sysctls: { "vm.swappiness": "1" } },
      },
    };
    expect(places(olds, news, open)).toEqual({
      "outline.machine.nodeLabels.a": Kind.UPDATE,
      "outline.machine.sysctls": Kind.ADD,
      "outline.debug": Kind.DELETE,
    });
  });

  it("names the places in lists, and keys that are no words", () => {
    const olds = { nodes: ["a", "b"], labels: { "example.com/zone": "1", 'a"b': 1 } };
    const news = { nodes: ["a", "c", "d"], labels: { "example.com/zone": "2" } };
    expect(places(olds, news, open)).toEqual({
      "nodes[1]": Kind.UPDATE,
      "nodes[2]": Kind.ADD,
      'labels["example.com/zone"]': Kind.UPDATE,
      'labels["a\\"b"]': Kind.DELETE,
    });
  });

  it("takes what is null for absent, as the engine does", () => {
    expect(places({ a: { b: null }, c: null }, { a: {} }, open)).toEqual({});
    expect(places({ a: null }, { a: 1 }, open)).toEqual({ a: Kind.ADD });
  });

  it("names nothing inside a secret", () => {
    const options = { ...open, isSecret: (name: string) => name === "patches" };
    const [olds, news] = [{ patches: [{ a: 1 }] }, { patches: [{ a: 2 }] }];
    expect(places(olds, news, options)).toEqual({ patches: Kind.UPDATE });
  });

  it("says which places replace the resource", () => {
    const [olds, news] = [
      { machineId: "i-1", tags: {} },
      { machineId: "i-2", tags: { a: 1 } },
    ];
    expect(places(olds, news, { ...open, replaces: ["machineId"] })).toEqual({
      machineId: Kind.UPDATE_REPLACE,
      "tags.a": Kind.ADD,
    });
  });
});
