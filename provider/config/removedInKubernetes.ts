import { kubernetesRemovals, type KubernetesComponent } from "./kubernetesRemovals";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";

/** The place of each component's flags in the configuration. */
const PLACES: Readonly<Record<KubernetesComponent, readonly [string, string]>> = {
  apiServer: ["cluster", "apiServer"],
  controllerManager: ["cluster", "controllerManager"],
  scheduler: ["cluster", "scheduler"],
  kubelet: ["machine", "kubelet"],
};

const COMPONENTS = Object.keys(PLACES) as KubernetesComponent[];

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
    const part = partOf(after, component);
    const to = minorOf(part);
    const from = before === undefined ? undefined : minorOf(partOf(before, component));
    const minors = [...kubernetesRemovals.keys()].filter(
      (minor) => to !== undefined && minor <= to && (from === undefined || minor > from),
    );
    // The control plane gets its new images while its former flags are still set.
    const told =
      before === undefined || component === "kubelet" ? [part] : [partOf(before, component), part];
    const said = told.flatMap((each) =>
      minors.flatMap((minor) => removedFrom(each, component, minor)),
    );
    return [...new Set(said)];
  });
}

function removedFrom(
  part: ConfigDocument,
  component: KubernetesComponent,
  minor: number,
): string[] {
  const {
    featureGates = [],
    flags = {},
    admissionPlugins = [],
  } = kubernetesRemovals.get(minor) ?? {};
  const where = PLACES[component].join(".");
  const args = isMapping(part.extraArgs) ? part.extraArgs : {};
  const gates = new Map([
    ...namesIn(args["feature-gates"]).map(
      (gate) => [gate, `${where}.extraArgs["feature-gates"]`] as const,
    ),
    ...gatesOfKubelet(part).map((gate) => [gate, `${where}.extraConfig.featureGates`] as const),
  ]);
  const plugins = namesIn(args["enable-admission-plugins"]);
  const inPlugins = `${where}.extraArgs["enable-admission-plugins"]`;
  const say = (place: string, what: string) =>
    `${place}: Kubernetes v1.${minor} has removed ${what}, and its components fail to start with it: remove it, with a separate "up" before the upgrade`;
  return [
    ...(flags[component] ?? [])
      .filter((flag) => Object.hasOwn(args, flag))
      .map((flag) => say(`${where}.extraArgs["${flag}"]`, `the flag "${flag}"`)),
    ...featureGates.flatMap((gate) => {
      const place = gates.get(gate);
      return place === undefined ? [] : say(place, `the feature gate "${gate}"`);
    }),
    ...(component === "apiServer" ? admissionPlugins : [])
      .filter((plugin) => plugins.includes(plugin))
      .map((plugin) => say(inPlugins, `the admission plugin "${plugin}"`)),
  ];
}

/** The gates in the kubelet's own configuration file. */
function gatesOfKubelet({ extraConfig }: ConfigDocument): string[] {
  const gates = isMapping(extraConfig) ? extraConfig.featureGates : undefined;
  return isMapping(gates) ? Object.keys(gates) : [];
}

/** The names in a flag's value: `A=true,B=false`, or several such values. */
function namesIn(value: YamlValue | undefined): string[] {
  if (typeof value === "string") {
    return value.split(",").map((each) => each.split("=")[0]?.trim() ?? "");
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

function partOf(outline: ConfigDocument, component: KubernetesComponent): ConfigDocument {
  const [room, name] = PLACES[component];
  const { [room]: found } = outline;
  const part = isMapping(found) ? found[name] : undefined;
  return isMapping(part) ? part : {};
}

function minorOf(part: ConfigDocument): number | undefined {
  const [, minor] = /:v1\.(\d+)\./.exec(textAt(part, "image") ?? "") ?? [];
  return minor === undefined ? undefined : Number(minor);
}
