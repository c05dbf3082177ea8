import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { SemVer } from "semver";
import { goBuild } from "./goBuild";
import type { StepLog } from "./runStep";

/** The engine that goes with the SDK in package.json. */
export const PULUMI_VERSION = "3.230.0";

/**
 * A Pulumi engine of the right version: the one on PATH, else one installed or built before, else
 * installed from Pulumi's own site, else built from source with Go.
 *
 * @throws Error that names what to install when none of these works
 */
export async function ensurePulumi(cacheDir: string, log: StepLog): Promise<PulumiCommand> {
  const root = join(cacheDir, `pulumi-${PULUMI_VERSION}`);
  const wanted = new SemVer(PULUMI_VERSION);
  const onPath = await PulumiCommand.get({ version: wanted }).catch(() => undefined);
  if (onPath) {
    return onPath;
  }
  if (existsSync(join(root, "bin/pulumi"))) {
    const cached = await PulumiCommand.get({ root, version: wanted }).catch(() => undefined);
    if (cached) {
      return cached;
    }
    await rm(root, { recursive: true, force: true });
  }

  log.say(
    `no release ${PULUMI_VERSION} or newer is on PATH: downloading it into ${root} (a minute) …`,
  );
  log.at("downloading");
  const refusal = await PulumiCommand.install({ root, version: wanted }).then(
    (installed) => installed,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (typeof refusal !== "string") {
    return refusal;
  }
  log.say(`the download failed (${refusal.split("\n")[0] ?? ""})`);
  log.say("building it from source with Go instead (two to five minutes, once) …");
  const program = {
    target: join(root, "bin/pulumi"),
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    requires: { "github.com/pulumi/pulumi/pkg/v3": `v${PULUMI_VERSION}` },
    // The Automation API refuses an engine that doesn't know its version.
    flags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PULUMI_VERSION}`,
  };
  await goBuild(program, log);
  return PulumiCommand.get({ root, version: wanted });
}
