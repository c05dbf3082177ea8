import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseJudge } from "../engine/support/judgingPlugin";

const SUBSTITUTE = join(__dirname, "../../emulator/aws/plugin/bin");

describe("the AWS plugin that judges the engine tests", () => {
  let folder: string;
  const home = () => ({ PULUMI_HOME: folder, PATH: folder });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "judge-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is the substitute in the test's own process unless a real one is asked for", async () => {
    expect(await chooseJudge(SUBSTITUTE, home())).toMatchObject({
      isSubstitute: true,
      pluginDirs: [SUBSTITUTE],
      description: expect.stringContaining("substitute") as unknown,
    });
  });

  it("is the real one on PATH by the variable, and the run says which release", async () => {
    const file = join(folder, "pulumi-resource-aws");
    await writeFile(file, "#!/bin/sh\necho 7.48.0\n");
    await chmod(file, 0o755);
    expect(await chooseJudge(SUBSTITUTE, { ...home(), TALOS_TEST_AWS_PLUGIN: "real" })).toEqual({
      isSubstitute: false,
      pluginDirs: [folder],
      description: `The AWS plugin is the real one, version 7.48.0: ${file}`,
    });
  });

  it("isn't the substitute where a real one is asked for", async () => {
    for (const PATH of [folder, SUBSTITUTE]) {
      const environment = { ...home(), PATH, TALOS_TEST_AWS_PLUGIN: "real" };
      await expect(chooseJudge(SUBSTITUTE, environment)).rejects.toThrow(
        /is the substitute .*put the folder of a real one on PATH/,
      );
    }
    const wrong = { ...home(), TALOS_TEST_AWS_PLUGIN: "6.58" };
    await expect(chooseJudge(SUBSTITUTE, wrong)).rejects.toThrow('is "6.58"; it must be "real"');
  });
});
