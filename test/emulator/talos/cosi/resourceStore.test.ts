import type { ResourceValue } from "../../../../emulator/talos/cosi/resource";
import { ResourceStore, type ResourceEvent } from "../../../../emulator/talos/cosi/resourceStore";

const names = { namespace: "runtime", type: "Things.talos.dev" };

function thing(id: string, spec: ResourceValue["spec"]): ResourceValue {
  return { ...names, id, owner: "test", spec, proto: Buffer.alloc(0) };
}

function storeOf() {
  const things = new Map<string, ResourceValue["spec"]>();
  let clock = 0;
  const store = new ResourceStore(
    [{ ...names, values: () => [...things].map(([id, spec]) => thing(id, spec)) }],
    () => new Date((clock += 1000)),
  );
  return { store, things };
}

describe("a resource store", () => {
  test("counts versions from one, for changes only", () => {
    const { store, things } = storeOf();
    things.set("a", { n: 1 });
    expect(store.get("runtime", "Things.talos.dev", "a")?.version).toBe(1);
    expect(store.get("runtime", "Things.talos.dev", "a")?.version).toBe(1);
    things.set("a", { n: 2 });
    const changed = store.get("runtime", "Things.talos.dev", "a");
    expect(changed).toMatchObject({ version: 2, yaml: "n: 2\n" });
    expect(changed?.created).not.toEqual(changed?.updated);
  });

  test("counts a change that was not read, after a refresh", () => {
    const { store, things } = storeOf();
    for (const n of [1, 2, 3]) {
      things.set("a", { n });
      store.changed(["Things.talos.dev"]);
    }
    expect(store.get("runtime", "Things.talos.dev", "a")?.version).toBe(3);
  });

  test("lists by id, and has no resources of an unknown type", () => {
    const { store, things } = storeOf();
    things.set("b", 1).set("a", 1);
    expect(store.list("runtime", "Things.talos.dev").map(({ id }) => id)).toEqual(["a", "b"]);
    expect(store.list("runtime", "Others.talos.dev")).toEqual([]);
    expect(store.list("x", "Things.talos.dev")).toEqual([]);
  });

  test("notifies watchers of each change until they stop", () => {
    const { store, things } = storeOf();
    things.set("a", 1);
    const events: string[] = [];
    const note = ({ type, resource, old }: ResourceEvent) =>
      events.push(`${type} ${resource.id} ${old?.yaml.trim() ?? "-"}>${resource.yaml.trim()}`);
    const end = store.watch("runtime", "Things.talos.dev", note);
    things.set("b", 1);
    store.changed();
    things.set("b", 2);
    store.changed();
    things.delete("a");
    store.changed();
    end();
    things.clear();
    store.changed();
    expect(events).toEqual(["CREATED b ->1", "UPDATED b 1>2", "DESTROYED a ->1"]);
  });

  test.each([
    ["controlplane", "controlplane\n"],
    ["a: 1\nb:\n    c: 2\n\n", "|\n    a: 1\n    b:\n        c: 2\n\n"],
    [{ list: ["x"], empty: [], text: "1" }, 'list:\n    - x\nempty: []\ntext: "1"\n'],
  ])("writes %j as Talos does", (spec, expected) => {
    const { store, things } = storeOf();
    things.set("a", spec);
    expect(store.get("runtime", "Things.talos.dev", "a")?.yaml).toBe(expected);
  });
});
