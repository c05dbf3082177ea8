import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { shownStack } from "../cli/engine/shownStack";
import { findDaemon, stopDaemon } from "../emulator/daemon";
import { findAwsPlugin } from "./awsPlugin";
import { CompactProgress } from "./compactProgress";
import { ensurePulumi } from "./ensurePulumi";
import { exclusive } from "./exclusive";
import { bindToWorld, local, openLocalStack } from "./localEnvironment";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** `npm run local:down`: destroys every resource, then ends the cloud; leaves caches only. */
async function main(): Promise<void> {
  const release = exclusive(local.lockFile, "the local environment");
  const cloud = await findDaemon(local.cloudDir);
  if (cloud) {
    await bindToWorld(cloud.worldId);
    if (existsSync(local.stackDir)) {
      const engine = await runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log));
      const stack = await openLocalStack(engine, cloud, await findAwsPlugin(cloud.pluginDir));
      await stack.cancel().catch(() => undefined);
      const progress = new CompactProgress(say);
      await shownStack(stack).destroy({ onEvent: progress.add });
      progress.end();
    }
    await cloud.stop();
  } else {
    await stopDaemon(local.cloudDir);
  }
  release();
  await rm(paths.local, { recursive: true, force: true });
  say("The local environment is gone.");
}

runMain(main);
