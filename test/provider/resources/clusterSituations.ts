import { KubernetesFailure } from "../../../emulator/talos/kubernetes/statusObject";
import { kubernetesObjectsHandler } from "../../../provider/resources/kubernetesObjects";
import { recordedProgress } from "../progress";
import { type Cells, isThere } from "./objectSituation";
import {
  CRD,
  configMap,
  definition,
  type Life,
  namespace as shop,
  place,
  WIDGET,
  widget,
} from "./objectsCluster";

/** Times out soon. */
const SOON = { timeoutSeconds: 4 };

/** Refuses what clients do with the ConfigMap `judged`. */
async function judgedBy(
  { cluster }: Life,
  failure: KubernetesFailure,
  isOver: () => boolean = () => false,
) {
  const store = await cluster.kubernetes();
  store.admit = (_operation, { metadata: { name } }) => {
    if (name === "judged" && !isOver()) {
      throw failure;
    }
  };
  return () => {
    store.admit = () => undefined;
  };
}
// Source of both texts: Kubernetes v1.37, `apiserver/pkg/admission/plugin/webhook/errors` and `pkg/util/webhook`.
const denial = new KubernetesFailure(
  400,
  "BadRequest",
  'admission webhook "policy.example.com" denied the request: not here',
);
const silence = new KubernetesFailure(
  500,
  "InternalError",
  'Internal error occurred: failed calling webhook "policy.example.com": failed to call webhook: Post "https://policy.default.svc:443/?timeout=10s": dial tcp 10.96.0.7:443: connect: connection refused',
);

/** Deletes a namespace that others have made, and that doesn't end. */
async function doomed({ cluster, send }: Life, name: string, use: () => Promise<void>) {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await send("POST", "/api/v1/namespaces", body, "application/json");
  const store = await cluster.kubernetes();
  const { pace } = store;
  store.pace = { ...pace, stopMs: 3_600_000 };
  try {
    await use();
  } finally {
    store.pace = pace;
  }
}

