import { steppingIt } from "../steppingClock";
import { CLUSTER_SITUATIONS } from "./clusterSituations";
import { FIXED_FIELDS } from "./fixedFieldCases";
import { type Cell, type Cells, isThere, OPERATIONS } from "./objectSituation";
import { CRD, clusterOf, configMap, type Life, MARK, place } from "./objectsCluster";

/** What is with the objects themselves. */
const OBJECT_SITUATIONS = {
  "a field changes that never changes": {
    create: "there is nothing yet that it could differ from",
    update: async ({ send }, { up }) => {
      await up(...FIXED_FIELDS.map(({ manifest }) => manifest("before")));
      const failure: unknown = await up(
        ...FIXED_FIELDS.map(({ manifest }) => manifest("after")),
      ).catch((error: unknown) => error);
      const { message } = failure as Error;
      for (const { told } of FIXED_FIELDS) {
        expect(message).toMatch(told);
      }
      expect(message).not.toContain("hunter");
      // Taken back, all is as before.
      expect(await up(...FIXED_FIELDS.map(({ manifest }) => manifest("before")))).toBe("updated");
      // The way out of most: another one in its place.
      for (const { path } of FIXED_FIELDS) {
        await send("DELETE", path);
      }
      expect(await up(...FIXED_FIELDS.map(({ manifest }) => manifest("after")))).toBe("updated");
    },
    refresh: "others can't change it either",
    delete: "nothing of it is compared",
  },
  "others set its fields": {
    create: "there is nothing yet that they could set",
    update: async ({ find, send }, { up }) => {
      await up(configMap("one", "a"));
      const path = `${place("one")}?fieldManager=kubectl-edit`;
      await send("PATCH", path, { data: { value: "theirs", more: "theirs" } });
      await up(configMap("one", "a"), configMap("two", "a"));
      expect((await find(place("one")))?.data).toEqual({ value: "a", more: "theirs" });
    },
    refresh: async ({ send }, { up, resource }) => {
      await up(configMap("one", "a"));
      const path = `${place("one")}?fieldManager=kubectl-edit`;
      await send("PATCH", path, { data: { value: "theirs" } });
      await resource.refresh();
      expect(resource.inputs.objects).toEqual({
        "m-0": { "ConfigMap default/one": "changed by kubectl-edit" },
      });
    },
    delete: async (life, { up, resource }) => {
      await up(configMap("one", "a"));
      const path = `${place("one")}?fieldManager=kubectl-edit`;
      await life.send("PATCH", path, { data: { value: "theirs" } });
      await resource.destroy();
      expect(await isThere(life, "one")).toEqual([false]);
    },
  },
  "others have made one of its name": {
    create: async (life, { up }) => {
      await made(life);
      await expect(up(configMap("theirs", "a"))).rejects.toThrow(
        /ConfigMap default\/theirs: others have created it, and set .data.value \(by "helm"/,
      );
    },
    update: async (life, { up }) => {
      await made(life);
      await up(configMap("one", "a"));
      await expect(up(configMap("one", "b"), configMap("theirs", "a"))).rejects.toThrow(
        /ConfigMap default\/theirs: others have created it/,
      );
      expect((await life.find(place("one")))?.data).toEqual({ value: "b" });
    },
    refresh: async (life, { up, resource }) => {
      await up(configMap("theirs", "a"));
      await life.send("DELETE", place("theirs"));
      await made(life);
      await resource.refresh();
      expect(resource.inputs.objects).toEqual({
        "m-0": { "ConfigMap default/theirs": "changed by helm" },
      });
    },
    delete: async (life, { up, resource }) => {
      await made(life);
      await expect(up(configMap("theirs", "a"))).rejects.toThrow();
      await resource.destroy();
      expect((await life.find(place("theirs")))?.data).toEqual({ value: "theirs" });
    },
  },
  "another list has it now": {
    create: async (life, { up }) => {
      const other = life.listOf("other");
      await other.up(configMap("one", "a"));
      await expect(up(configMap("one", "a"))).rejects.toThrow(
        /ConfigMap default\/one: it belongs to "pulumi-talos-aws-objects-other"/,
      );
      await other.resource.destroy();
    },
    update: async (life, { up }) => {
      await up(configMap("one", "a"));
      await taken(life);
      await expect(up(configMap("one", "b"))).rejects.toThrow(/one: it belongs to "others"/);
    },
    refresh: async (life, { up, resource }) => {
      await up(configMap("one", "a"));
      await taken(life);
      await resource.refresh();
      expect(JSON.stringify(resource.inputs.objects)).toContain("changed by kubectl-annotate");
    },
    delete: async (life, { up, resource }) => {
      await up(configMap("one", "a"));
      await taken(life);
      await resource.destroy();
      expect(await isThere(life, "one")).toEqual([true]);
    },
  },
  "others have deleted its inventory": {
    create: "there is none yet",
    update: async (life, { up, records }) => {
      await up(configMap("one", "a"), configMap("two", "a"));
      await life.send("DELETE", records);
      await up(configMap("two", "a"));
      expect(await isThere(life, "one", "two")).toEqual([false, true]);
      expect(await life.find(records)).toBeDefined();
    },
    refresh: async (life, { up, resource, records }) => {
      await up(configMap("one", "a"));
      await life.send("DELETE", records);
      await resource.refresh();
      expect(await up(configMap("one", "a"))).toBe("same");
    },
    delete: async (life, { up, resource, records }) => {
      await up(configMap("one", "a"));
      await life.send("DELETE", records);
      await resource.destroy();
      expect(await isThere(life, "one")).toEqual([false]);
    },
  },
} as const satisfies Readonly<Record<string, Cells>>;

async function made({ send }: Life): Promise<void> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "theirs" } };
  const path = "/api/v1/namespaces/default/configmaps?fieldManager=helm";
  await send("POST", path, { ...body, data: { value: "theirs" } }, "application/json");
}

async function taken({ send }: Life): Promise<void> {
  const metadata = { annotations: { [MARK]: "others" } };
  await send("PATCH", `${place("one")}?fieldManager=kubectl-annotate`, { metadata });
}

const SITUATIONS = { ...CLUSTER_SITUATIONS, ...OBJECT_SITUATIONS };

describe("objects of a list, in each situation and operation", () => {
  let life: Life;
  beforeAll(async () => {
    life = await clusterOf("v1.14.1");
  });
  afterAll(() => life.cluster.stop());

  for (const [index, [situation, cells]] of Object.entries(SITUATIONS).entries()) {
    for (const operation of OPERATIONS) {
      const cell: Cell = cells[operation];
      if (typeof cell === "string") {
        continue;
      }
      steppingIt(`${situation}: ${operation}`, async () => {
        await cell(life, life.listOf(`it-${index}-${operation}`));
        for (const name of ["one", "two", "three", "judged", "server", "theirs"]) {
          await life.send("DELETE", place(name)).catch(() => undefined);
        }
        for (const path of [CRD, "/api/v1/namespaces/shop"]) {
          await life.send("DELETE", path).catch(() => undefined);
        }
      });
    }
  }

  it("says why nothing happens, where nothing does", () => {
    const reasons = Object.values<Cells>(SITUATIONS).flatMap((cells) =>
      OPERATIONS.flatMap((operation) =>
        typeof cells[operation] === "string" ? [cells[operation]] : [],
      ),
    );
    expect(reasons.filter((reason) => reason.length < 10)).toEqual([]);
  });
});
