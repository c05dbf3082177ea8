import { dirname, join } from "node:path";
import { packageRoot } from "../../../emulator/packageRoot";
import { describeAwsPlugin, findAwsPlugin } from "../../../scripts/awsPlugin";

/** Environment variable: `real` has the engine take a real plugin from PATH instead of the substitute. */
export const PLUGIN_VARIABLE = "TALOS_TEST_AWS_PLUGIN";

/** What judges the AWS resources of the engine tests. */
export interface JudgingPlugin {
  /** The substitute is served in the test's process, and engines attach to it. */
  readonly isSubstitute: boolean;
  /** Folders to put before the engine's PATH. */
  readonly pluginDirs: readonly string[];
  /** For people: which plugin it is, of which release. */
  readonly description: string;
}

let told = false;

/** The plugin that judges in this run. The first call of a process prints it. */
export async function judgingPlugin(): Promise<JudgingPlugin> {
  const judge = await chooseJudge(join(packageRoot(), "emulator/aws/plugin/bin"), process.env);
  if (!told) {
    told = true;
    process.stderr.write(`${judge.description}\n`);
  }
  return judge;
}

/**
 * The plugin that judges, by the variable `TALOS_TEST_AWS_PLUGIN`. Default: the substitute.
 *
 * @param substituteDir folder with the substitute's executable
 * @throws Error when a real one is asked for and there is none, or the variable says something else.
 */
export async function chooseJudge(
  substituteDir: string,
  environment: NodeJS.ProcessEnv,
): Promise<JudgingPlugin> {
  const wanted = environment[PLUGIN_VARIABLE] ?? "";
  if (wanted === "") {
    const description = "The AWS plugin that judges is the substitute, in the test's own process.";
    return { isSubstitute: true, pluginDirs: [substituteDir], description };
  }
  if (wanted !== "real") {
    throw new Error(`${PLUGIN_VARIABLE} is "${wanted}"; it must be "real", or not set`);
  }
  const found = await findAwsPlugin(substituteDir, environment);
  if (found.kind !== "real") {
    throw new Error(
      `${PLUGIN_VARIABLE} is "real", and the pulumi-resource-aws that the engine finds is the ` +
        `substitute (${found.path}): put the folder of a real one on PATH`,
    );
  }
  return {
    isSubstitute: false,
    pluginDirs: [dirname(found.path)],
    description: describeAwsPlugin(found),
  };
}
