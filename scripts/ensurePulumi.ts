import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import { minVersion, SemVer } from "semver";
import { goBuild } from "./goBuild";
import { paths } from "./paths";
import type { StepLog } from "./runStep";

/** The newest engine, which goes with the SDK in package.json. */
const NEWEST_VERSION = "3.274.1";

/** The oldest engine and SDK that the package works with. */
export const OLDEST_VERSION = oldestVersion();

/** The engine that goes with the installed SDK: the newest, or the oldest with the SDK of its release. */
export const PULUMI_VERSION = sdkVersion === OLDEST_VERSION ? OLDEST_VERSION : NEWEST_VERSION;

/** Which engines will do. */
export interface EngineOptions {
  /** Only `PULUMI_VERSION`, as for tests. Default: also any on PATH that the package works with. */
  readonly exact?: boolean;
}

/**
 * A Pulumi engine: the one on PATH, else one installed or built before, else installed from Pulumi's own
 * site, else built from source with Go.
 *
 * @throws Error that names what to install when none of these works
 */
export async function ensurePulumi(
  cacheDir: string,
  log: StepLog,
  { exact = false }: EngineOptions = {},
): Promise<PulumiCommand> {
  const root = join(cacheDir, `pulumi-${PULUMI_VERSION}`);
  const version = new SemVer(PULUMI_VERSION);
  const oldest = new SemVer(OLDEST_VERSION);
  const onPath = await PulumiCommand.get({ version: oldest }).catch(() => undefined);
  if (onPath && (!exact || onPath.version?.compare(version) === 0)) {
    return onPath;
  }
  if (existsSync(join(root, "bin/pulumi"))) {
    const cached = await PulumiCommand.get({ root, version }).catch(() => undefined);
    if (cached) {
      return cached;
    }
    await rm(root, { recursive: true, force: true });
  }

  const wanted = exact ? `release ${PULUMI_VERSION}` : `release ${OLDEST_VERSION} or newer`;
  log.say(`no ${wanted} is on PATH: downloading ${PULUMI_VERSION} into ${root} (a minute) …`);
  log.at("downloading");
  const refusal = await PulumiCommand.install({ root, version }).then(
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
  return PulumiCommand.get({ root, version });
}

/** Where the range of the peer dependency begins. */
function oldestVersion(): string {
  const { peerDependencies } = JSON.parse(
    readFileSync(join(paths.root, "package.json"), "utf8"),
  ) as { readonly peerDependencies: Readonly<Record<string, string>> };
  const range = peerDependencies["@pulumi/pulumi"] ?? "";
  const oldest = minVersion(range);
  if (oldest === null) {
    throw new Error(`no release of Pulumi is in the range "${range}"`);
  }
  return oldest.version;
}
