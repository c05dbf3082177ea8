import { join } from "node:path";
import { servePlugin } from "../../../emulator/aws/plugin/server";
import { takeDynamicPlugin } from "./dynamicPlugins";
import { judgingPlugin } from "./judgingPlugin";

/**
 * Has the engine write its state once, when it ends, instead of before and after each step: half of its
 * processor time. Not for a test that ends it in between.
 */
export const STATE_WRITTEN_ONCE = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Plugins that run already, for one engine after the other. */
export interface AttachedPlugins {
  /** Has an engine attach to them, and write its state once. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/**
 * Serves the plugins once for all runs of a stack: the stand-in for AWS in this process, Pulumi's
 * plugin for dynamic resources in one of its own. A real AWS plugin is started by the engine.
 *
 * @param stateDir that of the stack, whose project the resources find this package from
 * @param environment what the engine gives its plugins
 */
export async function attachPlugins(
  stateDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<AttachedPlugins> {
  const judge = await judgingPlugin();
  const standIn = judge.isSubstitute
    ? await servePlugin({ ...process.env, ...environment })
    : undefined;
  const plugin = await takeDynamicPlugin(join(stateDir, "project"), environment);
  return {
    environment: {
      ...STATE_WRITTEN_ONCE,
      PULUMI_DEBUG_PROVIDERS: [
        ...(standIn === undefined ? [] : [`aws:${standIn.port}`]),
        `pulumi-nodejs:${plugin.port}`,
      ].join(","),
    },
    close: () => {
      standIn?.close();
      plugin.release();
    },
  };
}
