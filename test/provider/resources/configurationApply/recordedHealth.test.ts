import { PartialCreateError, PartialUpdateError } from "../../../../provider/engine/handler";
import type { MachineFacts } from "../../../../provider/lifecycle/health/machineFacts";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { healthAfterDrift } from "../../../../provider/resources/configurationApply/recordedHealth";
import { SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { type FactsMachine, startFactsMachine } from "../../lifecycle/factsMachine";
import {
  container,
  facts,
  podStatus,
  withApiServer,
  withService,
} from "../../lifecycle/machineSamples";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";

/** Only the API server itself can tell that the file is missing. */
const noSuchFile = {
  cluster: { apiServer: { extraArgs: { encryption_provider_config: "/var/no-such-file" } } },
};

/** What a control plane machine is like some seconds after it was given that. */
const crashed = withApiServer(
  podStatus(
    container("kube-apiserver", {
      ready: false,
      startedAt: undefined,
      waiting: { reason: "CrashLoopBackOff", message: "back-off 10s" },
      lastEnd: {
        exitCode: 1,
        reason: "Error",
        message: "",
        containerId: "containerd://0123456789abcdef",
      },
    }),
  ),
);

type State = Awaited<ReturnType<typeof handler.update>>;

let cluster: SimulatedCluster;
let machine: FactsMachine;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
});
afterEach(() => machine.stop());
afterAll(() => cluster.stop());

async function start(
  now: MachineFacts,
  onApply?: (machine: FactsMachine) => void,
): Promise<{ readonly state: State }> {
  machine = await startFactsMachine(now, cluster.config("controlplane"), onApply);
  const inputs = await inputsOf(cluster.config("controlplane"));
  const { node, endpoint, credentials } = machine.machine;
  return {
    state: {
      node,
      endpoint,
      credentials,
      timeoutSeconds: 600,
      configurationHash: inputs.configurationHash ?? "",
    },
  };
}

async function inputsOf(machineConfiguration: string, more: object = {}) {
  const { inputs, failures } = await handler.check(undefined, {
    ...machine.machine,
    machineId: "i-1",
    machineConfiguration,
    patches: [],
    mode: "auto",
    settledSeconds: 0,
    timeoutSeconds: 600,
    redactedConfiguration: "",
    ...more,
  });
  expect(failures).toEqual([]);
  return inputs;
}

/** What an update that fails leaves to be recorded. */
async function failedUpdate(state: State, inputs: Awaited<ReturnType<typeof inputsOf>>) {
  const error: unknown = await handler
    .update("i-1", state, inputs, silent)
    .catch((e: unknown) => e);
  if (!(error instanceof PartialUpdateError)) {
    throw new Error(`no partial update: ${String(error)}`);
  }
  return { message: error.message, state: error.properties as State };
}

