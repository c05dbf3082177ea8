import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesComponent } from "../provider/config/flags/componentTable";

/** What the product repeats of Kubernetes' Go code, as one release has it. All lists are sorted. */
export interface KubernetesSource {
  /** `v1.37.2`. */
  readonly release: string;
  /** The feature gates that its components accept. */
  readonly featureGates: readonly string[];
  /** The admission plugins that its API server has. */
  readonly admissionPlugins: readonly string[];
}

/** The folders of Kubernetes' code that define gates; `kubernetes` is its main module. */
const GATE_FOLDERS: readonly (readonly [module: string, folder: string])[] = [
  ["kubernetes", "pkg/features"],
  ["apiserver", "pkg/features"],
  ["apiextensions-apiserver", "pkg/features"],
  ["controller-manager", "pkg/features"],
  ["component-base", "metrics/features"],
  ["component-base", "logs/api/v1"],
  ["component-base", "zpages/features"],
  ["client-go", "features"],
];

const PLUGIN_FOLDERS: typeof GATE_FOLDERS = [
  ["kubernetes", "plugin/pkg/admission"],
  ["apiserver", "pkg/admission/plugin"],
];

/**
 * Reads the source of a Kubernetes release.
 *
 * @param modules the folder of the modules `k8s.io/…`, by name and version: Go's cache
 * @param release `v1.37.2`
 * @throws Error if a module is missing, or no gates or plugins are found
 */
export function readKubernetesSource(modules: string, release: string): KubernetesSource {
  const read = (folders: typeof GATE_FOLDERS, pattern: RegExp) => {
    const names = folders.flatMap(([module, folder]) =>
      goFilesIn(join(modules, moduleVersion(module, release)), folder).flatMap((text) =>
        [...text.matchAll(pattern)].map(([, name = ""]) => name),
      ),
    );
    if (names.length === 0) {
      throw new Error(`Kubernetes ${release}: its places have moved: look for ${pattern.source}`);
    }
    return [...new Set(names)].sort();
  };
  return {
    release,
    featureGates: read(GATE_FOLDERS, /^\t?(?:const )?\w+\s+(?:\w+\.)?Feature\s*=\s*"(\w+)"/gm),
    admissionPlugins: read(PLUGIN_FOLDERS, /\bPluginName\s*=\s*"(\w+)"/g),
  };
}

/** The name of a module's folder. Libraries of `v1.37.2` are `v0.37.2`. */
export function moduleVersion(module: string, release: string): string {
  return `${module}@${module === "kubernetes" ? release : release.replace(/^v1/, "v0")}`;
}

/** Not every release has each folder. */
function goFilesIn(module: string, folder: string): string[] {
  const place = join(module, folder);
  if (!existsSync(place) && existsSync(module)) {
    return [];
  }
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"))
    .map((file) => readFileSync(join(place, file), "utf8"));
}

/** What `talosctl upgrade-k8s` refuses on the way to each Kubernetes minor, as it stands there. */
export interface UpgradeChecks {
  /** Of siderolabs/go-kubernetes. */
  readonly release: string;
  readonly minors: Readonly<Record<string, UpgradeCheck>>;
}

/** What one minor has removed. */
interface UpgradeCheck {
  readonly featureGates: readonly string[];
  readonly apiResources: readonly string[];
  readonly admissionPlugins: readonly string[];
  readonly flags: Readonly<Partial<Record<KubernetesComponent, readonly string[]>>>;
}

/**
 * Reads `kubernetes/upgrade/checks.go` of siderolabs/go-kubernetes.
 *
 * @throws Error if it has no checks that can be read
 */
export function readUpgradeChecks(folder: string, release: string): UpgradeChecks {
  const text = readFileSync(join(folder, "kubernetes/upgrade/checks.go"), "utf8");
  const parts = text.split(/^\t{3}"1\.\d+->1\.(?=\d+": \{)/m).slice(1);
  if (parts.length === 0) {
    throw new Error(`go-kubernetes ${release}: checks.go has another form`);
  }
  const minors = parts.map((part) => [part.slice(0, part.indexOf('"')), checkIn(part)] as const);
  return { release, minors: Object.fromEntries(minors) };
}

function checkIn(part: string): UpgradeCheck {
  const list = (name: string, within = part) =>
    [
      ...(new RegExp(`${name}: \\[\\]string\\{([^}]*)\\}`).exec(within)?.[1] ?? "").matchAll(
        /^\s*"([^"]+)"/gm,
      ),
    ].map(([, item = ""]) => item);
  const components = {
    apiServer: "kubeAPIServerChecks",
    controllerManager: "kubeControllerManagerChecks",
    scheduler: "kubeSchedulerChecks",
    kubelet: "kubeletChecks",
  };
  const flags = Object.entries(components).flatMap(([component, name]) => {
    const block = new RegExp(`^\\t{4}${name}: [^]*?^\\t{4}\\},`, "m").exec(part)?.[0] ?? "";
    const removed = list("removedFlags", block);
    return removed.length === 0 ? [] : [[component, removed] as const];
  });
  return {
    featureGates: list("removedFeatureGates"),
    apiResources: list("removedAPIResources"),
    admissionPlugins: list("removedAdmissionPlugins"),
    flags: Object.fromEntries(flags),
  };
}
