import {
  inspectAdoptedNetwork,
  type NetworkQueries,
} from "../../../components/network/adoptedNetwork";

const cluster = { podCidrs: ["10.244.0.0/16"], serviceCidrs: ["10.96.0.0/12"] };
const ids = {
  vpcId: "vpc-1",
  publicSubnetIds: { "us-east-1a": "subnet-1" },
  privateSubnetIds: { "us-east-1b": "subnet-2" },
};
const vpc = {
  cidrBlock: "10.0.0.0/16",
  cidrBlockAssociations: [{ cidrBlock: "10.0.0.0/16", state: "associated" }],
  enableDnsSupport: true,
  enableDnsHostnames: true,
};
const zones: Readonly<Record<string, string>> = {
  "subnet-1": "us-east-1a",
  "subnet-2": "us-east-1b",
};

const account = (change: Partial<NetworkQueries> = {}): NetworkQueries => ({
  getVpc: () => Promise.resolve(vpc),
  getSubnet: ({ id }) => Promise.resolve({ vpcId: "vpc-1", availabilityZone: zones[id] ?? "" }),
  ...change,
});

describe("inspectAdoptedNetwork", () => {
  it("accepts a network whose subnets are in the given zones", async () => {
    await expect(inspectAdoptedNetwork(ids, cluster, account())).resolves.toBeUndefined();
  });

  it("rejects ranges that overlap the network's, also its second one, not a removed one", async () => {
    const ranges = (state: string) =>
      account({
        getVpc: () =>
          Promise.resolve({
            ...vpc,
            cidrBlockAssociations: [
              ...vpc.cidrBlockAssociations,
              { cidrBlock: "10.244.128.0/17", state },
            ],
          }),
      });
    await expect(inspectAdoptedNetwork(ids, cluster, ranges("associated"))).rejects.toThrow(
      /podCidrs\[0\]: the range "10.244.0.0\/16" of pods overlaps the range "10.244.128.0\/17" of machines/,
    );
    await inspectAdoptedNetwork(ids, cluster, ranges("disassociated"));
  });

  it("reports all problems at once", async () => {
    const queries = account({
      getVpc: () => Promise.resolve({ ...vpc, enableDnsHostnames: false }),
      getSubnet: ({ id }) =>
        id === "subnet-1"
          ? Promise.resolve({ vpcId: "vpc-2", availabilityZone: "us-east-1c" })
          : Promise.reject(new Error("no such subnet")),
    });
    await expect(inspectAdoptedNetwork(ids, cluster, queries)).rejects.toThrow(
      [
        "the network vpc-1 can't be adopted:",
        "  - vpcId: the VPC vpc-1 gives machines no names: turn on its DNS support and its DNS host names, by which they are known in Kubernetes",
        `  - publicSubnetIds["us-east-1a"]: the subnet subnet-1 is in the VPC vpc-2, not in vpc-1`,
        `  - publicSubnetIds["us-east-1a"]: the subnet subnet-1 is in us-east-1c, not in "us-east-1a"`,
        `  - privateSubnetIds["us-east-1b"]: AWS doesn't answer: no such subnet`,
      ].join("\n"),
    );
  });
});