describe("a change of a machine's configuration", () => {
  steppingIt(
    "is done when the machine is healthy, not when it has the configuration",
    async (stepping) => {
      const { state } = await start(facts(), (self) => {
        self.facts = crashed;
        stepping.after(2_500, () => (self.facts = facts()));
      });
      const progress = recordedProgress();
      const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]));
      const next = await handler.update("i-1", state, inputs, progress);
      expect(machine.facts).not.toBe(crashed);
      expect(next).toMatchObject({ wellness: "reached" });
      expect(progress.lines.join("\n")).toMatch(/CrashLoopBackOff/);
    },
  );

  steppingIt(
    "fails at the deadline with the cause of the bad health, and is awaited again",
    async (stepping) => {
      const { state } = await start(facts(), (self) => (self.facts = crashed));
      const broken = await inputsOf(cluster.config("controlplane", [noSuchFile]), {
        timeoutSeconds: 10,
      });
      const failed = await failedUpdate(state, broken);
      expect(failed.message).toMatch(
        /gave up waiting for machine 127\.0\.0\.1 to be healthy .*pod kube-system\/kube-apiserver-cp-1: container kube-apiserver is waiting: CrashLoopBackOff.*exit code 1/,
      );
      // The machine has it: so a run with the same configuration waits, and one with the former takes it back.
      expect(failed.state).toMatchObject({
        configurationHash: broken.configurationHash,
        wellness: "awaited",
      });
      expect(handler.diff("i-1", failed.state, broken)).toMatchObject({ changes: true });
      await failedUpdate(failed.state, broken);
      const former = await inputsOf(cluster.config("controlplane"));
      expect(handler.diff("i-1", failed.state, former)).toMatchObject({ changes: true });
      stepping.after(1_500, () => (machine.facts = facts()));
      const next = await handler.update("i-1", failed.state, former, silent);
      expect(next).toMatchObject({
        configurationHash: former.configurationHash,
        wellness: "reached",
      });
      expect(machine.active).toBe(cluster.config("controlplane"));
      expect(handler.diff("i-1", next, former)).toMatchObject({ changes: false });
    },
  );

  steppingIt(
    "fails with a kubelet that can't start, although its Node still looks ready",
    async () => {
      const { state } = await start(facts(), (self) => {
        self.facts = withService("kubelet", { healthy: false, lastMessage: "connection refused" });
      });
      const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]), {
        timeoutSeconds: 10,
      });
      const { message } = await failedUpdate(state, inputs);
      expect(message).toContain("kubelet is not healthy: connection refused");
    },
  );

  steppingIt(
    "is done when a machine that was never up has it, because it may wait for its bootstrap",
    async () => {
      const booting = { stage: "booting" as const, ready: false, unmetConditions: [] };
      const { state } = await start(facts({ status: booting, podStatuses: new Map() }));
      const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]));
      const next = await handler.update("i-1", state, inputs, silent);
      expect(next).not.toHaveProperty("wellness");
    },
  );

  // Talos v1.14 calls such a machine `running`: its boot doesn't wait for the kubelet.
  steppingIt("is done when a machine has it whose kubelet never was healthy", async () => {
    const events = [{ state: "Running", message: "Started task", at: undefined }];
    const waiting = { healthy: false, healthUnknown: true, events };
    const { state } = await start(withService("kubelet", waiting));
    const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]));
    const next = await handler.update("i-1", state, inputs, silent);
    expect(next).not.toHaveProperty("wellness");
  });

  steppingIt("waits for a kubelet that was healthy in this boot", async (stepping) => {
    const { state } = await start(withService("kubelet", { healthy: false }));
    stepping.after(1_500, () => (machine.facts = facts()));
    const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]));
    const next = await handler.update("i-1", state, inputs, silent);
    expect(next).toMatchObject({ wellness: "reached" });
  });

  steppingIt("waits for a booting machine that was healthy before", async (stepping) => {
    const booting = { stage: "booting" as const, ready: true, unmetConditions: [] };
    const { state } = await start(facts({ status: booting }));
    stepping.after(1_500, () => (machine.facts = facts()));
    const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]));
    const next = await handler.update("i-1", { ...state, wellness: "reached" }, inputs, silent);
    expect(machine.facts.status.stage).toBe("running");
    expect(next).toMatchObject({ wellness: "reached" });
  });

  for (const [title, comesUp] of [
    ["waits for a machine that a killed run has rebooted in its first change", true],
    ["gives such a machine two minutes: it may wait for its bootstrap", false],
  ] as const) {
    steppingIt(title, async (stepping) => {
      const booting = { stage: "booting" as const, ready: true, unmetConditions: [] };
      const { state } = await start(facts({ status: booting }));
      if (comesUp) {
        stepping.after(60_000, () => (machine.facts = facts()));
      }
      const inputs = await inputsOf(cluster.config("controlplane"));
      const before = { ...state, configurationHash: "former" };
      const next = await handler.update("i-1", before, inputs, silent);
      expect(machine.facts.status.stage).toBe(comesUp ? "running" : "booting");
      expect(next.wellness).toBe(comesUp ? "reached" : undefined);
    });
  }

  steppingIt("is done when it is staged, which restarts nothing", async () => {
    const { state } = await start(crashed);
    const inputs = await inputsOf(cluster.config("controlplane", [noSuchFile]), { mode: "staged" });
    await handler.update("i-1", state, inputs, silent);
    expect(machine.wasAskedForServices).toBe(false);
  });
});

it("is awaited after a refresh that found a change, and unconfirmed where it was never recorded", () => {
  expect((["reached", "awaited", undefined] as const).map(healthAfterDrift)).toEqual([
    "awaited",
    "awaited",
    "unconfirmed",
  ]);
});

