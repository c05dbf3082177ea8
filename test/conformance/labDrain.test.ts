import { waitFor } from "../../provider/api/waitFor";
import { drainNode, type WhenBlocked } from "../../provider/lifecycle/kubernetes/drainNode";
import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import {
  CORDONED_ANNOTATION,
  findNode,
  uncordonNode,
} from "../../provider/lifecycle/kubernetes/kubernetesNode";
import { LeavingNode } from "../../provider/lifecycle/kubernetes/leavingNode";
import { recordedProgress } from "../provider/progress";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";
const worker = "10.7.0.5";
const labels = { app: "web" };

// One cluster's life: each test goes on where the one before it ended.
describeWithKubernetesLab("a drain of a node of real Kubernetes", (lab) => {
  let cluster: LabCluster;
  let access: KubernetesAccess;
  const { signal } = new AbortController();
  const send = (method: "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
    access.send({ method, path, body, contentType: bodyType(method) }, signal);
  const machineAt = (node: string) => ({
    node,
    endpoint: node,
    credentials: cluster.credentials,
  });
  const drainOf = (timeoutSeconds: number, whenBlocked: WhenBlocked = "fail") => {
    const progress = recordedProgress();
    const controlPlanes = [machineAt(controlPlane)];
    return { privateAddress: worker, controlPlanes, timeoutSeconds, whenBlocked, progress };
  };
  const podsOfWorker = async () => {
    const node = await findNode(access, worker, signal);
    const selector = encodeURIComponent(`spec.nodeName=${node?.name ?? ""}`);
    const path = `/api/v1/namespaces/default/pods?fieldSelector=${selector}`;
    return (await access.read<{ items: object[] }>(path, signal)).items.length;
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    cluster = await makeLabCluster(lab, controlPlane);
    await lab.up(["cp1:2", "w1:5"]);
    const machine = new ServedResource("ConfigurationApply");
    await machine.up(cluster.inputs("controlplane", controlPlane));
    const reach = { ...machineAt(controlPlane), timeoutSeconds: 600 };
    await new ServedResource("MachineBootstrap").up({ ...reach, peers: [] });
    await new ServedResource("ConfigurationApply").up(cluster.inputs("worker", worker));
    access = await eventually("an API server that is ready", () =>
      KubernetesAccess.open([machineAt(controlPlane)], signal),
    );
    await send("POST", "/apis/apps/v1/namespaces/default/deployments", {
      metadata: { name: "web" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [
              { name: "web", image: "docker.io/library/busybox:1", command: ["sleep", "3600"] },
            ],
          },
        },
      },
    });
    await send("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
      metadata: { name: "web" },
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    });
    await eventually("two pods that are available", async () => {
      const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web";
      const { status } = await access.read<{ status?: { currentHealthy?: number } }>(path, signal);
      if (status?.currentHealthy !== 2) {
        throw new Error(JSON.stringify(status));
      }
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it("stops at a budget, names it, and uncordons the node", async () => {
    await expect(drainNode(drainOf(12))).rejects.toThrow(
      /was not drained within 12 s: can't be evicted: default\/web-\S+ \(The disruption budget web needs 2 healthy pods and has 2 currently\)/,
    );
    const node = await findNode(access, worker, signal);
    expect(node?.isCordoned).toBe(false);
    expect(node?.annotations).not.toHaveProperty(CORDONED_ANNOTATION);
    expect(await podsOfWorker()).toBe(2);
  });

  it("proceeds despite a budget on request", async () => {
    const request = drainOf(8, "proceed");
    await drainNode(request);
    expect(request.progress.warnings.join()).toContain("The change continues");
    expect((await findNode(access, worker, signal))?.isCordoned).toBe(true);
    await uncordonNode(request);
  });

  it("moves pods within their budget, and uncordons the node", async () => {
    const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web";
    await send("PATCH", path, { spec: { minAvailable: 0 } });
    await drainNode(drainOf(120));
    const node = await findNode(access, worker, signal);
    expect(node?.isCordoned).toBe(true);
    expect(node?.annotations).toHaveProperty(CORDONED_ANNOTATION);
    expect(await podsOfWorker()).toBe(0);
    await uncordonNode(drainOf(120));
    expect((await findNode(access, worker, signal))?.isCordoned).toBe(false);
  });

  it("removes a machine's node, which its kubelet doesn't create again", async () => {
    const leaving = new LeavingNode({ ...machineAt(worker), machineId: "i-1" }, drainOf(120));
    await leaving.drain();
    await leaving.remove();
    // A kubelet tells of its node every 10 s.
    await new Promise((resolve) => setTimeout(resolve, 25_000));
    expect(await findNode(access, worker, signal)).toBeUndefined();
  });
});

function bodyType(method: string): string {
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

/** What comes of a question when it is answered at last. */
function eventually<Value>(what: string, ask: () => Promise<Value>): Promise<Value> {
  return waitFor<Value>({
    what,
    deadlineMs: 600_000,
    isFatal: () => false,
    probe: async () => ({ done: true, value: await ask() }),
  });
}
