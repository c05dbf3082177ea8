import { join } from "node:path";
import { servePlugin } from "../../../emulator/aws/plugin/server";
import { takeDynamicPlugin } from "./dynamicPlugins";
import { judgingPlugin } from "./judgingPlugin";

/**
 * Has the engine write its state once, when it ends, instead of before and after each step: half of its
 * processor time. Not for a test that ends it in between.
 */
export const STATE_WRITTEN_ONCE = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Variable with the plugins that an engine attaches to instead of starting them. */
const ATTACHED = "PULUMI_DEBUG_PROVIDERS";

/** Plugins that run already, for one engine after the other. */
export interface AttachedPlugins {
  /** Has an engine attach to them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/**
 * Serves the substitute for AWS once for all runs on a cloud, in this process. A real AWS plugin is started by
 * the engine.
 *
 * @param environment what leads it to the cloud
 */
export async function attachAwsPlugin(
  environment: Readonly<Record<string, string>>,
): Promise<AttachedPlugins> {
  const judge = await judgingPlugin();
  if (!judge.isSubstitute) {
    return { environment: {}, close: () => undefined };
  }
  const { port, close } = await servePlugin({ ...process.env, ...environment });
  return { environment: { [ATTACHED]: `aws:${port}` }, close };
}

/**
 * Serves the plugins once for all runs of a stack: that of `attachAwsPlugin`, and Pulumi's plugin for
 * dynamic resources in a process of its own.
 *
 * @param stateDir that of the stack, whose project the resources find this package from
 * @param environment what the engine gives its plugins
 */
export async function attachPlugins(
  stateDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<AttachedPlugins> {
  const aws = await attachAwsPlugin(environment);
  const plugin = await takeDynamicPlugin(join(stateDir, "project"), environment);
  return {
    environment: {
      ...STATE_WRITTEN_ONCE,
      [ATTACHED]: [...Object.values(aws.environment), `pulumi-nodejs:${plugin.port}`].join(","),
    },
    close: () => {
      aws.close();
      plugin.release();
    },
  };
}
