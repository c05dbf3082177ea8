import type { KubernetesObject as ServedObject } from "../../../../emulator/talos/kubernetes/kubernetesObject";
import { objects } from "../../../conformance/support/addOnVariants";
import { storeOf } from "./storeClient";

test("every kind of the add-ons' objects is served, so that none is left out", () => {
  const store = storeOf();
  const kinds = new Set(
    objects
      .filter(({ object }) => store.objects.kindOf(object as ServedObject) === undefined)
      .map(({ object }) => `${object.apiVersion} ${object.kind}`),
  );
  expect([...kinds]).toEqual([]);
});
