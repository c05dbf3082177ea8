import { judgeControllers } from "../../../../provider/lifecycle/health/judgeControllers";
import { beginning, failure } from "../controllerLines";

const BEFORE = "2026-01-02T09:59:30.000Z";
const CONFIGURED = "2026-01-02T10:00:00.000Z";
const AFTER = "2026-01-02T10:00:00.100Z";
const PODS = "k8s.ControlPlaneStaticPodController";
const ROUTES = "network.RouteSpecController";
/** A line before the configuration, which proves that the log goes back so far. */
const old = beginning("2026-01-02T09:00:00.000Z", "v1alpha1.ServiceController");

function judge(lines: readonly string[], more: object = {}) {
  const conceal = (text: string) => text.replaceAll("hunter2", "«secret»");
  return judgeControllers({
    lines,
    images: new Map(),
    configuredAtMs: Date.parse(CONFIGURED),
    conceal,
    ...more,
  });
}

describe("judgeControllers", () => {
  it("finds a controller that fails by the configuration, and quotes its error", () => {
    const error =
      'error updating static pod: extra arg "encryption-provider-config" is not allowed';
    expect(judge(failure(AFTER, PODS, error))).toEqual({
      problems: [
        `Talos' controller ${PODS} fails, so what runs is from an older configuration: ${error}`,
      ],
      doubts: [],
    });
  });

  it("quotes no secret, no stack, and no endless error", () => {
    const [problem = ""] = judge(
      failure(AFTER, PODS, `token hunter2\nis bad\n\ngoroutine 1\n${"x".repeat(9_000)}`),
    ).problems;
    expect(problem).toContain("token «secret»; is bad");
    expect(problem).not.toContain("goroutine");
    const [long = ""] = judge(failure(AFTER, PODS, "x".repeat(9_000))).problems;
    expect(long.length).toBeLessThan(600);
  });

  it("waits until Talos has tried the new configuration, also with another one's failure", () => {
    expect(judge(failure(BEFORE, ROUTES, "bad gateway")).problems).toEqual([
      `Talos' controller ${ROUTES} failed with the configuration before, and tries again at 2026-01-02T10:00:34.100Z`,
    ]);
    const retried = [...failure(BEFORE, ROUTES, "bad gateway"), beginning(AFTER, ROUTES)];
    expect(judge(retried)).toEqual({ problems: [], doubts: [] });
  });

  it("blames the configuration for another controller only if it was well before", () => {
    const fails = `Talos' controller ${ROUTES} fails: bad gateway`;
    const now = failure(AFTER, ROUTES, "bad gateway");
    expect(judge([old, ...now])).toEqual({ problems: [fails], doubts: [] });
    expect(
      judge([old, ...failure(BEFORE, ROUTES, "bad"), beginning(AFTER, ROUTES), ...now]),
    ).toEqual({ problems: [], doubts: [fails] });
    // The log doesn't go back so far.
    expect(judge(now)).toEqual({ problems: [], doubts: [fails] });
  });

  it("doesn't count controllers that need others, only observe, or are not known", () => {
    const names = ["k8s.NodeApplyController", "hardware.PCIDevicesController", "k8s.NewController"];
    const lines = names.flatMap((name) => failure(AFTER, name, "no route to host"));
    expect(judge([old, ...lines])).toEqual({ problems: [], doubts: [] });
  });

  it("knows nothing from a log that can't be read", () => {
    expect(judge([], { lines: undefined })).toEqual({ problems: [], doubts: [] });
  });
});
