import { startEngineWorld } from "./support/engineWorld";

describe("the environments", () => {
  it.each([
    ["sandbox", 1],
    ["staging", 5],
    ["production", 6],
  ])(
    "%s previews without an error as it is shipped",
    async (stack, machines) => {
      const world = await startEngineWorld({ stack });
      try {
        const { changeSummary, stdout } = await world.stack.preview(world.record);
        expect(Object.keys(changeSummary)).toEqual(["create"]);
        expect(stdout.match(/aws:ec2:Instance /g)).toHaveLength(machines);
        expect(stdout).toContain("placeholder");
        expect(stdout).toMatch(/costs about \$\d+ (to \$\d+ )?a month/);
      } finally {
        await world.close();
      }
    },
    120_000,
  );
});
