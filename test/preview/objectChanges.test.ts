import { objectChanges } from "../../preview/objectChanges";
import type { PreviewedResource } from "../../preview/previewedResource";

const resource = (change: Partial<PreviewedResource>): PreviewedResource => ({
  urn: "urn:pulumi:a::b::c::d",
  type: "talos-aws:index:KubernetesObjects",
  name: "c-objects",
  parent: "",
  operation: "update",
  isComponent: false,
  id: "objects",
  isProtected: false,
  isProtectedAfter: false,
  oldInputs: {},
  oldOutputs: {},
  newInputs: {},
  newOutputs: {},
  changes: ["objects"],
  replacedBy: [],
  ...change,
});

const oldInputs = {
  objects: {
    a: {
      "Deployment shop/web": "hmac:1",
      "ConfigMap shop/web": "hmac:2",
      "Secret shop/key": "hmac:3",
    },
    b: { "Service shop/web": "changed by kubectl-edit" },
  },
};

describe("objectChanges", () => {
  it("names each object that is created, changed or deleted, and what others have done", () => {
    const newInputs = {
      objects: {
        a: { "Deployment shop/web": "hmac:4", "ConfigMap shop/web": "hmac:2" },
        b: { "Service shop/web": "hmac:5", "Ingress shop/web": "hmac:6" },
      },
    };
    expect(objectChanges(resource({ oldInputs, newInputs }))).toEqual([
      "Deployment shop/web: change",
      "Ingress shop/web: create",
      "Secret shop/key: delete",
      "Service shop/web: change, changed by kubectl-edit",
    ]);
  });

  it("names what a deleted resource deletes, and says nothing of other kinds", () => {
    expect(objectChanges(resource({ oldInputs, operation: "delete" }))).toHaveLength(4);
    const type = "talos-aws:index:KubernetesManifests";
    expect(objectChanges(resource({ oldInputs, type }))).toEqual([]);
  });

  it("is short for many objects", () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`ConfigMap x/${n}`, "h"]),
    );
    const lines = objectChanges(resource({ newInputs: { objects: { a: many } } }));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("and 10 more objects");
  });
});
