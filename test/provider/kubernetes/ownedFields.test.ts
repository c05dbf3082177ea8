import type {
  KubernetesObject,
  ManagedFields,
} from "../../../provider/kubernetes/kubernetesObject";
import { otherManagers } from "../../../provider/kubernetes/ownedFields";

describe("the managers that have changed an object", () => {
  it("are named with those of its scale, without those that write its status", () => {
    const managedFields: readonly ManagedFields[] = [
      { manager: "ours", operation: "Apply" },
      { manager: "kube-controller-manager", operation: "Update", subresource: "status" },
      { manager: "kubectl", operation: "Update", subresource: "scale" },
      { manager: "helm", operation: "Update" },
    ];
    const object: KubernetesObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", managedFields },
    };
    expect(otherManagers(object, "ours")).toEqual(["helm", "kubectl"]);
  });
});
