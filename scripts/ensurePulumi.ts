import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import { minVersion, SemVer } from "semver";
import { goBuild } from "./goBuild";
import { goCommand } from "./goCommand";
import { goSums } from "./goSums";
import { paths } from "./paths";
import type { StepLog } from "./runStep";

/** The newest engine, which goes with the SDK in package.json. */
const NEWEST_VERSION = "3.276.0";

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
 * A Pulumi engine: the one on PATH, else one installed or built before, else built with Go from source whose hash is
 * known, else installed from Pulumi's own site, whose archive and script nobody vouches for but its certificate.
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

  if (await hasGo()) {
    log.say(
      `no engine is on PATH: building ${PULUMI_VERSION} with Go (two to five minutes, once) …`,
    );
    await buildEngine(root, log);
    return PulumiCommand.get({ root, version });
  }
  const wanted = exact ? `release ${PULUMI_VERSION}` : `release ${OLDEST_VERSION} or newer`;
  log.say(
    `no ${wanted} is on PATH, and no Go to build it from source by its hash: downloading ${PULUMI_VERSION} from get.pulumi.com into ${root} (a minute) …`,
  );
  log.at("downloading");
  try {
    return await PulumiCommand.install({ root, version });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(
      `there is no Pulumi engine: its download failed (${reason ?? ""}). Install Pulumi ${OLDEST_VERSION} or newer, or Go 1.26 or newer to build it`,
      { cause: error },
    );
  }
}

async function hasGo(): Promise<boolean> {
  return goCommand(["version"], { cwd: paths.root }).then(
    () => true,
    () => false,
  );
}

async function buildEngine(root: string, log: StepLog): Promise<void> {
  const module = "github.com/pulumi/pulumi/pkg/v3";
  const version = `v${PULUMI_VERSION}`;
  const program = {
    target: join(root, "bin/pulumi"),
    package: `${module}/cmd/pulumi`,
    requires: { [module]: version },
    sums: goSums(module, version),
    // The Automation API refuses an engine that doesn't know its version.
    flags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`,
  };
  await goBuild(program, log);
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
