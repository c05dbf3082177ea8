import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { KubernetesSource, UpgradeChecks } from "../../scripts/kubernetesSource";
import type { MachinerySource, TalosSource } from "../../scripts/talosSource";

const testdata = join(__dirname, "testdata");

/** What each release's Go code says, recorded by `npm run adopt`, oldest first. */
export const talosSources = recordsIn("talosSource") as readonly TalosSource[];

/** What the machinery of some releases says, recorded by `npm run adopt`, oldest first. */
export const machinerySources = recordsIn("machinerySource") as readonly MachinerySource[];

/** What Kubernetes' code says, recorded by `recordKubernetesSource`, oldest first. */
export const kubernetesSources = recordsIn("kubernetesSource") as readonly KubernetesSource[];

/** What `talosctl upgrade-k8s` checks, recorded by `recordKubernetesSource`. */
export const upgradeChecks = read("upgradeChecks.json") as UpgradeChecks;

/** Go's cache of modules. */
export const moduleCache =
  process.env.GOMODCACHE ?? join(process.env.GOPATH ?? join(homedir(), "go"), "pkg/mod");

/**
 * The folder of a release's module in Go's cache; undefined if Go hasn't downloaded it.
 *
 * @param module default: that of Talos
 */
export function moduleFolder(
  release: string,
  module = "github.com/siderolabs/talos",
): string | undefined {
  const found = join(moduleCache, `${module}@${release}`);
  return existsSync(found) ? found : undefined;
}

function recordsIn(folder: string): readonly unknown[] {
  return readdirSync(join(testdata, folder))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => read(join(folder, name)));
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(testdata, file), "utf8"));
}
