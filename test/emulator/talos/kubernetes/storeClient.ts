import type { ApiAnswer } from "../../../../emulator/talos/kubernetes/apiRequest";
import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import type { NodeReport } from "../../../../emulator/talos/kubernetes/nodeRecord";
import { answer } from "../../../../emulator/talos/kubernetes/router";
import { KubernetesFailure } from "../../../../emulator/talos/kubernetes/statusObject";

/** An answer of the API: its status and its object. */
export interface StoreAnswer {
  readonly code: number;
  readonly object: Readonly<Record<string, unknown>>;
}

/** What a kubelet of a worker reports. */
export function reportOf(name: string, isControlPlane = false): NodeReport {
  return {
    name,
    isControlPlane,
    internalAddress: "10.0.0.1",
    externalAddress: undefined,
    architecture: "amd64",
    kubeletVersion: "v1.35.0",
    talosVersion: "v1.12.1",
    instanceId: "i-1",
    instanceType: "m6i.large",
    region: "us-east-1",
    zone: "us-east-1a",
    bootId: "b",
    machineId: "m",
    registeredTaints: [],
    staticPods: {},
  };
}

/** A store with ready nodes, whose pods start and end at once. */
export function storeOf(...nodes: readonly string[]): KubernetesStore {
  const store = new KubernetesStore({ written: () => undefined });
  store.pace = { controllerMs: 0, startMs: 0, stopMs: 0 };
  for (const name of nodes) {
    store.report(reportOf(name), 40_000);
    store.setReady(name, true);
  }
  return store;
}

/** Asks the API of a store, without a network between. */
export function ask(
  store: KubernetesStore,
  method: string,
  path: string,
  body?: unknown,
  contentType = "application/json",
): StoreAnswer {
  try {
    const answered: ApiAnswer = answer(
      {
        method,
        url: new URL(path, "https://127.0.0.1"),
        accept: "application/json",
        userAgent: "lab/1",
        user: { name: "admin", groups: ["system:masters"] },
        body: {
          contentType: body === undefined ? "" : contentType,
          text: typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body),
        },
      },
      {
        store,
        hasQuorum: true,
        version: "v1.35.0",
        architecture: "amd64",
        serverAddress: "127.0.0.1:6443",
        now: new Date(),
        encryptionKeys: [],
      },
    );
    if (answered.kind === "watch") {
      throw new Error("a watch has no body");
    }
    return { code: answered.code, object: JSON.parse(answered.body) as StoreAnswer["object"] };
  } catch (error) {
    if (!(error instanceof KubernetesFailure)) {
      throw error;
    }
    return { code: error.code, object: error.toObject() };
  }
}
