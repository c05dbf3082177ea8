import type {
  ContainerStatusSpec,
  StaticPodStatusSpec,
} from "../../../provider/api/kubeletResources";
import type { ServiceStatus } from "../../../provider/api/serviceCalls";
import type { MachineFacts, StaticPod } from "../../../provider/lifecycle/health/machineFacts";

/** When the sample machine's configuration last changed what it restarts. */
export const CHANGED_AT = "2026-01-02T10:00:00.700Z";

/** A service that is up since after the change. */
export function service(id: string, more: Partial<ServiceStatus> = {}): ServiceStatus {
  return {
    id,
    state: "Running",
    healthy: true,
    healthUnknown: false,
    lastMessage: "",
    events: [
      { state: "Running", message: "Started task", at: "2026-01-02T10:00:03.000Z" },
      { state: "Running", message: "Health check successful", at: "2026-01-02T10:00:03.200Z" },
    ],
    ...more,
  };
}

/** A static pod of the control plane that was changed then. */
export function pod(name: string, more: Partial<StaticPod> = {}): StaticPod {
  return {
    name,
    namespace: "kube-system",
    image: `registry.k8s.io/${name}:v1.35.0`,
    updatedAt: CHANGED_AT,
    versions: { config: "2", secrets: "3", files: name === "kube-apiserver" ? "1112" : undefined },
    ...more,
  };
}

/** A container that runs, ready, since after the change. */
export function container(
  name: string,
  more: Partial<ContainerStatusSpec> = {},
): ContainerStatusSpec {
  return {
    name,
    ready: true,
    startedAt: "2026-01-02T10:00:20Z",
    waiting: undefined,
    terminated: undefined,
    lastEnd: undefined,
    ...more,
  };
}

/** The status of a pod with that container. */
export function podStatus(
  only: ContainerStatusSpec,
  more: Partial<StaticPodStatusSpec> = {},
): StaticPodStatusSpec {
  const { ready } = only;
  return { phase: "Running", reason: "", message: "", ready, containers: [only], ...more };
}

/** A control plane machine that is well, but for what is given otherwise. */
export function facts(more: Partial<MachineFacts> = {}): MachineFacts {
  const names = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
  return {
    status: { stage: "running", ready: true, unmetConditions: [] },
    services: ["apid", "trustd", "etcd", "kubelet"].map((id) => service(id)),
    kubeletSpecAt: CHANGED_AT,
    kubeletImages: { wanted: "kubelet:v1.35.0", started: "kubelet:v1.35.0" },
    components: new Map(names.map((name) => [name, { version: "2", isEnabled: true }])),
    secretsVersion: "3",
    filesVersion: "1112",
    nodeAddresses: {
      config: { validSubnets: ["0.0.0.0/0"], excludeSubnets: ["10.244.0.0/16", "10.96.0.0/12"] },
      chosen: ["10.0.0.11"],
    },
    nodename: "cp-1",
    pods: names.map((name) => pod(name)),
    podStatuses: new Map(
      names.map((name) => [`kube-system/${name}-cp-1`, podStatus(container(name))]),
    ),
    ...more,
  };
}

/** A control plane machine whose API server is in that status. */
export function withApiServer(status: StaticPodStatusSpec | undefined): MachineFacts {
  const well = facts();
  const podStatuses = new Map(well.podStatuses);
  const id = "kube-system/kube-apiserver-cp-1";
  if (status === undefined) {
    podStatuses.delete(id);
  } else {
    podStatuses.set(id, status);
  }
  return { ...well, podStatuses };
}

/** A machine with one of its services otherwise. */
export function withService(id: string, more: Partial<ServiceStatus>): MachineFacts {
  const well = facts();
  const others = well.services.filter((each) => each.id !== id);
  return { ...well, services: [...others, service(id, more)] };
}
