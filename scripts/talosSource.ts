import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FlaggedProgram } from "../provider/config/rules/deniedFlags";

/** What the product repeats of Talos' Go code, as one release has it. */
export interface TalosSource {
  readonly release: string;
  /** Flags that are denied, sorted, by program. */
  readonly deniedFlags: Readonly<Record<FlaggedProgram, readonly string[]>>;
  /** The names of all controllers, sorted. */
  readonly controllers: readonly string[];
}

/** What the product repeats of the module github.com/siderolabs/talos/pkg/machinery. */
export interface MachinerySource {
  readonly release: string;
  /** The first minor and the last of Kubernetes 1 that each Talos minor supports, by that: `1.14`. */
  readonly kubernetes: Readonly<Record<string, readonly [oldest: number, newest: number]>>;
  /** Settings of kubelet that can't be set, sorted. */
  readonly protectedKubeletSettings: readonly string[];
  /** Prefixes of flags that `KubeAPIServerConfig` denies since v1.14, sorted. */
  readonly deniedFlagPrefixes: readonly string[];
  /** Kinds of documents that conflict with the machine configuration proper, sorted. */
  readonly conflictingKinds: readonly string[];
  /** Kinds of documents for control plane machines only, sorted; none before v1.14. */
  readonly controlPlaneKinds: readonly string[];
  /** The tags of images that a configuration needs not name, without a leading `v`. */
  readonly imageTags: Readonly<Record<"coreDns" | "etcd" | "flannel" | "kubernetes", string>>;
}

/**
 * Reads the source of a machinery release, from the module's folder.
 *
 * @throws Error if a place that every known release has is empty: it has moved
 */
export function readMachinerySource(folder: string, release: string): MachinerySource {
  const minors = readdirSync(join(folder, "compatibility")).filter((name) =>
    /^talos1\d\d$/.test(name),
  );
  const kubernetes = minors.map((name) => {
    const text = readIfThere(join(folder, "compatibility", name, `${name}.go`));
    const minorOf = (end: string) =>
      Number(
        new RegExp(`${end}KubernetesVersion = semver.MustParse\\("1\\.(\\d+)`).exec(text)?.[1],
      );
    const range: [number, number] = [minorOf("Minimum"), minorOf("Maximum")];
    return [name.replace("talos1", "1."), range] as const;
  });
  const constants = readIfThere(join(folder, "constants/constants.go"));
  const version = (name: string) =>
    checked([new RegExp(`\\b${name} = "v?([\\d.]+)"`).exec(constants)?.[1] ?? []].flat()).join();
  const kubelet = readIfThere(join(folder, "kubelet/kubelet.go"));
  const [, settings = ""] =
    /ProtectedConfigurationFields = \[\]string\{([^}]*)\}/.exec(kubelet) ?? [];
  const apiServer = readIfThere(join(folder, "config/types/k8s/apiserver.go"));
  const [, prefixes = ""] =
    /deniedArgPrefixes = map\[string\]string\{([^}]*)\n\}/.exec(apiServer) ?? [];
  return {
    release,
    kubernetes: Object.fromEntries(kubernetes),
    protectedKubeletSettings: checked(
      [...settings.matchAll(/^\t"(\w+)",/gm)].map(([, name = ""]) => name),
    ),
    deniedFlagPrefixes: [...prefixes.matchAll(/^\t"([\w-]+)":/gm)]
      .map(([, name = ""]) => name)
      .sort(),
    conflictingKinds: checked(kindsWith("V1Alpha1ConflictValidate", folder)),
    controlPlaneKinds: kindsWith("ControlplaneOnlyDocument", folder),
    imageTags: {
      coreDns: version("DefaultCoreDNSVersion"),
      etcd: version("DefaultEtcdVersion"),
      flannel: version("FlannelVersion"),
      kubernetes: version("DefaultKubernetesVersion"),
    },
  };
}

/**
 * Reads the source of a Talos release: the module github.com/siderolabs/talos, or its folder
 * `internal/app/machined`.
 *
 * @throws Error if a place that has flags in every known release has none: it has moved
 */
export function readTalosSource(folder: string, release: string): TalosSource {
  const machined = join(folder, "internal/app/machined/pkg");
  const controllers = join(machined, "controllers");
  const k8s = (file: string) => readIfThere(join(controllers, "k8s", file));
  // v1.14 has the policies of the control plane in a file of its own.
  const pods = `${k8s("control_plane_static_pod.go")}\n${k8s("control_plane_final.go")}`;
  const [apiServer = "", controllerManager = "", scheduler = ""] = policiesIn(pods);
  const etcd = readIfThere(join(machined, "system/services/etcd.go"));
  return {
    release,
    deniedFlags: {
      apiServer: deniedIn(apiServer),
      controllerManager: deniedIn(controllerManager),
      scheduler: deniedIn(scheduler),
      proxy: deniedIn(policiesIn(k8s("control_plane.go")).at(-1) ?? ""),
      etcd: keysIn(
        /argsForControlPlane\([^]*?denyListArgs := argsbuilder\.Args\{([^]*?)\n\t\}/,
        etcd,
      ),
      kubelet: deniedIn(policiesIn(k8s("kubelet_spec.go"))[0] ?? ""),
    },
    controllers: controllersIn(controllers),
  };
}

/** The kinds of documents whose type has a method. */
function kindsWith(method: string, folder: string): string[] {
  const types = join(folder, "config/types");
  const pattern = new RegExp(`^func \\(\\w+ \\*(\\w+)V1Alpha1\\) ${method}\\(`, "gm");
  return readdirSync(types, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"))
    .flatMap((file) => [...readIfThere(join(types, file)).matchAll(pattern)])
    .map(([, kind = ""]) => kind)
    .sort();
}

/** The texts of all merge policies of a file, in its order. */
function policiesIn(text: string): string[] {
  return [...text.matchAll(/argsbuilder\.MergePolicies\{([^]*?)\n\t+\}/g)].map(
    ([, policies = ""]) => policies,
  );
}

function deniedIn(policies: string): string[] {
  const found = [...policies.matchAll(/"([\w-]+)":\s*argsbuilder\.MergeDenied/g)];
  return checked(found.map(([, flag = ""]) => flag));
}

function keysIn(pattern: RegExp, text: string): string[] {
  const [, args = ""] = pattern.exec(text) ?? [];
  return checked([...args.matchAll(/^\t\t"([\w-]+)":/gm)].map(([, flag = ""]) => flag));
}

function checked(flags: readonly string[]): string[] {
  if (flags.length === 0) {
    throw new Error("a place of denied flags has moved: look for MergeDenied and denyListArgs");
  }
  return [...flags].sort();
}

/** A controller names itself in a method, or in the settings of a transformation. */
function controllersIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".go") && !file.endsWith("_test.go"),
  );
  const names = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return [
      ...text.matchAll(/\) Name\(\) string \{\s*return "(\w+\.\w+)"/g),
      ...text.matchAll(/^\t+(?:Name:\s+|)"(\w+\.\w+Controller)",$/gm),
      ...text.matchAll(/Name:\s+"(\w+\.\w+)"/g),
      // One for each containerd and each of its namespaces.
      ...text.matchAll(/Sprintf\("(%s\.%s\.\w+Controller)"/g),
      // Named after the type of resource: `network/generic_merge.go`.
      ...[...text.matchAll(/^func New(\w+MergeController)\(\)/gm)].map(([all, name = ""]) => [
        all,
        `${name}s.net.talos.dev`,
      ]),
    ].map(([, name = ""]) => name);
  });
  return [...new Set(names)].sort();
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return "";
    }
    throw error;
  }
}
