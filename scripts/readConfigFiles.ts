import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigFileRow } from "./configFileTable";
import { goCommand } from "./goCommand";
import { GO_ENVIRONMENT, prepareKubernetes } from "./kubernetesModule";
import { moduleVersion } from "./kubernetesSource";
import { paths } from "./paths";

/** The package of kinds that v1.36 has added, in k8s.io/apiserver. */
const POLICIES = "pkg/admission/plugin/policy/config/apis/policyconfig/install";

/**
 * Reads what a Kubernetes release knows in configuration files: it compiles and runs
 * `scripts/goTypes`, and reads the scheduler's plugins in its source.
 *
 * @param release `v1.37.2`
 * @throws Error with the end of Go's output, or if the source has another form
 */
export async function readConfigFiles(release: string): Promise<ConfigFileRow> {
  const workspace = await mkdtemp(join(tmpdir(), "config-file-types-"));
  try {
    const folder = await prepareKubernetes(release, workspace);
    await cp(join(paths.root, "scripts/goTypes"), workspace, { recursive: true });
    const library = await libraryFolder(release, workspace);
    const tags = existsSync(join(library, POLICIES)) ? ["-tags", "policies"] : [];
    const told = await goCommand(["run", "-ldflags", "-s -w", ...tags, "."], {
      cwd: workspace,
      environment: GO_ENVIRONMENT,
    });
    const { kinds, types } = JSON.parse(told) as Pick<ConfigFileRow, "kinds" | "types">;
    return { release, kinds, types, schedulerPlugins: schedulerPlugins(folder) };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/** Go fetches a library only when it compiles it, and what to compile is asked before. */
async function libraryFolder(release: string, cwd: string): Promise<string> {
  const module = `k8s.io/${moduleVersion("apiserver", release)}`;
  const told = await goCommand(["mod", "download", "-json", module], {
    cwd,
    environment: GO_ENVIRONMENT,
  });
  return (JSON.parse(told) as { readonly Dir: string }).Dir;
}

/** The scheduler's plugins, each with the extension points for which it has the methods. */
function schedulerPlugins(kubernetes: string): Record<string, readonly string[]> {
  const folder = join(kubernetes, "pkg/scheduler/framework/plugins");
  const registry = readFileSync(join(folder, "registry.go"), "utf8");
  const entries = [...registry.matchAll(/^\t\t(\w+)\.(\w*Name): /gm)].map(
    ([, pack = "", constant = ""]) => {
      const source = packageSource(folder, pack);
      return [nameOf(folder, source, constant), pointsOf(source, constant)] as const;
    },
  );
  if (entries.length === 0) {
    throw new Error(`${folder}: the registry has another form`);
  }
  return Object.fromEntries(entries);
}

/** The folder of a package can have another name: `queuesort` is alike, `topologyaware` too. */
function packageSource(folder: string, pack: string): string {
  return readdirSync(join(folder, pack))
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"))
    .map((file) => readFileSync(join(folder, pack, file), "utf8"))
    .join("\n");
}

function nameOf(folder: string, source: string, constant: string): string {
  const names = readFileSync(join(folder, "names/names.go"), "utf8");
  const alias = new RegExp(`\\b${constant}\\s*=\\s*names\\.(\\w+)`).exec(source)?.[1] ?? "";
  const name = new RegExp(`\\b${alias}\\s*=\\s*"(\\w+)"`).exec(names)?.[1];
  if (alias === "" || name === undefined) {
    throw new Error(`${folder}: the plugin of ${constant} has no name`);
  }
  return name;
}

function pointsOf(source: string, constant: string): string[] {
  const named = /^func \(\w*\s*\*?(\w+)\) Name\(\) string \{\s*return ([\w.]+)/gm;
  const types = [...source.matchAll(named)];
  // Plugins for volumes of a cloud share a type, which keeps its name in a field.
  const type =
    types.find(([, , returned]) => returned === constant) ??
    types.find(([, , returned = ""]) => returned.includes("."));
  const assertions = new RegExp(`_ \\w+\\.(\\w+)Plugin\\s*=\\s*&${type?.[1] ?? ""}\\{`, "g");
  return [...source.matchAll(assertions)]
    .map(([, point = ""]) => point.charAt(0).toLowerCase() + point.slice(1))
    .sort();
}
