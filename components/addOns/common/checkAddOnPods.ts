import { checkLabelValue, checkQualifiedName, imageProblem } from "../../../provider/config";
import { checkWord } from "../../argumentChecks";
import type { PropertyProblem } from "../../problems";
import type { AddOnManifest } from "./addOnManifest";
import type { ContainerResources, PodToleration, ReplicatedAddOnPods } from "./addOnPodsArgs";

/** What the settings of an add-on's pods are compared with. */
interface KnownPods {
  readonly containers: readonly string[];
  /** The number of control plane machines, for an add-on that has pods on several of those. */
  readonly most?: number | undefined;
  /** Settings of its own objects, besides those of pods. */
  readonly ownSettings?: readonly string[];
}

/** Settings of pods. They have no effect on a manifest of the user's. */
const CHOICES = ["version", "replicas", "images", "resources", "extraArgs", "tolerations"];

/** The units of quantities (apimachinery, resource/quantity.go), without exponents. */
const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "": 1,
    m: 1e-3,
    k: 1e3,
    M: 1e6,
    G: 1e9,
    T: 1e12,
    P: 1e15,
    Ki: 2 ** 10,
    Mi: 2 ** 20,
    Gi: 2 ** 30,
    Ti: 2 ** 40,
    Pi: 2 ** 50,
  }),
);

/** Resources of containers without a domain (core/v1/types.go), besides huge pages. */
const RESOURCES: readonly string[] = ["cpu", "memory", "ephemeral-storage"];

const TAINT_EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

/** All problems of the settings for an add-on's pods. */
export function checkAddOnPods(
  addOn: AddOnManifest & ReplicatedAddOnPods,
  { containers, most, ownSettings = [] }: KnownPods,
): PropertyProblem[] {
  const given: Readonly<Record<string, unknown>> = { ...addOn };
  const manifest = ["manifest", "manifestUrls"].find((name) => given[name] !== undefined);
  if (manifest !== undefined) {
    const choices = [...CHOICES, ...ownSettings];
    return choices
      .filter((name) => given[name] !== undefined)
      .map((name) => ({
        property: name,
        reason: `it excludes ${manifest}, which says it itself: leave out one or the other`,
      }));
  }
  const { version, replicas, images = {}, extraArgs = {} } = addOn;
  const { resources = {}, tolerations = [] } = addOn;
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string) => {
    problems.push({ property, reason });
  };
  if (version !== undefined && !/^v\d+\.\d+\.\d+$/.test(version)) {
    say("version", `"${version}" is no release: write it in full, as in "v1.2.3"`);
  }
  if (replicas !== undefined && (!Number.isInteger(replicas) || replicas < 1)) {
    say("replicas", `${replicas} is no number of pods: give 1 or more, or leave the add-on out`);
  } else if (replicas !== undefined && most !== undefined && replicas > most) {
    const reason = `${replicas} pods have no place: each needs a control plane machine of its own, of which there are ${most}; give at most ${most}`;
    say("replicas", reason);
  }
  for (const [name, image] of Object.entries(images)) {
    const reason = containerProblem(containers, name) ?? imageProblem(image);
    if (reason !== undefined) {
      say(`images["${name}"]`, reason);
    }
  }
  for (const name of Object.keys(extraArgs)) {
    if (!/^[A-Za-z][\w-]*$/.test(name)) {
      const reason = `"${name}" is no name of a flag: write it without dashes before it and without a value, as in {"log-level": "debug"}`;
      say(`extraArgs["${name}"]`, reason);
    }
  }
  return [
    ...problems,
    ...checkResources(resources),
    ...tolerations.flatMap((toleration, index) =>
      checkToleration(toleration).map((reason) => ({
        property: `tolerations[${index}]`,
        reason,
      })),
    ),
  ];
}

/** An image of a container that no pod has would never be fetched. */
function containerProblem(known: readonly string[], name: string): string | undefined {
  return known.includes(name)
    ? undefined
    : `its pods have no container of that name: take one of ${known.join(", ")}`;
}

/** What an API server refuses of a container's resources (core/validation, `ValidateResourceRequirements`). */
function checkResources(resources: ContainerResources): PropertyProblem[] {
  const kinds = Object.entries(resources) as [string, Readonly<Record<string, string>>][];
  const problems = kinds.flatMap(([kind, quantities]) =>
    Object.entries(quantities).flatMap(([name, quantity]) => {
      const reason = resourceProblem(name) ?? quantityProblem(quantity);
      return reason === undefined ? [] : [{ property: `resources.${kind}.${name}`, reason }];
    }),
  );
  const { requests = {}, limits = {} } = resources;
  const beyond = Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    const isBeyond =
      limit !== undefined && (quantityOf(request) ?? 0) > (quantityOf(limit) ?? Infinity);
    const reason = `"${request}" is more than the limit, "${limit ?? ""}", and Kubernetes takes no such pod: give a larger limit, or request less`;
    return isBeyond ? [{ property: `resources.requests.${name}`, reason }] : [];
  });
  return [...problems, ...beyond];
}

function resourceProblem(name: string): string | undefined {
  return RESOURCES.includes(name) || name.startsWith("hugepages-") || name.includes("/")
    ? undefined
    : `"${name}" is no resource of a container: take one of ${RESOURCES.join(", ")}, or a name with a domain, as in "example.com/device"`;
}

function quantityProblem(quantity: string): string | undefined {
  return quantityOf(quantity) === undefined
    ? `"${quantity}" is no quantity: write it as in "100m" for CPU or "200Mi" for memory`
    : undefined;
}

function quantityOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = UNITS.get(unit);
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** What an API server refuses of a toleration (core/validation, `ValidateTolerations`). */
function checkToleration(toleration: PodToleration): string[] {
  const { key, operator = "Equal", value, effect, tolerationSeconds } = toleration;
  const words = [
    ...checkWord("operator", operator, ["Exists", "Equal"]),
    ...checkWord("effect", effect, TAINT_EFFECTS),
  ].map(({ property, reason }) => `its ${property} ${reason}`);
  const others = [
    key === undefined ? undefined : checkQualifiedName(key),
    operator === "Exists" && value !== undefined
      ? `"Exists" asks for no value, "${value}" here: leave it out, or take "Equal"`
      : checkLabelValue(value ?? ""),
    operator === "Equal" && key === undefined
      ? `it names no key: give one, or take the operator "Exists" for every taint`
      : undefined,
    tolerationSeconds !== undefined && effect !== "NoExecute"
      ? `only the effect "NoExecute" ends pods, so tolerationSeconds, ${tolerationSeconds} here, needs it: set that effect, or leave this out`
      : undefined,
  ];
  return [...words, ...others.filter((reason) => reason !== undefined)];
}
