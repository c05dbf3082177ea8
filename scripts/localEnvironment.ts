import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PulumiCommand, Stack } from "@pulumi/pulumi/automation";
import type { DaemonHandle } from "../emulator/daemon";
import type { FORMER_RELEASES } from "../provider/config/releases/newestReleases";
import type { AwsPlugin } from "./awsPlugin";
import { localProgram } from "./localProgram";
import { openStack } from "./openStack";
import { paths } from "./paths";

/** Where the local environment keeps what is its own. */
export const local = {
  /** Of the running cloud. */
  cloudDir: join(paths.local, "cloud"),
  /** Of the stack: state, passphrase, project. */
  stackDir: join(paths.local, "stack"),
  /** Says which world the stack's state is about. */
  worldFile: join(paths.local, "world"),
  /** The version contract of a cluster that was made with another one than the settings have. */
  contractFile: join(paths.local, "stack/versionContract"),
  lockFile: join(paths.local, "lock"),
  kubeconfig: join(paths.local, "kubeconfig"),
  talosconfig: join(paths.local, "talosconfig"),
};

/**
 * Forgets the stack's state when it is about another world than the one that runs: what it names
 * ended with that world, there is nothing left to refresh or to destroy.
 *
 * @returns whether there was anything to forget
 */
export async function bindToWorld(worldId: string): Promise<boolean> {
  const before = await readFile(local.worldFile, "utf8").catch(() => undefined);
  if (before === worldId) {
    return false;
  }
  const hadState = existsSync(local.stackDir);
  await rm(local.stackDir, { recursive: true, force: true });
  await rm(local.kubeconfig, { force: true });
  await rm(local.talosconfig, { force: true });
  await mkdir(paths.local, { recursive: true, mode: 0o700 });
  await writeFile(local.worldFile, worldId);
  return hadState;
}

/** Whether a run of the engine has left its lock on the stack. */
export async function isLocked(): Promise<boolean> {
  const folder = join(local.stackDir, "backend/.pulumi/locks");
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.some((entry) => entry.isFile());
}

/** The releases of a cluster, as the settings name them. */
export type Releases = Partial<Record<keyof typeof FORMER_RELEASES, string>>;

/**
 * Opens the stack `local` on the running cloud, whose AWS endpoints a real plugin speaks to as well.
 *
 * @param releases instead of those in its settings. Default: the contract that its cluster was made with
 */
export async function openLocalStack(
  engine: PulumiCommand,
  cloud: DaemonHandle,
  { pluginDirs }: Pick<AwsPlugin, "pluginDirs">,
  releases?: Releases,
): Promise<Stack> {
  const changes = Object.entries(releases ?? (await madeWith()));
  return openStack({
    stack: "local",
    program: localProgram(cloud.machines),
    engine,
    stateDir: local.stackDir,
    environment: cloud.environment,
    pluginDirs,
    changes: Object.fromEntries(changes.map(([name, value]) => [`talos-aws:${name}`, value])),
  });
}

/** A contract is frozen, so a cluster keeps its own when the settings have a newer one. */
async function madeWith(): Promise<Releases> {
  const versionContract = await readFile(local.contractFile, "utf8").catch(() => undefined);
  return versionContract === undefined ? {} : { versionContract };
}
