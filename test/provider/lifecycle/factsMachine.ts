import { status } from "@grpc/grpc-js";
import { stringify } from "yaml";
import type { Resource } from "../../../provider/api/gen/cosi/resource/Resource";
import type { ContainerEnd, ContainerStatusSpec } from "../../../provider/api/kubeletResources";
import type { ServiceStatus } from "../../../provider/api/serviceCalls";
import type { MachineFacts } from "../../../provider/lifecycle/health/machineFacts";
import type { Machine } from "../../../provider/lifecycle/machine";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { startTestNode } from "../api/testNode";
import { createOsCa, issueCredentials } from "../api/testPki";

/** A machine that says of itself what a test has it say. */
export interface FactsMachine {
  readonly machine: Machine;
  /** What it says; a test replaces it. */
  facts: MachineFacts;
  /** The configuration that it runs. */
  active: string;
  /** Its logs, by id. */
  readonly logs: Map<string, readonly string[]>;
  /** Whether it has been asked for its services. */
  wasAskedForServices: boolean;
  stop(): Promise<void>;
}

/**
 * Starts a machine that takes any configuration, doesn't change by it, and knows of no member of etcd.
 *
 * @param onApply called with each configuration that it is given
 */
export async function startFactsMachine(
  facts: MachineFacts,
  active: string,
  onApply: (machine: FactsMachine) => void = () => undefined,
): Promise<FactsMachine> {
  const ca = await createOsCa();
  const now = Date.now();
  const node = await startTestNode({
    certificate: await issueCertificate(ca, {
      ipAddresses: ["127.0.0.1"],
      notBefore: new Date(now - 60_000),
      notAfter: new Date(now + 3_600_000),
      usages: ["serverAuth"],
      keyType: "ed25519",
    }),
    clientCa: ca.crt,
    machine: {
      ApplyConfiguration: (call, callback) => {
        self.active = call.request.data.toString("utf8");
        onApply(self);
        callback(null, { messages: [{ mode: "NO_REBOOT" }] });
      },
      Logs: (call) => {
        const lines = self.logs.get(call.request.id);
        if (lines === undefined) {
          const details = `log "${call.request.id}" was not registered`;
          call.emit("error", { code: status.UNKNOWN, details });
          return;
        }
        call.write({ bytes: Buffer.from(lines.map((line) => `${line}\n`).join("")) });
        call.end();
      },
      EtcdMemberList: (_call, callback) => callback(null, { messages: [{ members: [] }] }),
      Version: (_call, callback) =>
        callback(null, { messages: [{ version: { tag: "v1.12.1" }, platform: {} }] }),
      ServiceList: (_call, callback) => {
        self.wasAskedForServices = true;
        callback(null, {
          messages: [
            { metadata: { hostname: "127.0.0.1" }, services: self.facts.services.map(toService) },
          ],
        });
      },
    },
    state: {
      Get: ({ request: { type } }, callback) => {
        const [resource] = resourcesOf(self, type);
        callback(null, { resource: resource ?? null });
      },
      List: (call) => {
        resourcesOf(self, call.request.type).forEach((resource) => call.write({ resource }));
        call.end();
      },
    },
  });
  const self: FactsMachine = {
    machine: {
      node: "127.0.0.1",
      endpoint: node.endpoint,
      credentials: await issueCredentials(ca),
    },
    facts,
    active,
    logs: new Map([["controller-runtime", []]]),
    wasAskedForServices: false,
    stop: () => node.stop(),
  };
  return self;
}

function resourcesOf({ facts, active }: FactsMachine, type: string): Resource[] {
  const { nodename, pods, podStatuses, kubeletSpecAt, kubeletImages, nodeAddresses } = facts;
  const { stage, ready, unmetConditions } = facts.status;
  switch (type.split(".")[0]) {
    case "MachineStatuses":
      return [toResource("machine", { stage, status: { ready, unmetConditions } })];
    case "MachineConfigs":
      // A text is YAML of itself.
      return [toResource("v1alpha1", active)];
    case "Nodenames":
      return [toResource("nodename", { nodename, skipNodeRegistration: false })];
    case "KubeletSpecs":
      return [toResource("kubelet", { image: kubeletImages.started }, kubeletSpecAt)];
    case "KubeletConfigs":
      return [toResource("kubelet", { image: kubeletImages.wanted })];
    case "NodeIPConfigs":
      return nodeAddresses.config ? [toResource("kubelet", nodeAddresses.config)] : [];
    case "NodeIPs":
      return [toResource("kubelet", { addresses: nodeAddresses.chosen })];
    case "APIServerConfigs":
      return componentOf(facts, "kube-apiserver");
    case "ControllerManagerConfigs":
      return componentOf(facts, "kube-controller-manager");
    case "SchedulerConfigs":
      return componentOf(facts, "kube-scheduler");
    case "SecretStatuses":
      return versionOf(facts.secretsVersion);
    case "ConfigStatuses":
      return versionOf(facts.filesVersion);
    case "ExtensionStatuses":
      return [];
    case "StaticPods":
      return pods.map(({ name, namespace, image, versions, updatedAt }) => {
        const annotations = versions && {
          "talos.dev/config-version": versions.config,
          "talos.dev/secrets-version": versions.secrets,
          ...(versions.files !== undefined && { "talos.dev/config-file-version": versions.files }),
        };
        const spec = { containers: [{ name, image }] };
        return toResource(name, { metadata: { name, namespace, annotations }, spec }, updatedAt);
      });
    default:
      return [...podStatuses].map(([id, { containers, ready: isReady, ...rest }]) =>
        toResource(id, {
          ...rest,
          conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
          containerStatuses: containers.map(toContainer),
        }),
      );
  }
}

function componentOf({ components }: MachineFacts, name: string): Resource[] {
  const component = components.get(name);
  return component === undefined
    ? []
    : [toResource(name, { enabled: component.isEnabled }, undefined, component.version)];
}

function versionOf(version: string | undefined): Resource[] {
  return version === undefined ? [] : [toResource("static-pods", { ready: true, version })];
}

function toResource(id: string, spec: unknown, updated?: string, version = "1"): Resource {
  return {
    metadata: { id, version, ...(updated !== undefined && { updated: toTimestamp(updated) }) },
    spec: { yamlSpec: stringify(spec) },
  };
}

function toContainer(container: ContainerStatusSpec): object {
  const { name, ready, startedAt, waiting, terminated, lastEnd } = container;
  return {
    name,
    ready,
    state: {
      ...(startedAt !== undefined && { running: { startedAt } }),
      ...(waiting && { waiting }),
      ...(terminated && { terminated: toEnd(terminated) }),
    },
    lastState: lastEnd === undefined ? {} : { terminated: toEnd(lastEnd) },
  };
}

function toEnd({ containerId: containerID, ...end }: ContainerEnd): object {
  return { ...end, containerID };
}

function toService({ id, state, healthy, healthUnknown, lastMessage, events }: ServiceStatus) {
  return {
    id,
    state,
    health: { healthy, unknown: healthUnknown, lastMessage },
    events: {
      events: events.map(({ message, at, ...rest }) => ({
        ...rest,
        msg: message,
        ...(at !== undefined && { ts: toTimestamp(at) }),
      })),
    },
  };
}

function toTimestamp(time: string) {
  const milliseconds = Date.parse(time);
  return {
    seconds: Math.floor(milliseconds / 1_000),
    nanos: (milliseconds % 1_000) * 1_000_000,
  };
}
