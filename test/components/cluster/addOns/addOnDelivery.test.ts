import * as pulumi from "@pulumi/pulumi";
import { make, talos } from "../clusters";

const addOns = {
  cloudController: true,
  ebsCsi: true,
  metricsServer: { replicas: 1 },
} as const;

const contents = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";

const namesIn = (list: unknown) => (list as { readonly name: string }[]).map(({ name }) => name);

describe("the delivery of objects", () => {
  it("is the machines' configuration by default, without another resource", async () => {
    const { graph } = await make({ addOns });
    expect(graph.ofType(talos("KubernetesObjects"))).toEqual([]);
    const { inlineManifests } = graph.named(
      talos("MachineConfiguration"),
      "c-control-plane",
    ).inputs;
    expect(namesIn(inlineManifests)).toContain("aws-ebs-csi-driver");
  });

  it("leaves in the configuration what nodes need to become Ready", async () => {
    const { graph } = await make({ addOns, addOnDelivery: "afterBootstrap" });
    const { inlineManifests } = graph.named(
      talos("MachineConfiguration"),
      "c-control-plane",
    ).inputs;
    const objects = graph.named(talos("KubernetesObjects"), "c-objects");
    expect(namesIn(inlineManifests)).toEqual(["aws-cloud-controller"]);
    expect(namesIn(objects.inputs.manifests)).toEqual(
      expect.arrayContaining([
        "aws-ebs-csi-driver",
        "metrics-server",
        "kubelet-serving-cert-approver",
      ]),
    );
    expect(objects.inputs).toMatchObject({ inventory: "cluster", awaitRollouts: true });
  });

  it("comes after the machines' configuration, before Talos' manifests and health", async () => {
    const { graph } = await make({ manifests: [pulumi.output({ name: "shop", contents })] });
    const objects = graph.named(talos("KubernetesObjects"), "c-objects");
    const before = (type: string) => graph.before(objects).filter((each) => each.type === type);
    expect(before(talos("ConfigurationApply"))).toHaveLength(3);
    expect(before(talos("ClusterKubeconfig"))).toHaveLength(1);
    for (const [kind, name] of [
      ["KubernetesManifests", "c-manifests"],
      ["ClusterHealth", "c-health"],
    ] as const) {
      expect(graph.before(graph.named(talos(kind), name))).toContainEqual(objects);
    }
    expect(objects.deletedWith).toContain("c-secrets");
  });

  it("waits for no pod where the pod network comes later", async () => {
    const manifests = [{ name: "shop", contents }];
    const { graph } = await make({ manifests, cni: "cilium" });
    expect(graph.named(talos("KubernetesObjects"), "c-objects").inputs.awaitRollouts).toBe(false);
  });

  it("is refused if there is no such one", async () => {
    await expect(make({ addOns, addOnDelivery: "later" as "afterBootstrap" })).rejects.toThrow(
      'addOnDelivery: "later" can\'t be chosen: take one of machineConfiguration, afterBootstrap',
    );
  });
});
