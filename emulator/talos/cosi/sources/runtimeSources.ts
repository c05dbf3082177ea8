import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource, ResourceValue } from "../resource";
import { encodeSpec } from "../specCodec";

const NAMESPACE = "runtime";

/** The runtime resources of a node: stage, version, platform, services, time. */
export function runtimeSources(node: NodeState): readonly ResourceSource[] {
  return [
    one("MachineStatuses.runtime.talos.dev", () => machineStatus(node)),
    one("Versions.runtime.talos.dev", () => ({
      namespace: NAMESPACE,
      type: "Versions.runtime.talos.dev",
      id: "version",
      owner: "runtime.VersionController",
      spec: { version: node.talosVersion },
      proto: encodeSpec("Version", { version: node.talosVersion }),
    })),
    one("PlatformMetadatas.talos.dev", () => platformMetadata(node)),
    one("TimeStatuses.v1alpha1.talos.dev", () => timeStatus(node)),
    {
      namespace: NAMESPACE,
      type: "Services.v1alpha1.talos.dev",
      values: () => serviceResources(node),
    },
  ];
}

function one(type: string, value: () => ResourceValue): ResourceSource {
  return { namespace: NAMESPACE, type, values: () => [value()] };
}

function timeStatus({ isTimeSynced }: NodeState): ResourceValue {
  const spec = { synced: isTimeSynced, epoch: isTimeSynced ? 1 : 0, syncDisabled: false };
  return {
    namespace: NAMESPACE,
    type: "TimeStatuses.v1alpha1.talos.dev",
    id: "node",
    owner: "time.SyncController",
    spec,
    proto: encodeSpec("TimeStatus", spec),
  };
}

function machineStatus(node: NodeState): ResourceValue {
  const { stage, ready, unmetConditions } = node.status;
  const conditions = unmetConditions.map(({ name, reason }) => ({ name, reason }));
  return {
    namespace: NAMESPACE,
    type: "MachineStatuses.runtime.talos.dev",
    id: "machine",
    owner: "runtime.MachineStatusController",
    spec: { stage, status: { ready, unmetConditions: conditions } },
    proto: encodeSpec("MachineStatus", {
      stage: `MACHINE_STAGE_${stage.toUpperCase().replace(" ", "_")}`,
      status: { ready, unmetConditions: conditions },
    }),
  };
}

function platformMetadata(node: NodeState): ResourceValue {
  const { region, zone, instanceType, instanceId } = node.hardware;
  const spec = {
    platform: "aws",
    hostname: node.hostname.fqdn,
    region,
    zone,
    instanceType,
    instanceId,
    providerId: `aws:///${zone}/${instanceId}`,
  };
  return {
    namespace: NAMESPACE,
    type: "PlatformMetadatas.talos.dev",
    id: "platformmetadata",
    owner: "network.PlatformConfigApplyController",
    spec,
    proto: encodeSpec("PlatformMetadata", spec),
  };
}

function serviceResources(node: NodeState): ResourceValue[] {
  return node.services
    .list()
    .filter(({ state }) => state === "Running")
    .map(({ id, health }) => {
      const spec = { running: true, healthy: health.healthy, unknown: health.unknown };
      return {
        namespace: NAMESPACE,
        type: "Services.v1alpha1.talos.dev",
        id,
        owner: "v1alpha1.ServiceController",
        spec,
        proto: encodeSpec("Service", spec),
      };
    });
}
