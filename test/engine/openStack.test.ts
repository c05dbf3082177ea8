import { delimiter, dirname, join } from "node:path";
import { openStack } from "../../cli/engine/openStack";
import { engineFromEnvironment } from "./support/engineFromEnvironment";

const environments = join(__dirname, "../../environments");

describe("the parallelism of the command line", () => {
  const { PATH, PULUMI_PARALLEL } = process.env;

  beforeAll(async () => {
    const { command } = await engineFromEnvironment();
    process.env.PATH = [dirname(command), PATH ?? ""].join(delimiter);
  });

  afterEach(() => {
    delete process.env.PULUMI_PARALLEL;
  });

  afterAll(() => {
    Object.assign(process.env, { PATH, ...(PULUMI_PARALLEL !== undefined && { PULUMI_PARALLEL }) });
  });

  it.each([
    [undefined, "100"],
    ["8", "8"],
  ])("with PULUMI_PARALLEL %s, %s operations at once", async (given, expected) => {
    delete process.env.PULUMI_PARALLEL;
    Object.assign(process.env, given !== undefined && { PULUMI_PARALLEL: given });
    const { workspace } = await openStack("sandbox", environments);
    expect(workspace.envVars).toEqual({ PULUMI_PARALLEL: expected });
  });
});
