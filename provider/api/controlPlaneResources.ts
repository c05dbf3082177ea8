import { fields, flag, orElse, text } from "./specShape";
import type { ResourceKind } from "./typedResource";

/** A component's configuration. Its version counts the changes. */
export interface ComponentConfigSpec {
  /** Whether the machine runs the component. */
  enabled: boolean;
}

/** What Talos has written for the static pods. */
export interface StaticPodFilesSpec {
  /** The version that it writes into the pods. */
  version: string;
}

const component = fields<ComponentConfigSpec>({ enabled: orElse(flag, true) });
const files = fields<StaticPodFilesSpec>({ version: text });

/**
 * What Talos derives the static pods of a control plane machine from; none on a worker. Fields as in
 * machinery v1.10.9 to v1.14.1, `resources/k8s`.
 */
export const controlPlaneResources = {
  /**
   * By the pod's name. Since Talos v1.14 there is another one with the prefix `final-`, and pods have
   * the version of that one.
   */
  apiServerConfig: kind("APIServerConfigs.kubernetes.talos.dev", component),
  controllerManagerConfig: kind("ControllerManagerConfigs.kubernetes.talos.dev", component),
  schedulerConfig: kind("SchedulerConfigs.kubernetes.talos.dev", component),
  /** Certificates, keys and kubeconfigs; its only id is `static-pods`. */
  secretsStatus: kind("SecretStatuses.kubernetes.talos.dev", files),
  /** Files such as the audit policy; its only id is `static-pods`. */
  configStatus: kind("ConfigStatuses.kubernetes.talos.dev", files),
};

function kind<Spec>(type: string, shape: ResourceKind<Spec>["shape"]): ResourceKind<Spec> {
  return { namespace: "controlplane", type, shape };
}
