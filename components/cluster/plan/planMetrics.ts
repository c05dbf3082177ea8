import type { Patch } from "../../../provider";
import { plannedPatches } from "../../../provider/config";
import { replacesKubeProxy } from "../../addOns/cilium/ciliumAddOn";
import { checkWord, problemAt } from "../../argumentChecks";
import type { PropertyProblem } from "../../problems";
import type { ChosenClusterArgs, ClusterChoices } from "../arguments/chosenClusterArgs";
import { METRICS_SOURCES, type MetricsSource } from "../arguments/talosClusterArgs";

/** A flag by which a component serves metrics to others than its own machine. */
export interface MetricsFlag {
  /** Its place in a machine configuration: `cluster.scheduler`. */
  readonly program: string;
  readonly flag: string;
  readonly value: string;
}

/**
 * The flag of each source. Talos binds the first two to the loopback address (talos v1.12.1 and v1.14.1,
 * `controllers/k8s/control_plane_static_pod.go` and `internal/k8stemplates`), and kube-proxy does by itself
 * (kubernetes v1.37.2, `pkg/proxy/apis/config/v1alpha1/defaults.go`). etcd serves metrics without TLS
 * where it is told to (etcd v3.7.1, `embed/config.go`).
 */
export const METRICS_FLAGS: Readonly<Record<MetricsSource, MetricsFlag>> = {
  controllerManager: {
    program: "cluster.controllerManager",
    flag: "bind-address",
    value: "0.0.0.0",
  },
  scheduler: { program: "cluster.scheduler", flag: "bind-address", value: "0.0.0.0" },
  etcd: { program: "cluster.etcd", flag: "listen-metrics-urls", value: "http://0.0.0.0:2381" },
  kubeProxy: { program: "cluster.proxy", flag: "metrics-bind-address", value: "0.0.0.0:10249" },
};

/** The patches that have a cluster's components serve metrics. */
export function planMetricsPatches(
  metrics: readonly MetricsSource[],
  versionContract: string,
): Patch[] {
  return plannedPatches(
    versionContract,
    metrics.map((source) => {
      const { program, flag, value } = METRICS_FLAGS[source];
      return [`${program}.extraArgs.${flag}`, value] as const;
    }),
  );
}

/** All problems of a cluster's sources of metrics. */
export function checkMetrics({ metrics = [], ...args }: ChosenClusterArgs): PropertyProblem[] {
  return metrics.flatMap((source, index) => {
    const property = `metrics[${index}]`;
    const reason =
      metrics.indexOf(source) < index
        ? `"${source}" is named twice`
        : source === "kubeProxy" && !hasKubeProxy(args)
          ? `there is no kube-proxy in this cluster: leave "kubeProxy" out (addOns.cilium.metrics serves those of Cilium)`
          : undefined;
    return [...checkWord(property, source, METRICS_SOURCES), ...problemAt(property, reason)];
  });
}

function hasKubeProxy({ addOns = {}, machineConfiguration }: Omit<ClusterChoices, "metrics">) {
  const isReplaced = addOns.cilium !== undefined && replacesKubeProxy(addOns.cilium);
  return !isReplaced && machineConfiguration?.kubeProxy !== false;
}
