import * as pulumi from "@pulumi/pulumi";
import { checkInstallerOptions, checkMachineConfigInput } from "../../../provider/config";
import { KUBE_PRISM_PORT, replacesKubeProxy } from "../../addOns/cilium/ciliumAddOn";
import { talosVersionProblem } from "../../machines/machineImage";
import { judge, type PropertyProblem, within } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { planPodNetwork } from "../plan/planPodNetwork";
import { poolPath } from "./checkWorkerPools";

/** What decides the configuration of all machines. */
const SHARED = [
  "talosVersion",
  "versionContract",
  "kubernetesVersion",
  "contractDefaults",
  "newDefaults",
  "kubeSpan",
] as const satisfies readonly (keyof TalosClusterArgs)[];

/**
 * All problems of the options of the machines' configuration. Options with a value that is known later,
 * and patches, are judged by `MachineConfiguration`.
 */
export function checkMachineConfiguration(args: ChosenClusterArgs): PropertyProblem[] {
  const shared = plain(Object.fromEntries(SHARED.map((name) => [name, args[name]])));
  // With a release that none can read, what depends on it can't be judged.
  if (
    shared === undefined ||
    judge("talosVersion", args.talosVersion, talosVersionProblem).problems.length > 0
  ) {
    return [];
  }
  const { machineConfiguration = {}, workers, workerPools = {} } = args;
  const own = { ...shared, cni: planPodNetwork(args).cni };
  const ofCluster = checkMachineConfigInput({ ...own, machineType: "controlplane" });
  const check = (
    place: string,
    machineType: "controlplane" | "worker",
    given: ClusterMachineConfigurationArgs = {},
  ) => {
    const options = plain(given) ?? {};
    const problems = [
      ...checkMachineConfigInput({ ...options, ...own, machineType }),
      ...checkInstallerOptions(options),
      ...checkKubePrism(options, args.addOns),
    ].filter(({ property }) => !ofCluster.some((problem) => problem.property === property));
    return problems.flatMap((problem) =>
      problem.property === "kubeSpan" ? [problem] : within(place, [problem]),
    );
  };
  return [
    ...ofCluster.map(({ property, reason }) => ({
      property: property.replace(/^cni\.urls/, "cniManifests"),
      reason,
    })),
    ...check("machineConfiguration", "controlplane", machineConfiguration),
    ...check("workers.machineConfiguration", "worker", workers?.machineConfiguration),
    ...Object.entries(workerPools).flatMap(([name, pool]) =>
      check(`${poolPath(name)}.machineConfiguration`, "worker", pool.machineConfiguration),
    ),
  ];
}

/** Cilium without kube-proxy calls the Kubernetes API through KubePrism. */
function checkKubePrism(
  { features }: pulumi.Unwrap<ClusterMachineConfigurationArgs>,
  { cilium }: ChosenClusterArgs["addOns"] = {},
): PropertyProblem[] {
  const { enabled = true, port = KUBE_PRISM_PORT } = features?.kubePrism ?? {};
  const way = `addOns.cilium calls the Kubernetes API by KubePrism on port ${KUBE_PRISM_PORT}, in place of kube-proxy: leave this out, or set addOns.cilium.kubeProxyReplacement false`;
  const at = (member: string, value: unknown) => ({
    property: `features.kubePrism.${member}`,
    reason: `it is ${JSON.stringify(value)}, and ${way}`,
  });
  return cilium === undefined || !replacesKubeProxy(cilium)
    ? []
    : [
        ...(enabled ? [] : [at("enabled", enabled)]),
        ...(port === KUBE_PRISM_PORT ? [] : [at("port", port)]),
      ];
}

/** A value without outputs and promises at any depth; undefined with one. */
function plain<Value>(value: Value): pulumi.Unwrap<Value> | undefined {
  return isPlain(value) ? (value as pulumi.Unwrap<Value>) : undefined;
}

function isPlain(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise
    ? false
    : typeof value !== "object" || value === null || Object.values(value).every(isPlain);
}
