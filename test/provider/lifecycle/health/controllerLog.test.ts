import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failedControllers } from "../../../../provider/lifecycle/health/controllerLog";
import { beginning, failure, logLine } from "../controllerLines";

const PODS = "k8s.ControlPlaneStaticPodController";
const KUBELET = "k8s.KubeletSpecController";
const ITEM = { controller: "runtime.X", namespace: "runtime", type: "Xs", id: "a" };

describe("failedControllers", () => {
  it("finds a controller that waits for its back-off, with its last error and its next try", () => {
    const lines = [
      beginning("2026-01-02T10:00:00.000Z", PODS),
      ...failure("2026-01-02T10:00:01.000Z", PODS, "first", "512.3ms"),
      beginning("2026-01-02T10:00:01.512Z", PODS),
      ...failure("2026-01-02T10:00:01.600Z", PODS, 'extra arg "a" is not allowed'),
    ];
    expect(failedControllers(lines)).toEqual([
      {
        controller: PODS,
        error: 'extra arg "a" is not allowed',
        at: "2026-01-02T10:00:01.600Z",
        againAt: "2026-01-02T10:01:05.700Z",
      },
    ]);
  });

  it("forgets one that has begun again, and knows how it was before", () => {
    const lines = [
      ...failure("2026-01-02T10:00:01.000Z", PODS, "a"),
      ...failure("2026-01-02T10:00:02.000Z", KUBELET, "b"),
      beginning("2026-01-02T10:01:05.000Z", PODS),
    ];
    const named = (until?: string) =>
      failedControllers(lines, until === undefined ? undefined : Date.parse(until)).map(
        ({ controller }) => controller,
      );
    expect(named()).toEqual([KUBELET]);
    expect(named("2026-01-02T10:01:00.000Z")).toEqual([PODS, KUBELET]);
    expect(named("2026-01-02T10:00:01.500Z")).toEqual([PODS]);
  });

  it("reads what a machine with Talos v1.12.1 wrote about a denied flag", () => {
    const file = join(__dirname, "../../testdata/controllerRuntime.log");
    const found = failedControllers(readFileSync(file, "utf8").split("\n"));
    expect(found).toEqual([
      {
        controller: "k8s.NodeApplyController",
        error: "1 error(s) occurred:\n\ttimeout",
        at: "2026-11-26T12:02:00.290Z",
        againAt: undefined,
      },
      {
        controller: PODS,
        error:
          'error updating static pod for "APIServerConfigs.kubernetes.talos.dev": extra arg "encryption-provider-config" is not allowed',
        at: "2026-11-26T12:02:15.160Z",
        againAt: "2026-11-26T12:02:15.914Z",
      },
    ]);
  });

  it("follows controllers of a queue by their resources", () => {
    const lines = [
      logLine("2026-01-02T10:00:00.000Z", "ERROR", "reconcile failed", {
        ...ITEM,
        error: "no",
        interval: "30s",
        busy: "1ms",
      }),
      logLine("2026-01-02T10:00:01.000Z", "INFO", "reconcile succeeded", { ...ITEM, id: "b" }),
    ];
    expect(failedControllers(lines)).toEqual([
      {
        controller: "runtime.X",
        error: "no",
        at: "2026-01-02T10:00:00.000Z",
        againAt: "2026-01-02T10:00:30.000Z",
      },
    ]);
    const after = logLine("2026-01-02T10:00:30.000Z", "INFO", "reconcile succeeded", ITEM);
    expect(failedControllers([...lines, after])).toEqual([]);
  });

  it("skips lines that say nothing of a controller, or were cut off", () => {
    const [whole = ""] = failure("2026-01-02T10:00:00.000Z", PODS, "a");
    const lines = [
      "",
      "no line of the log {}",
      whole.slice(0, -5),
      logLine("2026-01-02T10:00:00.000Z", "INFO", "controller failed"),
      logLine("2026-01-02T10:00:00.000Z", "INFO", "link added", { controller: PODS }),
    ];
    expect(failedControllers(lines)).toEqual([]);
  });
});
