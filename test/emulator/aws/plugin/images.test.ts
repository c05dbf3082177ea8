import { startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const GET_AMI_IDS = "aws:ec2/getAmiIds:getAmiIds";

describe("images and instance types of the substitute plugin", () => {
  let world: SubstituteWorld;

  beforeAll(async () => {
    world = await startSubstituteWorld();
  });
  afterAll(() => world.close());

  it("are listed by owner and name", async () => {
    const find = async (pattern: string) =>
      (
        await world.substitute.invoke(GET_AMI_IDS, {
          owners: ["540036508848"],
          filters: [{ name: "name", values: [pattern] }],
        })
      ).ids;
    const exact = await find("talos-v1.12.1-us-east-1-amd64");
    expect(exact).toEqual([expect.stringMatching(/^ami-/)]);
    expect(await find("talos-v1.12.*-us-east-1-amd64")).toEqual(
      expect.arrayContaining(exact as []),
    );
    expect(await find("talos-v9.*")).toEqual([]);
    await expect(world.substitute.invoke(GET_AMI_IDS, {})).rejects.toThrow(/owners/);
  });

  it("show which zones offer which instance types", async () => {
    const { instanceTypes, locations } = await world.substitute.invoke(
      "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings",
      {
        locationType: "availability-zone",
        filters: [
          { name: "instance-type", values: ["m6i.large", "a1.large"] },
          { name: "location", values: ["us-east-1a", "us-east-1e"] },
        ],
      },
    );
    const pairs = (instanceTypes as string[]).map((type, index) => [
      type,
      (locations as string[])[index],
    ]);
    expect(pairs).toContainEqual(["m6i.large", "us-east-1a"]);
    expect(pairs).not.toContainEqual(["m6i.large", "us-east-1e"]);
  });
});
