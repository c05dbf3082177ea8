import { readTopology } from "../../../cli/topology/readTopology";
import { sampleResources } from "./sampleResources";

describe("readTopology", () => {
  const [topology, ...more] = readTopology(sampleResources);

  it("finds the network, its zones, and which subnets are public", () => {
    expect(more).toEqual([]);
    expect(topology).toMatchObject({
      network: "vpc-1",
      cidr: "10.0.0.0/16",
      zones: ["us-east-1a", "us-east-1b"],
    });
    expect(
      topology?.subnets.map(({ zone, tier, hasNat }) => `${zone} ${tier}${hasNat ? " NAT" : ""}`),
    ).toEqual([
      "us-east-1a public NAT",
      "us-east-1a private",
      "us-east-1b public",
      "us-east-1b private",
    ]);
  });

  it("groups machines by role and pool, and the auto scaling groups of a pool", () => {
    expect(
      topology?.groups.map(({ name, role, tier, machines, scaling, instanceTypes }) => ({
        name,
        role,
        tier,
        instanceTypes,
        machines: machines.map((machine) => machine.name),
        scaling: scaling.map(({ zones, max }) => [...zones, max]),
      })),
    ).toEqual([
      {
        name: "c-control-plane",
        role: "controlplane",
        tier: "public",
        instanceTypes: ["t3.large"],
        scaling: [],
        machines: ["c-control-plane-1", "c-control-plane-2"],
      },
      {
        name: "c-spot",
        role: "worker",
        tier: "private",
        instanceTypes: ["m6i.large"],
        machines: [],
        scaling: [
          ["us-east-1a", 4],
          ["us-east-1b", 4],
        ],
      },
      {
        name: "c-web",
        role: "worker",
        tier: "private",
        instanceTypes: ["t3.large"],
        machines: ["c-web-1"],
        scaling: [],
      },
    ]);
  });

  it("lists allowed connections, and names the owners of the stack's own addresses", () => {
    expect(
      topology?.flows.map(
        ({ from, to, ports }) =>
          `${from} > ${to}: ${ports.map(({ port, why }) => `${port} ${why}`).join()}`,
      ),
    ).toEqual([
      "192.0.2.0/24 > sg-lb: tcp 6443 Kubernetes API",
      "sg-cp > sg-lb: tcp 6443 Kubernetes API",
      "sg-worker > sg-lb: tcp 6443 Kubernetes API",
      "192.0.2.0/24 > sg-cp: tcp 50000 Talos API",
      "sg-lb > sg-cp: tcp 6443 Kubernetes API",
      "sg-cp > sg-worker: tcp 10250 kubelet",
    ]);
  });

  it("lists what machines may reach outside, and not what groups reach of each other", () => {
    expect(topology?.outbound).toEqual([
      { from: "sg-cp", to: "0.0.0.0/0", ports: [{ port: "everything", why: "" }] },
      { from: "sg-worker", to: "pl-1", ports: [{ port: "everything", why: "" }] },
    ]);
  });

  it("names the Kubernetes API, and what the machines run", () => {
    expect(topology?.endpoints).toEqual(["https://k8s.c.example.com:6443"]);
    expect(topology?.versions).toEqual([
      "Talos v1.14.1",
      "Talos v1.13.0",
      "Kubernetes v1.36.0",
      "Kubernetes v1.35.0",
    ]);
  });

  it("finds nothing in a stack without machines", () => {
    expect(readTopology([])).toEqual([]);
  });

  it("draws machines in a network that is not part of the stack", () => {
    const adopted = sampleResources.filter(({ type }) => !/:(Vpc|Subnet)$/.test(type));
    const [found] = readTopology(adopted);
    expect(found).toMatchObject({ network: "vpc-1", zones: ["us-east-1a", "us-east-1b"] });
    expect(found?.cidr).toBeUndefined();
    expect(found?.groups[0]?.tier).toBe("public");
    expect(found?.subnets.map(({ tier }) => tier)).toContain("private");
  });
});
