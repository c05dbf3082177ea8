import {
  type ConfigDocument,
  deniedFlags,
  type FlaggedProgram,
  formatPath,
  isMapping,
  kubeletSchemas,
  schemaErrors,
  talosMinor,
  type YamlValue,
} from "../../../provider/config";
import { fileErrors } from "./fileRefusals";
import { effectiveConfig } from "./machineFacts";
import { valueAt } from "./yamlPath";

/** Why Talos' controllers can't derive something from a configuration that it has accepted. */
export interface RenderErrors {
  /** By the names of static pods. */
  readonly staticPods: Readonly<Partial<Record<string, string>>>;
  readonly kubelet: string | undefined;
}

/** Components in Talos' order, with the type of resource that its errors name. */
const COMPONENTS = [
  ["kube-apiserver", "apiServer", "APIServerConfigs.kubernetes.talos.dev"],
  ["kube-controller-manager", "controllerManager", "ControllerManagerConfigs.kubernetes.talos.dev"],
  ["kube-scheduler", "scheduler", "SchedulerConfigs.kubernetes.talos.dev"],
] as const;

/** Source: talos v1.12.1, `pkg/machinery/kubelet`. */
const PROTECTED = [
  "apiVersion",
  "authentication",
  "authorization",
  "cgroupRoot",
  "kind",
  "kubeletCgroups",
  "port",
  "protectKernelDefaults",
  "resolvConf",
  "rotateCertificates",
  "systemCgroups",
  "staticPodPath",
  "seccompDefault",
];

/** By the documents, which a machine asks about with every change around it. */
const known = new WeakMap<readonly ConfigDocument[], RenderErrors & { readonly of: string }>();

/**
 * The errors in Talos' words: flags that it denies, and settings of kubelet that are protected,
 * unknown or of another type. Sources: talos v1.12.1, `k8s/control_plane_static_pod.go`,
 * `k8s/kubelet_spec.go` and `argsbuilder`; apimachinery v0.35.0, `runtime/converter.go`.
 *
 * @param talosVersion the running release, `v1.12.1`
 */
export function renderErrors(
  documents: readonly ConfigDocument[],
  talosVersion: string,
): RenderErrors {
  const before = known.get(documents);
  if (before?.of === talosVersion) {
    return before;
  }
  const errors = { ...findErrors(documents, talosVersion), of: talosVersion };
  known.set(documents, errors);
  return errors;
}

function findErrors(documents: readonly ConfigDocument[], talosVersion: string): RenderErrors {
  const config = effectiveConfig(documents) ?? {};
  const minor = talosMinor(talosVersion) ?? 0;
  const denied = (program: FlaggedProgram, room: "cluster" | "machine") => {
    const args = valueAt(config, room, program, "extraArgs");
    const flags = deniedFlags[program].flatMap((row) =>
      minor >= (row.since ?? 0) && minor <= (row.until ?? Infinity) ? row.flags : [],
    );
    const flag = Object.keys(isMapping(args) ? args : {}).find((name) => flags.includes(name));
    return flag === undefined ? undefined : `extra arg "${flag}" is not allowed`;
  };
  const pods = COMPONENTS.flatMap(([app, program, type]) => {
    const error = denied(program, "cluster");
    return error === undefined ? [] : [[app, `error updating static pod for "${type}": ${error}`]];
  });
  const ofFlags = denied("kubelet", "machine");
  return {
    staticPods: {
      ...fileErrors(documents, minor),
      ...(Object.fromEntries(pods) as Record<string, string>),
    },
    kubelet:
      ofFlags === undefined
        ? settingsError(valueAt(config, "machine", "kubelet", "extraConfig"), minor)
        : `error merging arguments: ${ofFlags}`,
  };
}

function settingsError(settings: YamlValue | undefined, minor: number): string | undefined {
  if (!isMapping(settings)) {
    return undefined;
  }
  const wrong = PROTECTED.filter((name) => Object.hasOwn(settings, name)).map(
    (name) => `\t* field "${name}" can't be overridden\n`,
  );
  if (wrong.length > 0) {
    const count = wrong.length === 1 ? "1 error" : `${wrong.length} errors`;
    return `error creating kubelet configuration: ${count} occurred:\n${wrong.join("")}\n`;
  }
  const schema = kubeletSchemas.get(minor);
  const type = schema?.documents.get("")?.type;
  const found =
    schema === undefined || type === undefined ? [] : schemaErrors(settings, schema.file, type);
  const reasons = found.map((error) =>
    error.keyword === "additionalProperties"
      ? `unknown field "${formatPath([...error.path, error.key])}"`
      : `cannot convert ${formatPath(error.path)}`,
  );
  return reasons.length === 0
    ? undefined
    : `error creating kubelet configuration: error unmarshalling extra kubelet configuration: strict decoding error: ${reasons.join(", ")}`;
}
