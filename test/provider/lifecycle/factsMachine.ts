import { stringify } from "yaml";
import type { Resource } from "../../../provider/api/gen/cosi/resource/Resource";
import type { ContainerStatusSpec } from "../../../provider/api/kubeletResources";
import type { ServiceStatus } from "../../../provider/api/serviceCalls";
import type { Machine } from "../../../provider/lifecycle/machine";
import type { MachineFacts } from "../../../provider/lifecycle/machineFacts";
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
    wasAskedForServices: false,
    stop: () => node.stop(),
  };
  return self;
}

function resourcesOf({ facts, active }: FactsMachine, type: string): Resource[] {
  const { status, nodename, pods, podStatuses, kubeletSpecAt } = facts;
  const { stage, ready, unmetConditions } = status;
  switch (type.split(".")[0]) {
    case "MachineStatuses":
      return [toResource("machine", { stage, status: { ready, unmetConditions } })];
    case "MachineConfigs":
      // A text is YAML of itself.
      return [toResource("v1alpha1", active)];
    case "Nodenames":
      return [toResource("nodename", { nodename, skipNodeRegistration: false })];
    case "KubeletSpecs":
      return [toResource("kubelet", { image: "kubelet" }, kubeletSpecAt)];
    case "ExtensionStatuses":
      return [];
    case "StaticPods":
      return pods.map(({ name, namespace, isVersioned, updatedAt }) => {
        const annotations = isVersioned ? { "talos.dev/config-version": "2" } : {};
        return toResource(name, { metadata: { name, namespace, annotations } }, updatedAt);
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

function toResource(id: string, spec: unknown, updated?: string): Resource {
  return {
    metadata: { id, ...(updated !== undefined && { updated: toTimestamp(updated) }) },
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
      ...(terminated && { terminated }),
    },
    lastState: lastEnd === undefined ? {} : { terminated: lastEnd },
  };
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
