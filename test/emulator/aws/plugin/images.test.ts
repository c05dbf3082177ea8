import { startStandInWorld, type StandInWorld } from "./standInWorld";

const GET_AMI_IDS = "aws:ec2/getAmiIds:getAmiIds";

describe("images and instance types of the substitute plugin", () => {
  let world: StandInWorld;

  beforeAll(async () => {
    world = await startStandInWorld();
  });
  afterAll(() => world.close());

  it("are listed by owner and name", async () => {
    const find = async (pattern: string) =>
      (
        await world.standIn.invoke(GET_AMI_IDS, {
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
    await expect(world.standIn.invoke(GET_AMI_IDS, {})).rejects.toThrow(/owners/);
  });

  it("show which zones offer which instance types", async () => {
    const { instanceTypes, locations } = await world.standIn.invoke(
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
