import type { Progress } from "../../../provider/base/progress";
import { UNKNOWN } from "../../../provider/base/unknown";
import { PartialUpdateError } from "../../../provider/engine/handler";
import { withMachine } from "../../../provider/lifecycle/machine";
import { kubernetesUpgradeHandler as handler } from "../../../provider/resources/kubernetesUpgrade";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { silent } from "../progress";
import { steppingIt } from "../steppingClock";

const imagesOf = (version: string, registry = "registry.k8s.io") => ({
  apiServer: `${registry}/kube-apiserver:${version}`,
  controllerManager: `${registry}/kube-controller-manager:${version}`,
  scheduler: `${registry}/kube-scheduler:${version}`,
});

const inputsOf = (
  images: ReturnType<typeof imagesOf>,
  machineId = "i-1",
  talosVersion?: string,
) => ({
  machineId,
  node: "127.0.0.9",
  endpoint: "127.0.0.9",
  credentials: { ca: "", crt: "", key: "" },
  settledSeconds: 5,
  timeoutSeconds: 60,
  redactedConfiguration: {
    ...(talosVersion !== undefined && {
      machine: { install: { image: `ghcr.io/siderolabs/installer:${talosVersion}` } },
    }),
    cluster: {
      apiServer: { image: images.apiServer },
      controllerManager: { image: images.controllerManager },
      scheduler: { image: images.scheduler },
    },
  },
});

const before = imagesOf("v1.34.0");
const recorded = { machineId: "i-1", images: before };

async function failures(images: ReturnType<typeof imagesOf>, machineId?: string) {
  const olds = (await handler.check(undefined, inputsOf(before))).inputs;
  return (await handler.check(olds, inputsOf(images, machineId))).failures;
}

describe("an upgrade of Kubernetes in an update that replaces the machine it asks", () => {
  const refusal =
    'this update replaces the control plane machine that upgrades Kubernetes on the others: set Kubernetes back to v1.34.0, run "pulumi up" to replace the machine, then upgrade to v1.35.0';

  it("is refused in the preview, where the new machine has no id yet", async () => {
    expect(await failures(imagesOf("v1.35.0"), UNKNOWN)).toEqual([
      { property: "kubernetesVersion", reason: refusal },
    ]);
    expect(await failures(imagesOf("v1.35.0"))).toEqual([]);
  });

  it("is refused in the update, if an earlier run has made the new machine", async () => {
    const { inputs } = await handler.check(undefined, inputsOf(imagesOf("v1.35.0"), "i-2"));
    await expect(handler.update("kubernetes", recorded, inputs, silent)).rejects.toThrow(refusal);
  });

  it("may come from another registry, and creates whole clusters", async () => {
    const mirrored = imagesOf("v1.34.0", "mirror.example");
    expect(await failures(mirrored, UNKNOWN)).toEqual([]);
    const { inputs } = await handler.check(undefined, inputsOf(mirrored, "i-2"));
    expect(await handler.update("kubernetes", recorded, inputs, silent)).toEqual({
      machineId: "i-2",
      images: mirrored,
    });
    expect((await handler.check(undefined, inputsOf(before, UNKNOWN))).failures).toEqual([]);
  });
});

describe("an upgrade of Talos and Kubernetes", () => {
  const failuresOf = async (
    [talos, kubernetes]: readonly [string, string],
    [nextTalos, next]: readonly [string, string],
    more: { readonly upgradeTalos?: boolean } = {},
  ) => {
    const olds = { ...inputsOf(imagesOf(kubernetes), "i-1", talos), ...more };
    const news = { ...inputsOf(imagesOf(next), "i-1", nextTalos), ...more };
    const { inputs } = await handler.check(undefined, olds);
    return (await handler.check(inputs, news)).failures;
  };

  it("is accepted in both directions, one minor at a time", async () => {
    const [older, newer] = [["v1.12.1", "v1.35.0"] as const, ["v1.13.0", "v1.36.0"] as const];
    expect(await failuresOf(older, newer)).toEqual([]);
    expect(await failuresOf(newer, older)).toEqual([]);
  });

  it("is refused in the preview if neither can change first, with the steps of both", async () => {
    const [older, newer] = [["v1.11.5", "v1.29.0"] as const, ["v1.13.0", "v1.36.0"] as const];
    const [failure, ...others] = await failuresOf(older, newer);
    expect(others).toEqual([]);
    expect(failure).toEqual({
      property: "kubernetesVersion",
      reason: expect.stringMatching(
        /^Talos v1\.13\.0 does not run Kubernetes v1\.29\.0, and .* neither can change first: go step by step, with an "up" for the newest releases of Talos v1\.12 and Kubernetes v1\.30, /,
      ) as string,
    });
    // The installer then doesn't say what the machines run: they are asked.
    const [path] = await failuresOf(older, newer, { upgradeTalos: false });
    expect(path?.reason).toContain("7 minors above it");
  });
});

