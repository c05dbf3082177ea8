import { type KubernetesComponent, minorOfImage } from "../flags/componentTable";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { settingIn, textIn } from "../settings/settingIn";
import { kubernetesRemovals } from "./kubernetesRemovals";

/** The settings of each component. */
const SETTINGS: Readonly<Record<KubernetesComponent, string>> = {
  apiServer: "cluster.apiServer",
  controllerManager: "cluster.controllerManager",
  scheduler: "cluster.scheduler",
  kubelet: "machine.kubelet",
  proxy: "cluster.proxy",
};

/** Settings of a component that are its own configuration file, with feature gates. */
const FILES = ["extraConfig", "config"] as const;

/** Flags of the API server whose value names admission plugins. */
export const ADMISSION_FLAGS: readonly string[] = [
  "enable-admission-plugins",
  "disable-admission-plugins",
  "admission-control",
];

const COMPONENTS = Object.keys(SETTINGS) as KubernetesComponent[];

/**
 * Flags, feature gates and admission plugins in a configuration that its Kubernetes release has
 * removed. A component that gets one of them ends at its start. A release that runs already is not
 * judged. For components whose images change first, settings that the same change removes count
 * too.
 *
 * @param before the outline of the running configuration; undefined for a new machine
 * @param after the outline of the new configuration
 * @returns a sentence for each, with what to do
 */
export function removedInKubernetes(
  before: ConfigDocument | undefined,
  after: ConfigDocument,
): string[] {
  return COMPONENTS.flatMap((component) => {
    const [from, to] = [before, after].map((outline) => minorOf(outline, component));
    const minors = [...kubernetesRemovals.keys()].filter(
      (minor) => minor <= (to ?? NaN) && !(minor <= (from ?? NaN)),
    );
    // The control plane gets its new images while its former flags are still set.
    const comesWithFlags = component === "kubelet" || component === "proxy";
    const told = before === undefined || comesWithFlags ? [after] : [before, after];
    const said = told.flatMap((each) =>
      minors.flatMap((minor) => removedFrom(each, component, minor)),
    );
    return [...new Set(said)];
  });
}

function removedFrom(
  outline: ConfigDocument,
  component: KubernetesComponent,
  minor: number,
): string[] {
  const {
    featureGates = [],
    flags = {},
    flagsOfAll = [],
    admissionPlugins = [],
  } = kubernetesRemovals.get(minor) ?? {};
  const { place: where, value } = settingIn(outline, `${SETTINGS[component]}.extraArgs`);
  const args = isMapping(value) ? value : {};
  const told = Object.keys(args).map((key) => {
    const place = `${where.join(".")}["${key}"]`;
    return { flag: flagName(key), place, names: namesIn(args[key]) };
  });
  const gates = new Map([
    ...told
      .filter(({ flag }) => flag === "feature-gates")
      .flatMap(({ place, names }) => names.map((gate) => [gate, place] as const)),
    ...gatesInFiles(outline, component),
  ]);
  const say = (place: string, what: string) =>
    `${place}: Kubernetes v1.${minor} has removed ${what}, and its components fail to start with it: remove it, with a separate "up" before the upgrade`;
  const removed = [...(flags[component] ?? []), ...flagsOfAll];
  return [
    ...told
      .filter(({ flag }) => removed.includes(flag))
      .map(({ flag, place }) => say(place, `the flag "${flag}"`)),
    ...featureGates.flatMap((gate) => {
      const place = gates.get(gate);
      return place === undefined ? [] : say(place, `the feature gate "${gate}"`);
    }),
    ...(component === "apiServer" ? told : [])
      .filter(({ flag }) => ADMISSION_FLAGS.includes(flag))
      .flatMap(({ place, names }) =>
        admissionPlugins
          .filter((plugin) => names.includes(plugin))
          .map((plugin) => say(place, `the admission plugin "${plugin}"`)),
      ),
  ];
}

/** The name of a flag. Kubernetes reads "_" in it as "-" (component-base, `cli/run.go`). */
export function flagName(key: string): string {
  return key.replaceAll("_", "-");
}

/** The first Kubernetes minor that has removed a flag of a component, as far as that is known. */
export function removalOfFlag(component: KubernetesComponent, flag: string): number | undefined {
  return [...kubernetesRemovals].find(([, { flags = {}, flagsOfAll = [] }]) =>
    [...(flags[component] ?? []), ...flagsOfAll].includes(flag),
  )?.[0];
}

/** The gates in a component's own configuration file, with their place. */
function gatesInFiles(
  outline: ConfigDocument,
  component: KubernetesComponent,
): (readonly [gate: string, place: string])[] {
  return FILES.flatMap((file) => {
    const { place, value } = settingIn(outline, `${SETTINGS[component]}.${file}.featureGates`);
    const gates = isMapping(value) ? Object.keys(value) : [];
    return gates.map((gate) => [gate, place.join(".")] as const);
  });
}

/** The names in a flag's value: `A=true,B=false`, or several such values. */
export function namesIn(value: YamlValue | undefined): string[] {
  if (typeof value === "string") {
    return value.split(",").map((each) => each.split("=")[0]?.trim() ?? "");
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

/** NaN without a release. */
function minorOf(outline: ConfigDocument | undefined, component: KubernetesComponent): number {
  return minorOfImage(outline && textIn(outline, `${SETTINGS[component]}.image`));
}
