import { APPLY, make, namesBefore } from "./clusters";

describe("the addresses in the certificates of a TalosCluster's machines", () => {
  it("keeps fixed addresses in the Talos API's certificate", async () => {
    const { graph } = await make({ controlPlane: { fixedAddresses: true, machineCount: 1 } });
    expect(
      graph.named("aws:ec2/eipAssociation:EipAssociation", "c-control-plane-1").inputs,
    ).toEqual({ allocationId: undefined, instanceId: "c-control-plane-1-id" });
    expect(graph.named(APPLY, "c-control-plane-1").inputs).toMatchObject({
      node: "198.51.100.200",
      patches: [{ machine: { certSANs: ["198.51.100.200"] } }],
    });
    const apply = graph.named(APPLY, "c-control-plane-1");
    expect(namesBefore(graph, apply, "aws:ec2/eipAssociation:EipAssociation")).toEqual([
      "c-control-plane-1",
    ]);
  });

  it("adds the address to the Talos API's certificate that follows a fixed one", async () => {
    const { graph } = await make({ controlPlane: { fixedAddresses: false, machineCount: 1 } });
    const { inputs } = graph.named(APPLY, "c-control-plane-1");
    expect(inputs.patches).toEqual([{ machine: { certSANs: [inputs.node] } }]);
  });

  it.each([
    ["never was fixed", { controlPlane: { machineCount: 1 } }],
    [
      "isn't dialled",
      {
        controlPlane: { fixedAddresses: false, machineCount: 1, delivery: "userData" as const },
        talosApiThroughLoadBalancer: true,
      },
    ],
  ])("adds no address to it that %s", async (_, args) => {
    const { graph } = await make(args);
    expect(graph.named(APPLY, "c-control-plane-1").inputs.patches).toEqual([]);
  });
});
