import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { KubernetesSource, UpgradeChecks } from "../../scripts/kubernetesSource";
import type { MachinerySource, TalosSource } from "../../scripts/talosSource";

const testdata = join(__dirname, "testdata");

/** What each release's Go code says, recorded by `recordTalosSource`, oldest first. */
export const talosSources = recordsIn<TalosSource>("talosSource");

/** What the machinery of some releases says, recorded by `recordTalosSource`, oldest first. */
export const machinerySources = recordsIn<MachinerySource>("machinerySource");

/** What Kubernetes' code says, recorded by `recordKubernetesSource`, oldest first. */
export const kubernetesSources = recordsIn<KubernetesSource>("kubernetesSource");

/** What `talosctl upgrade-k8s` checks, recorded by `recordKubernetesSource`. */
export const upgradeChecks = read<UpgradeChecks>("upgradeChecks.json");

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

function recordsIn<Source>(folder: string): readonly Source[] {
  return readdirSync(join(testdata, folder))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => read<Source>(join(folder, name)));
}

function read<Source>(file: string): Source {
  return JSON.parse(readFileSync(join(testdata, file), "utf8")) as Source;
}
