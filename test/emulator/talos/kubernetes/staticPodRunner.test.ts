import { pullFailure } from "../../../../emulator/talos/kubernetes/componentImages";
import { restartPace } from "../../../../emulator/talos/kubernetes/restartPace";
import type { StaticPodDefinition } from "../../../../emulator/talos/kubernetes/staticPodDefinitions";
import { StaticPodRunner } from "../../../../emulator/talos/kubernetes/staticPodRunner";
import { Timers } from "../../../../emulator/talos/machine/timers";

const good: StaticPodDefinition = {
  app: "kube-apiserver",
  image: "registry.k8s.io/kube-apiserver:v1.35.0",
  extraArgs: {},
  annotations: { "talos.dev/config-version": "1" },
};
const changed: StaticPodDefinition = {
  ...good,
  image: "registry.k8s.io/kube-apiserver:v1.35.1",
  annotations: { "talos.dev/config-version": "2" },
};
const refused: StaticPodDefinition = { ...changed, extraArgs: { "no-such-flag": "1" } };
const shutOut: StaticPodDefinition = {
  ...changed,
  fileFault: "open /var/log/audit/kube/keys: permission denied",
};
const scheduler: StaticPodDefinition = {
  ...good,
  app: "kube-scheduler",
  image: "registry.k8s.io/kube-scheduler:v1.35.0",
};

describe("the static pods of a node, of which each restart takes a second", () => {
  let timers: Timers;
  let runner: StaticPodRunner;
  beforeEach(() => {
    vi.useFakeTimers();
    timers = new Timers();
    runner = new StaticPodRunner({
      hasSpace: () => true,
      timers,
      pace: restartPace(1000),
      nodename: () => "cp1",
      changed: () => undefined,
    });
    runner.want([good]);
    runner.start();
  });
  afterEach(() => {
    timers.end();
    vi.useRealTimers();
  });

  const status = () => runner.statuses["kube-apiserver"];
  const answers = () => runner.answering("kube-apiserver") !== undefined;

  test("run at once when the kubelet starts", () => {
    expect(status()).toMatchObject({ ready: true, restartCount: 0 });
    expect(answers()).toBe(true);
  });

  test("restart late, are down, and are ready before they answer", () => {
    runner.want([changed]);
    vi.advanceTimersByTime(299);
    expect(status()).toMatchObject({ ready: true, image: good.image });
    expect(answers()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(status()).toMatchObject({
      ready: false,
      image: changed.image,
      state: undefined,
    });
    expect(answers()).toBe(false);
    vi.advanceTimersByTime(300);
    expect(status()).toMatchObject({ ready: true, annotations: changed.annotations });
    expect(answers()).toBe(false);
    vi.advanceTimersByTime(400);
    expect(answers()).toBe(true);
  });

  test("with probes are ready only when they answer", () => {
    runner.want([good, scheduler]);
    vi.advanceTimersByTime(300);
    expect(runner.statuses["kube-scheduler"]).toMatchObject({ ready: true });
    runner.want([good, { ...scheduler, annotations: {} }]);
    vi.advanceTimersByTime(600);
    expect(runner.statuses["kube-scheduler"]).toMatchObject({ started: false, ready: false });
    vi.advanceTimersByTime(400);
    expect(runner.statuses["kube-scheduler"]).toMatchObject({ started: true, ready: true });
  });

  test.each([
    ["reject a flag", refused],
    ["can't read a file", shutOut],
  ])("that %s exit and restart with a growing delay", (_, definition) => {
    runner.want([definition]);
    vi.advanceTimersByTime(700);
    expect(status()).toMatchObject({
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode: 1, reason: "Error" } },
    });
    vi.advanceTimersByTime(250);
    expect(status()).toMatchObject({
      ready: false,
      restartCount: 0,
      state: {
        waiting: {
          reason: "CrashLoopBackOff",
          message: expect.stringMatching(
            /^back-off 10s restarting failed container=kube-apiserver pod=kube-apiserver-cp1_kube-system\([0-9a-f]{32}\)$/,
          ) as string,
        },
      },
      lastExit: { exitCode: 1, reason: "Error" },
    });
    vi.advanceTimersByTime(20_000);
    expect(status()?.restartCount).toBeGreaterThan(3);
    expect(status()?.restartCount).toBeLessThan(10);
    expect(answers()).toBe(false);
    runner.want([good]);
    vi.advanceTimersByTime(1000);
    expect(answers()).toBe(true);
    expect(status()).toMatchObject({ restartCount: 0 });
  });

  test("end when their API server is gone for long, and return with it", () => {
    runner.want([good, scheduler]);
    vi.advanceTimersByTime(300);
    runner.want([refused, scheduler]);
    vi.advanceTimersByTime(1299);
    expect(runner.statuses["kube-scheduler"]).toMatchObject({ ready: true });
    vi.advanceTimersByTime(1);
    expect(runner.statuses["kube-scheduler"]).toMatchObject({
      ready: false,
      state: { terminated: { exitCode: 1 } },
    });
    vi.advanceTimersByTime(20_000);
    expect(runner.statuses["kube-scheduler"]?.restartCount).toBeGreaterThan(2);
    runner.want([good, scheduler]);
    vi.advanceTimersByTime(10_000);
    expect(runner.statuses["kube-scheduler"]).toMatchObject({ started: true, ready: true });
  });

  test("go on without a kubelet, and change only when it is back", () => {
    runner.stop();
    runner.want([changed]);
    vi.advanceTimersByTime(60_000);
    expect(answers()).toBe(true);
    expect(status()?.image).toBe(good.image);
    runner.start();
    vi.advanceTimersByTime(1000);
    expect(status()?.image).toBe(changed.image);
    expect(answers()).toBe(true);
  });

  test("that failed stay failed without a kubelet", () => {
    runner.want([refused]);
    vi.advanceTimersByTime(700);
    runner.stop();
    vi.advanceTimersByTime(60_000);
    expect(status()?.restartCount).toBe(0);
  });
});

test.each([
  ["kube-apiserver", "registry.k8s.io/kube-apiserver:v1.34.3", undefined],
  ["kubelet", "ghcr.io/siderolabs/kubelet:v1.35.0", undefined],
  ["kubelet", `ghcr.io/siderolabs/kubelet@sha256:${"0".repeat(64)}`, undefined],
  ["kubelet", "ghcr.io/siderolabs/kubelet:v1.35.99", /v1\.35\.99: not found$/],
  ["kubelet", "ghcr.io/siderolabs/kubelet:v1.99.0", /v1\.99\.0: not found$/],
  ["kubelet", "ghcr.io/siderolabs/kubelet", /siderolabs\/kubelet: not found$/],
  ["kubelet", "ghcr.io/siderolabs/nothing:v1.35.0", /nothing:v1\.35\.0: not found$/],
  ["kubelet", "registry.invalid/kubelet:v1.35.0", /lookup registry\.invalid: no such host$/],
])("%s: the image %s exists unless %s", (component, image, failure) => {
  if (failure === undefined) {
    expect(pullFailure(component, image)).toBeUndefined();
  } else {
    expect(pullFailure(component, image)).toMatch(failure);
  }
});