describe("a machine that is configured already", () => {
  const reboots = { machine: { env: { GREETING: "hello" } } };
  const live = { machine: { sysctls: { "vm.swappiness": "1" } } };
  const former = () => cluster.config("controlplane");

  steppingIt("is not changed if it would reboot; the error says why", async () => {
    await start(facts());
    const inputs = await inputsOf(cluster.config("controlplane", [reboots, live]));
    await expect(handler.create(inputs, silent)).rejects.toMatchObject({
      message: expect.stringMatching(
        /differs from the new one in machine\.env\.GREETING, machine\.sysctls\.vm\.swappiness\. It reboots for machine\.env\.GREETING\. .*not changed, and is recorded/,
      ) as string,
      id: "i-1",
    });
    expect(machine.active).toBe(former());
  });

  steppingIt(
    "accepts changes that need no reboot, and must be healthy afterwards",
    async (stepping) => {
      await start(facts(), (self) => {
        self.facts = crashed;
        stepping.after(1_500, () => (self.facts = facts()));
      });
      const inputs = await inputsOf(cluster.config("controlplane", [live]));
      const { state } = await handler.create(inputs, silent);
      expect(machine.active).toContain("vm.swappiness");
      expect(machine.facts).not.toBe(crashed);
      expect(state).toMatchObject({ wellness: "reached" });
    },
  );

  steppingIt("is only inspected on request, and the next run changes it", async () => {
    await start(facts());
    const progress = recordedProgress();
    const inputs = await inputsOf(cluster.config("controlplane", [live]), { takeover: "look" });
    const { state } = await handler.create(inputs, progress);
    expect(progress.warnings).toEqual([
      expect.stringMatching(
        /differs .* in machine\.sysctls\.vm\.swappiness\. None of this needs a/,
      ),
    ]);
    expect(machine.active).toBe(former());
    // A refresh has the next preview compare with what the machine has.
    const found = await handler.read?.("i-1", state, silent);
    const before = await inputsOf(former());
    expect(found?.inputs?.redactedConfiguration).toEqual(before.redactedConfiguration);
    for (const recorded of [state, found?.state ?? state]) {
      expect(handler.diff("i-1", recorded, inputs)).toMatchObject({ changes: true });
    }
    expect(await handler.update("i-1", state, inputs, silent)).not.toHaveProperty("isLeft");
    expect(machine.active).toContain("vm.swappiness");
  });

  describe("with other settings than it keeps from its birth", () => {
    const range = "10.200.0.0/16";
    const others = [
      { cluster: { network: { podSubnets: [range], dnsDomain: "k8s.example" } } },
      {
        apiVersion: "v1alpha1",
        kind: "VolumeConfig",
        name: "EPHEMERAL",
        encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] },
      },
    ];
    const paths = [
      ["cluster.network.podSubnets", range],
      ["cluster.network.dnsDomain", "k8s.example"],
      ["VolumeConfig/EPHEMERAL.encryption.provider", "luks2"],
    ] as const;
    const acceptedChanges = Object.fromEntries(paths);

    for (const takeover of ["noReboot", "auto"] as const) {
      steppingIt(`gets nothing with ${takeover}, and the error lists all`, async () => {
        await start(facts());
        const inputs = await inputsOf(cluster.config("controlplane", others), { takeover });
        const error = await handler.create(inputs, silent).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(Error);
        // Nothing is recorded, so the next run takes the machine over.
        expect(error).not.toBeInstanceOf(PartialCreateError);
        const [first, ...lines] = String(error).split("\n");
        expect(first).toContain(
          "is configured already, and the new configuration changes what a machine keeps from its birth. Nothing was sent to it:",
        );
        expect(lines).toEqual(
          paths.map(
            ([path, value]) =>
              expect.stringMatching(
                new RegExp(
                  `^  - ${path}: it can't change .* acceptedChanges to \\{"${path}":"${value}"\\}$`,
                ),
              ) as string,
          ),
        );
        expect(machine.active).toBe(former());
      });
    }

    steppingIt("gets them once they are accepted, with a warning of each", async () => {
      await start(facts());
      const progress = recordedProgress();
      const inputs = await inputsOf(cluster.config("controlplane", others), {
        takeover: "auto",
        acceptedChanges,
      });
      await handler.create(inputs, progress);
      expect(machine.active).toContain(range);
      for (const [path] of paths) {
        expect(progress.warnings).toContainEqual(expect.stringContaining(`${path} changes from`));
      }
    });

    steppingIt("gets nothing in the run after one that only looked either", async () => {
      await start(facts());
      const inputs = await inputsOf(cluster.config("controlplane", others), { takeover: "look" });
      const { state } = await handler.create(inputs, silent);
      await expect(handler.update("i-1", state, inputs, silent)).rejects.toThrow(
        /Nothing was sent to it:\n {2}- cluster\.network\.podSubnets: it can't change/,
      );
      expect(machine.active).toBe(former());
      const accepting = { ...inputs, acceptedChanges };
      expect(await handler.update("i-1", state, accepting, silent)).not.toHaveProperty("isLeft");
      expect(machine.active).toContain(range);
    });
  });

  steppingIt("is changed at once on request", async () => {
    await start(facts());
    const inputs = await inputsOf(cluster.config("controlplane", [reboots]), { takeover: "auto" });
    await handler.create(inputs, silent);
    expect(machine.active).toContain("GREETING");
  });
});
