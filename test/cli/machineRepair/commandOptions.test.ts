import { run } from "../../../cli/run";

describe("the options of talos-aws repair", () => {
  it.each([
    [["--dry-run"], "--dry-run, --json and --end-volumes need --machines"],
    [["--json"], "--dry-run, --json and --end-volumes need --machines"],
    [["--machines", "--forget", "urn:x"], "leave --machines out"],
    [["--machines", "--after-minutes", "1"], "give a whole number from 5 to 1440"],
    [["--machines", "--most-away", "51"], "give a whole number from 1 to 50"],
    [["--machines", "--join-minutes", "soon"], "give a whole number from 5 to 1440"],
  ])("that don't fit are refused before anything is done: %j", async (args, reason) => {
    let printed = "";
    const error = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    try {
      expect(await run(["repair", "production", ...args])).toBe(2);
    } finally {
      error.mockRestore();
    }
    expect(printed).toContain(reason);
  });
});