/** What the cluster, or something in it, may be like. */
export const CLUSTER_SITUATIONS = {
  "no API server answers": {
    create: async ({ cluster, node }, { up, upWith }) => {
      await cluster.faults.inject({ kind: "refuse", machine: node.address });
      await expect(upWith(SOON, configMap("one", "a"))).rejects.toThrow(
        /gave up waiting for the Kubernetes API/,
      );
      await cluster.faults.liftAll();
      expect(await up(configMap("one", "a"))).toBe("updated");
    },
    update: async (life, { up, upWith }) => {
      await up(configMap("one", "a"));
      await life.cluster.faults.inject({ kind: "refuse", machine: life.node.address });
      await expect(upWith(SOON, configMap("two", "a"))).rejects.toThrow(/gave up waiting/);
      await life.cluster.faults.liftAll();
      expect(await up(configMap("two", "a"))).toBe("updated");
      expect(await isThere(life, "one", "two")).toEqual([false, true]);
    },
    refresh: async ({ cluster, node }, { up, resource }) => {
      await up(configMap("one", "a"));
      const { outputs } = resource;
      await cluster.faults.inject({ kind: "refuse", machine: node.address });
      const progress = recordedProgress();
      const state = outputs as unknown as Parameters<typeof kubernetesObjectsHandler.diff>[1];
      expect(await kubernetesObjectsHandler.read?.("objects", state, progress)).toEqual({ state });
      expect(progress.warnings.join()).toMatch(
        /whether others have changed the objects is unknown: .* The state keeps what was applied/,
      );
      await cluster.faults.liftAll();
      expect(await up(configMap("one", "a"))).toBe("same");
    },
    delete: async (life, { up, resource }) => {
      await up(configMap("one", "a"));
      await life.cluster.faults.inject({ kind: "refuse", machine: life.node.address });
      await expect(resource.destroy()).rejects.toThrow(
        /If the cluster is gone, so are its objects: .*pulumi state delete/,
      );
      await life.cluster.faults.liftAll();
      await resource.destroy();
      expect(await isThere(life, "one")).toEqual([false]);
    },
  },
  "its kind is gone, or was never there": {
    create: async (life, { upWith }) => {
      await expect(upWith(SOON, widget, shop, configMap("one", "a"))).rejects.toThrow(
        /Widget shop\/one: the API server has no kind "Widget" in "example.com\/v1"/,
      );
      expect(await isThere(life, "one")).toEqual([true]);
    },
    update: async ({ find, send }, { up }) => {
      await up(shop, definition, widget);
      await send("DELETE", CRD);
      await up(shop, definition, widget, configMap("one", "a"));
      expect(await find(WIDGET)).toBeDefined();
    },
    refresh: async ({ find, send }, { up, resource }) => {
      await up(shop, definition, widget);
      await send("DELETE", CRD);
      await resource.refresh();
      expect(resource.inputs.objects).toMatchObject({
        "m-1": { "CustomResourceDefinition widgets.example.com": "deleted by others" },
        "m-2": { "Widget shop/one": "deleted by others" },
      });
      expect(await up(shop, definition, widget)).toBe("updated");
      expect(await find(WIDGET)).toBeDefined();
    },
    delete: async ({ send }, { up, resource }) => {
      await up(shop, definition, widget);
      await send("DELETE", CRD);
      await resource.destroy();
    },
  },
  "others delete its namespace": {
    create: (life, { up }) =>
      doomed(life, "doomed-1", async () => {
        await life.send("DELETE", "/api/v1/namespaces/doomed-1");
        await expect(up(configMap("one", "a", "doomed-1"), configMap("two", "a"))).rejects.toThrow(
          /ConfigMap doomed-1\/one: .*because it is being terminated/,
        );
        expect(await isThere(life, "two")).toEqual([true]);
      }),
    update: (life, { up }) =>
      doomed(life, "doomed-2", async () => {
        await up(configMap("one", "a", "doomed-2"), configMap("two", "a"), configMap("three", "a"));
        await life.send("DELETE", "/api/v1/namespaces/doomed-2");
        await expect(up(configMap("one", "a", "doomed-2"), configMap("two", "b"))).rejects.toThrow(
          /ConfigMap doomed-2\/one: .*because it is being terminated/,
        );
        expect((await life.find(place("two")))?.data).toEqual({ value: "b" });
        expect(await isThere(life, "three")).toEqual([true]);
        // Without what was in it, the update comes to its end.
        await up(configMap("two", "b"));
        expect(await isThere(life, "three")).toEqual([false]);
      }),
    refresh: (life, { up, resource }) =>
      doomed(life, "doomed-3", async () => {
        await up(configMap("one", "a", "doomed-3"));
        await life.send("DELETE", "/api/v1/namespaces/doomed-3");
        await resource.refresh();
        expect(resource.inputs.objects).toEqual({
          "m-0": { "ConfigMap doomed-3/one": "deleted by others" },
        });
      }),
    delete: (life, { up, resource }) =>
      doomed(life, "doomed-4", async () => {
        await up(configMap("one", "a", "doomed-4"));
        await life.send("DELETE", "/api/v1/namespaces/doomed-4");
        await resource.destroy();
      }),
  },
  "a webhook denies it": {
    create: async (life, { up }) => {
      const end = await judgedBy(life, denial);
      await expect(up(configMap("judged", "a"), configMap("two", "a"))).rejects.toThrow(
        /ConfigMap default\/judged: .*"policy.example.com" denied the request: not here/,
      );
      expect(await isThere(life, "judged", "two")).toEqual([false, true]);
      end();
      expect(await up(configMap("judged", "a"), configMap("two", "a"))).toBe("updated");
    },
    update: async (life, { up }) => {
      await up(configMap("judged", "a"), configMap("two", "a"));
      const end = await judgedBy(life, denial);
      await expect(up(configMap("judged", "b"), configMap("three", "b"))).rejects.toThrow(
        /ConfigMap default\/judged: .*denied the request/,
      );
      expect(await isThere(life, "two", "three")).toEqual([true, true]);
      end();
      await up(configMap("judged", "b"), configMap("three", "b"));
      expect(await isThere(life, "two")).toEqual([false]);
    },
    refresh: "webhooks judge no reads",
    delete: async (life, { up, resource }) => {
      await up(configMap("judged", "a"), configMap("one", "a"), configMap("two", "a"));
      const end = await judgedBy(life, denial);
      await expect(up(configMap("two", "a"))).rejects.toThrow(
        /can't be deleted from the cluster. ConfigMap default\/judged: .*denied the request/,
      );
      await expect(resource.destroy()).rejects.toThrow(
        /can't be deleted from the cluster. ConfigMap default\/judged: .*denied the request/,
      );
      expect(await isThere(life, "judged", "one", "two")).toEqual([true, false, false]);
      end();
      await resource.destroy();
      expect(await isThere(life, "judged")).toEqual([false]);
    },
  },
  "a webhook doesn't answer": {
    create: async (life, { up }) => {
      // What serves it comes with the same list.
      const store = await life.cluster.kubernetes();
      const isServed = () => JSON.stringify(store.objects.entries).includes('"name":"server"');
      const end = await judgedBy(life, silence, isServed);
      await up(configMap("judged", "a"), configMap("server", "a"));
      expect(await isThere(life, "judged", "server")).toEqual([true, true]);
      end();
    },
    update: async (life, { up, upWith }) => {
      await up(configMap("judged", "a"), configMap("two", "a"));
      const end = await judgedBy(life, silence);
      await expect(upWith(SOON, configMap("judged", "b"), configMap("three", "b"))).rejects.toThrow(
        /ConfigMap default\/judged: .*connection refused. Its webhook doesn't answer: repair/,
      );
      expect(await isThere(life, "two", "three")).toEqual([true, true]);
      end();
      await up(configMap("judged", "b"), configMap("three", "b"));
      expect(await isThere(life, "two")).toEqual([false]);
    },
    refresh: "webhooks judge no reads",
    delete: async (life, { up, resource }) => {
      await up(configMap("judged", "a"));
      let asked = 0;
      const end = await judgedBy(life, silence, () => (asked += 1) > 3);
      await resource.destroy();
      expect(asked).toBeGreaterThan(3);
      expect(await isThere(life, "judged")).toEqual([false]);
      end();
    },
  },
} as const satisfies Readonly<Record<string, Cells>>;
