import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { version as sdkVersion } from "@pulumi/aws/package.json";

const NAME = "pulumi-resource-aws";
const MOST_SCRIPT_BYTES = 4_096;
const VERSION_TIMEOUT_MS = 20_000;

/** The plugin that Pulumi's engine does AWS' resources with. */
export interface AwsPlugin {
  /** `substitute`: the one of the embedded cloud, which serves only what this project uses. */
  readonly kind: "real" | "substitute";
  /** The executable. */
  readonly path: string;
  /** Without a leading v; undefined for the substitute, and where the real one doesn't tell. */
  readonly version?: string;
  /** Folders to put before PATH, so that the engine takes it. */
  readonly pluginDirs: readonly string[];
}

/**
 * The plugin that the engine will use: what is on PATH, as the engine prefers that; else what is in
 * Pulumi's own folder of plugins, when it is at least the release that the program asks for; else
 * the substitute.
 *
 * @param substituteDir folder with the substitute's executable.
 */
export async function findAwsPlugin(
  substituteDir: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<AwsPlugin> {
  const ambient = (environment.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, NAME))
    .find(isExecutable);
  if (ambient !== undefined) {
    return isSubstitute(ambient)
      ? { kind: "substitute", path: ambient, pluginDirs: [dirname(ambient)] }
      : { kind: "real", path: ambient, ...(await versionOf(ambient)), pluginDirs: [] };
  }
  const installed = installedPlugin(environment.PULUMI_HOME ?? join(homedir(), ".pulumi"));
  return (
    installed ?? {
      kind: "substitute",
      path: join(substituteDir, NAME),
      pluginDirs: [substituteDir],
    }
  );
}

/** A line for people: which plugin it is, of which release, and where. */
export function describeAwsPlugin({ kind, path, version }: AwsPlugin): string {
  return kind === "real"
    ? `The AWS plugin is the real one, version ${version ?? "unknown"}: ${path}`
    : `The AWS plugin is the substitute of the embedded cloud: ${path}. A real ${NAME} on PATH would ` +
        "take its place.";
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The substitute is a short script that names itself; the real plugin is a program of many megabytes. */
function isSubstitute(path: string): boolean {
  return (
    statSync(path).size <= MOST_SCRIPT_BYTES &&
    readFileSync(path, "utf8").includes("substitute for the AWS plugin")
  );
}

async function versionOf(path: string): Promise<{ version?: string }> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      timeout: VERSION_TIMEOUT_MS,
    });
    const [version] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? [];
    return version === undefined ? {} : { version };
  } catch {
    return {};
  }
}

/** The newest of the installed ones that the engine would take. */
function installedPlugin(pulumiHome: string): AwsPlugin | undefined {
  const folder = join(pulumiHome, "plugins");
  const [version] = (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => /^resource-aws-v(7\.\d+\.\d+)$/.exec(name)?.[1] ?? [])
    .filter((each) => compareVersions(each, sdkVersion) >= 0)
    .filter((each) => isExecutable(join(folder, `resource-aws-v${each}`, NAME)))
    .sort((a, b) => compareVersions(b, a));
  return version === undefined
    ? undefined
    : {
        kind: "real",
        path: join(folder, `resource-aws-v${version}`, NAME),
        version,
        pluginDirs: [],
      };
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
