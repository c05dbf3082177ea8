import { judgeMachine } from "../../../../provider/lifecycle/health/judgeMachine";
import type { MachineFacts } from "../../../../provider/lifecycle/health/machineFacts";
import {
  container,
  facts,
  pod,
  podStatus,
  service,
  withApiServer,
  withService,
} from "../machineSamples";

const API_SERVER = "pod kube-system/kube-apiserver-cp-1";
const before = "2026-01-02T09:59:59Z";

describe("judgeMachine", () => {
  it("finds no problem of a healthy machine", () => {
    expect(judgeMachine(facts())).toMatchObject({ problems: [], unmet: [], unseen: [] });
  });

  const unwell: readonly (readonly [string, MachineFacts, string])[] = [
    [
      "an API server that is ready but was started before its change",
      withApiServer(podStatus(container("kube-apiserver", { startedAt: before }))),
      `${API_SERVER}: the kubelet still runs the one before its last change`,
    ],
    [
      "a flag that the API server doesn't know",
      withApiServer(
        podStatus(
          container("kube-apiserver", {
            ready: false,
            startedAt: undefined,
            waiting: { reason: "CrashLoopBackOff", message: "back-off 20s restarting" },
            lastEnd: {
              exitCode: 1,
              reason: "Error",
              message: "unknown flag: --no-such-flag\n",
              containerId: "containerd://0123456789abcdef",
            },
          }),
        ),
      ),
      `${API_SERVER}: container kube-apiserver is waiting: CrashLoopBackOff: back-off 20s restarting; it ended with exit code 1 (Error: unknown flag: --no-such-flag)`,
    ],
    [
      "an image that doesn't exist",
      withApiServer(
        podStatus(
          container("kube-apiserver", {
            ready: false,
            startedAt: undefined,
            waiting: { reason: "ImagePullBackOff", message: "not found" },
          }),
          { phase: "Pending" },
        ),
      ),
      `${API_SERVER}: container kube-apiserver is waiting: ImagePullBackOff: not found`,
    ],
    [
      "an API server that has ended and is not started again yet",
      withApiServer(
        podStatus(
          container("kube-apiserver", {
            ready: false,
            startedAt: undefined,
            terminated: { exitCode: 137, reason: "OOMKilled", message: "", containerId: "" },
          }),
        ),
      ),
      `${API_SERVER}: container kube-apiserver doesn't run; it ended with exit code 137 (OOMKilled)`,
    ],
    [
      "an API server that starts",
      withApiServer(podStatus(container("kube-apiserver", { ready: false }))),
      `${API_SERVER}: container kube-apiserver runs, but is not ready`,
    ],
    [
      "a pod that the kubelet refuses",
      withApiServer({
        phase: "Failed",
        reason: "UnexpectedAdmissionError",
        message: "no room",
        ready: false,
        containers: [],
      }),
      `${API_SERVER}: it is Failed: UnexpectedAdmissionError: no room`,
    ],
    [
      "a pod that the kubelet has not told of",
      withApiServer(undefined),
      `${API_SERVER}: the kubelet doesn't show it yet`,
    ],
    [
      "a kubelet that ends at once, behind a node that still looks ready",
      withService("kubelet", { healthy: false, lastMessage: "connection refused" }),
      "kubelet is not healthy: connection refused",
    ],
    [
      "a kubelet whose health was not checked yet",
      withService("kubelet", { healthy: false, healthUnknown: true }),
      "kubelet is not healthy",
    ],
    [
      "a kubelet image that can't be pulled",
      withService("kubelet", {
        state: "Failed",
        healthy: false,
        events: [{ state: "Failed", message: "failed to pull image", at: before }],
      }),
      "kubelet is Failed: failed to pull image",
    ],
    [
      "a kubelet that has not restarted yet",
      withService("kubelet", { events: [{ state: "Running", message: "", at: before }] }),
      "the kubelet has not restarted with its new configuration yet",
    ],
    [
      "an etcd that is down",
      withService("etcd", { state: "Preparing", healthy: false, events: [] }),
      "etcd is Preparing",
    ],
    [
      "a machine that boots",
      facts({ status: { stage: "booting", ready: true, unmetConditions: [] } }),
      "it is booting",
    ],
  ];

  it.each(unwell)("finds %s", (_name, machine, problem) => {
    expect(judgeMachine(machine).problems).toEqual([problem]);
  });

  it("treats a container that started in the second of the change as the new one", () => {
    const started = container("kube-apiserver", { startedAt: "2026-01-02T10:00:00Z" });
    expect(judgeMachine(withApiServer(podStatus(started))).problems).toEqual([]);
  });

  it("reports a missing service; on a worker only those of workers", () => {
    const worker = facts({
      services: [service("kubelet"), service("apid")],
      // Talos asks no kubelet of a worker for its pods.
      pods: [pod("proxy", { versions: undefined })],
      components: new Map(),
      podStatuses: new Map(),
    });
    expect(judgeMachine(worker).problems).toEqual([]);
    expect(judgeMachine({ ...worker, services: [service("apid")] }).problems).toEqual([
      "kubelet is absent",
    ]);
  });

  it("doubts a user's static pod whose change may have been reverted", () => {
    const machine = facts({
      pods: [pod("proxy", { versions: undefined })],
      components: new Map(),
      podStatuses: new Map([
        ["kube-system/proxy-cp-1", podStatus(container("proxy", { startedAt: before }))],
      ]),
    });
    expect(judgeMachine(machine)).toMatchObject({
      problems: [],
      unseen: ["pod kube-system/proxy-cp-1: the kubelet still runs the one before its last change"],
    });
  });

  it("lists separately what Talos reports as missing", () => {
    const unmetConditions = [{ name: "nodeReady", reason: 'node "cp-1" is not ready' }];
    const machine = facts({ status: { stage: "running", ready: false, unmetConditions } });
    expect(judgeMachine(machine)).toMatchObject({
      problems: [],
      unmet: ['it is not ready: nodeReady: node "cp-1" is not ready'],
    });
  });

  it("distinguishes starts of a container and of the kubelet", () => {
    const { starts } = judgeMachine(facts());
    const again = podStatus(container("kube-apiserver", { startedAt: "2026-01-02T10:00:30Z" }));
    expect(judgeMachine(withApiServer(again)).starts).not.toBe(starts);
    const events = [{ state: "Running", message: "", at: "2026-01-02T10:00:09.000Z" }];
    expect(judgeMachine(withService("kubelet", { events })).starts).not.toBe(starts);
    expect(judgeMachine(facts()).starts).toBe(starts);
  });
});
