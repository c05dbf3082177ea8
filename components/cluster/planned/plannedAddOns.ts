import { KUBE_PRISM_PORT, replacesKubeProxy as isReplacing } from "../../addOns/cilium/ciliumAddOn";
import {
  ETCD_BACKUP_NAMESPACE,
  ETCD_BACKUP_ROLE,
} from "../../addOns/etcdBackup/planEtcdBackupManifest";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import { hasCloudController } from "../addOns/hasCloudController";
import { isControlPlane, joined, type Plan, plannedFlag, type PlannedPlaces } from "./plan";

/** Whether Cilium takes the place of kube-proxy. */
export function replacesKubeProxy({ args }: Plan): boolean {
  const cilium = args.addOns?.cilium;
  return cilium !== undefined && isReplacing(cilium);
}

/** Cilium without kube-proxy calls the API through KubePrism on each machine. */
export function kubePrism(plan: Plan): PlannedPlaces {
  const wayOut = `leave KubePrism on port ${KUBE_PRISM_PORT}, by which addOns.cilium calls the Kubernetes API (port ${KUBERNETES_API_PORT} of the machines) in place of kube-proxy`;
  return replacesKubeProxy(plan)
    ? {
        "machine.features.kubePrism.enabled": {
          value: true,
          default: false,
          wayOut,
        },
        "machine.features.kubePrism.port": {
          value: KUBE_PRISM_PORT,
          default: KUBE_PRISM_PORT,
          wayOut,
        },
      }
    : {};
}

/** The backup's pods call the Talos API. */
export function backups(plan: Plan): PlannedPlaces {
  if (!isControlPlane(plan) || plan.args.addOns?.etcdBackup === undefined) {
    return {};
  }
  const path = "machine.features.kubernetesTalosAPIAccess";
  const wayOut = `leave "${ETCD_BACKUP_ROLE}" for "${ETCD_BACKUP_NAMESPACE}" there, by which addOns.etcdBackup takes its snapshots`;
  return {
    [`${path}.enabled`]: { value: true, default: false, wayOut },
    [`${path}.allowedRoles`]: { value: [ETCD_BACKUP_ROLE], allows: "more", wayOut },
    [`${path}.allowedKubernetesNamespaces`]: {
      value: [ETCD_BACKUP_NAMESPACE],
      allows: "more",
      wayOut,
    },
  };
}

/** The autoscaler knows labels and taints of a group without machines by the group's tags. */
export function scaled(
  { args, pool }: Plan,
  argument: "labels" | "taints",
  paths: readonly string[],
  flags: readonly string[],
): PlannedPlaces {
  const isScaled =
    pool?.autoScaling !== undefined &&
    hasCloudController(args, pool) &&
    args.addOns?.clusterAutoscaler !== undefined;
  const setting = {
    wayOut: `set the pool's ${argument}, which the cluster autoscaler reads at the group`,
  };
  return isScaled
    ? {
        ...Object.fromEntries(paths.map((path) => [path, setting])),
        ...joined(flags.map((flag) => plannedFlag("machine.kubelet", flag, setting))),
      }
    : {};
}