describe("an upgrade that fails half-way", () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
  });

  afterEach(() => cluster.stop());

  /** A control plane machine that is up, with the inputs for releases. */
  async function started() {
    const [node] = await cluster.addConfigured(1);
    if (node === undefined) {
      throw new Error("there is no machine");
    }
    await cluster.bootstrap(node, 1);
    const machine = await machineAt(cluster, node.address);
    const checked = async (talos: string, kubernetes: string, olds?: object) => {
      const news = { ...inputsOf(imagesOf(kubernetes), "i-1", talos), ...machine };
      const { inputs, failures } = await handler.check(olds, {
        ...news,
        settledSeconds: 0,
        timeoutSeconds: 3_600,
      });
      expect(failures).toEqual([]);
      return inputs;
    };
    const { state } = await handler.create(await checked("v1.12.1", "v1.35.0"), silent);
    const version = () => withMachine(machine, async (client) => (await client.version()).tag);
    return { node, state, checked, version };
  }

  const failureOf = async (failing: Promise<unknown>) => {
    const failure: unknown = await failing.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialUpdateError);
    return (failure as PartialUpdateError).properties as typeof recorded;
  };

  steppingIt("is recorded, and continued by an update that changes nothing", async () => {
    const { node, state, checked, version } = await started();
    const inputs = await checked("v1.13.0", "v1.36.0");
    const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
    const reached = await failureOf(handler.update("kubernetes", state, inputs, silent));
    expect(reached).toEqual({ ...state, installedTalos: "v1.13.0", isUnfinished: true });
    await fault.lift();
    expect(handler.diff("kubernetes", reached, inputs)).toEqual({ changes: true });
    const done = await handler.update("kubernetes", reached, inputs, silent);
    expect(done).not.toHaveProperty("isUnfinished");
    expect(await version()).toBe("v1.13.0");
    expect(handler.diff("kubernetes", done, inputs)).toEqual({ changes: false });
  });

  steppingIt("is taken back by an update with the former releases", async () => {
    const { node, state, checked, version } = await started();
    const before = node.node.machineConfiguration;
    const inputs = await checked("v1.13.0", "v1.36.0");
    const cut: Progress = {
      ...silent,
      report: (line) => {
        if (line.includes("changes controllerManager")) {
          throw new Error("it fails here");
        }
      },
    };
    const reached = await failureOf(handler.update("kubernetes", state, inputs, cut));
    expect(await version()).toBe("v1.13.0");
    expect(node.node.machineConfiguration).toContain("kube-apiserver:v1.36.0");
    const former = await checked("v1.12.1", "v1.35.0", inputs);
    expect(handler.diff("kubernetes", reached, former)).toEqual({ changes: true });
    const back = await handler.update("kubernetes", reached, former, silent);
    expect(back).not.toHaveProperty("isUnfinished");
    expect(await version()).toBe("v1.12.1");
    expect(node.node.machineConfiguration).toBe(before);
  });

  steppingIt("changes nothing, and records nothing, before its first change", async () => {
    const { state, checked, version } = await started();
    const inputs = await checked("v1.12.1", "v1.36.0");
    await expect(handler.update("kubernetes", state, inputs, silent)).rejects.not.toBeInstanceOf(
      PartialUpdateError,
    );
    expect(await version()).toBe("v1.12.1");
  });

  it("stays recorded while the machine that it asks is replaced", async () => {
    const unfinished = { ...recorded, isUnfinished: true as const };
    const { inputs } = await handler.check(undefined, inputsOf(before, "i-2"));
    expect(await handler.update("kubernetes", unfinished, inputs, silent)).toEqual({
      machineId: "i-2",
      images: before,
      isUnfinished: true,
    });
  });
});
