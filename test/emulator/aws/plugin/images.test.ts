import { startStandInWorld, type StandInWorld } from "./standInWorld";

const GET_AMI_IDS = "aws:ec2/getAmiIds:getAmiIds";

describe("the images of the stand-in", () => {
  let world: StandInWorld;

  beforeAll(async () => {
    world = await startStandInWorld();
  }, 60_000);
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
});
