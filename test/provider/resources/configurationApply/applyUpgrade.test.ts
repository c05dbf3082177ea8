import { TalosClient } from "../../../../provider/api/talosClient";
import { UNKNOWN } from "../../../../provider/base/unknown";
import type { Patch } from "../../../../provider/config/patches/patch";
import { PartialUpdateError } from "../../../../provider/engine/handler";
import type { ApplyMode } from "../../../../provider/lifecycle/delivery/delivery";
import { needsUpgrade } from "../../../../provider/resources/configurationApply/applyUpgrade";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { expectDocumented } from "../../../documented";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";

const id = "i-0123456789abcdef0";
const installer = (version: string) => ({
  machine: { install: { image: `ghcr.io/siderolabs/installer:${version}` } },
});

let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});

afterEach(() => cluster.stop());

/** The inputs of a machine whose installer is of a version, as `check` makes them. */
async function inputsOf(
  { address }: SimulatedNode,
  version: string,
  choices: {
    readonly mode?: ApplyMode;
    readonly upgradeTalos?: boolean;
    readonly more?: Patch;
  } = {},
) {
  const { mode = "auto", upgradeTalos, more } = choices;
  const patches: Patch[] = more === undefined ? [] : [more];
  // The installer of the role says which Talos reads the patches.
  const machineConfiguration = cluster.config("controlplane", [installer(version)]);
  const { inputs, failures, warnings } = await handler.check(undefined, {
    ...(await machineAt(cluster, address)),
    machineId: id,
    machineConfiguration,
    patches,
    mode,
    ...(upgradeTalos !== undefined && { upgradeTalos }),
    timeoutSeconds: 3_600,
    upgradeTimeoutSeconds: 3_600,
    settledSeconds: 0,
    redactedConfiguration: "",
  });
  expect(failures).toEqual([]);
  return { inputs, warnings };
}

/** A machine of a cluster that is up, with what is recorded of it. */
async function applied(choices: Parameters<typeof inputsOf>[2] = {}) {
  const [node] = await cluster.addConfigured(1);
  if (node === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(node, 1);
  const { inputs } = await inputsOf(node, cluster.talosVersion, choices);
  const { state } = await handler.create({ ...inputs, takeover: "auto" }, silent);
  return { node, inputs, state };
}

async function versionOf({ address }: SimulatedNode): Promise<string> {
  const client = TalosClient.connect(await machineAt(cluster, address));
  try {
    return (await client.version()).tag;
  } finally {
    client.close();
  }
}

describe("a machine whose installer is of another release", () => {
  steppingIt("is recorded with its running release, and upgraded by the update", async () => {
    const { node, state } = await applied();
    expect(state.talosSystem).toEqual({ version: "v1.12.1" });
    const { inputs, warnings } = await inputsOf(node, "v1.13.0");
    expect(inputs.talosSystem).toEqual({ version: "v1.13.0" });
    expect(warnings).toEqual([]);
    expect(handler.diff(id, state, inputs)).toMatchObject({ changes: true, replaces: [] });
    const next = await handler.update(id, state, inputs, silent);
    expect(next).toMatchObject({ talosSystem: { version: "v1.13.0" }, wellness: "reached" });
    expect(await versionOf(node)).toBe("v1.13.0");
    expect(node.node.machineConfiguration).toContain("installer:v1.13.0");
    expect(handler.diff(id, next, inputs)).toMatchObject({ changes: false });
  });

  steppingIt("is upgraded before its other changes", async () => {
    const { node, state } = await applied();
    const more = { machine: { sysctls: { "vm.swappiness": "1" } } };
    const { inputs } = await inputsOf(node, "v1.13.0", { more });
    const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
    await expect(handler.update(id, state, inputs, silent)).rejects.toThrow(/its old system/);
    expect(node.node.machineConfiguration).not.toContain("swappiness");
    await fault.lift();
    await handler.update(id, state, inputs, silent);
    expect(await versionOf(node)).toBe("v1.13.0");
    expect(node.node.machineConfiguration).toContain("swappiness");
  });

  it("is recorded with its new release also if its configuration fails afterwards", async () => {
    const { node, state } = await applied();
    const image = "registry.k8s.io/kube-apiserver:v1.35.99";
    const { inputs } = await inputsOf(node, "v1.13.0", {
      more: { cluster: { apiServer: { image } } },
    });
    const failure: unknown = await handler
      .update(id, state, { ...inputs, timeoutSeconds: 3, settledSeconds: 1 }, silent)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialUpdateError);
    const { properties } = failure as PartialUpdateError;
    expect(properties).toMatchObject({
      talosSystem: { version: "v1.13.0" },
      wellness: "awaited",
    });
  });

  steppingIt("can't skip a minor: the preview rejects it", async () => {
    const { node, state } = await applied();
    const { inputs } = await inputsOf(node, "v1.13.0");
    const older = { ...state, talosSystem: { version: "v1.11.6" } };
    const reason =
      'the machine runs Talos v1.11.6, and v1.13.0 is 2 minors above it: go one minor at a time, with an "up" for the newest release of v1.12, then v1.13.0';
    expect(() => handler.diff(id, older, inputs)).toThrow(reason);
    expectDocumented("upgrades.md", reason);
  });

  steppingIt("is not changed if the upgrade is turned off; the preview warns", async () => {
    for (const choices of [{ upgradeTalos: false }, { mode: "noReboot" as const }]) {
      const { inputs } = await inputsOf(
        { address: "127.0.0.1" } as SimulatedNode,
        "v1.12.1",
        choices,
      );
      const after = await handler.check(inputs, {
        ...inputs,
        patches: [installer("v1.13.0")],
        redactedConfiguration: "",
      });
      expect(after.inputs).not.toHaveProperty("talosSystem", { version: "v1.13.0" });
      expect(after.warnings).toEqual([expect.stringContaining("talosctl upgrade")]);
    }
  });
});

describe("a machine whose next Talos doesn't support its present Kubernetes", () => {
  const kubernetes = (version: string): Patch => ({
    machine: { kubelet: { image: `ghcr.io/siderolabs/kubelet:${version}` } },
    cluster: {
      apiServer: { image: `registry.k8s.io/kube-apiserver:${version}` },
      controllerManager: { image: `registry.k8s.io/kube-controller-manager:${version}` },
      scheduler: { image: `registry.k8s.io/kube-scheduler:${version}` },
    },
  });

  steppingIt("gets its next images first, and then the rest of its configuration", async () => {
    const { node, state } = await applied({ more: kubernetes("v1.30.0") });
    const { inputs } = await inputsOf(node, "v1.13.0", { more: kubernetes("v1.31.0") });
    const progress = recordedProgress();
    const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
    await expect(handler.update(id, state, inputs, progress)).rejects.toThrow(/its old system/);
    await fault.lift();
    const turns = progress.lines.flatMap(
      (line) => /: (changes \w+|upgrade) /.exec(line)?.[1] ?? [],
    );
    expect(turns.slice(0, 5)).toEqual([
      "changes apiServer",
      "changes controllerManager",
      "changes scheduler",
      "changes kubelet",
      "upgrade",
    ]);
    expect(node.node.machineConfiguration).toContain("kubelet:v1.31.0");
    expect(node.node.machineConfiguration).toContain("installer:v1.12.1");
    const again = recordedProgress();
    await handler.update(id, state, inputs, again);
    expect(again.lines.join("\n")).not.toContain("changes kubelet");
    expect(await versionOf(node)).toBe("v1.13.0");
    expect(node.node.machineConfiguration).toContain("installer:v1.13.0");
  });

  steppingIt(
    "is refused if neither can change first, in the preview and in the update",
    async () => {
      const { node, inputs: before, state } = await applied({ more: kubernetes("v1.30.0") });
      const { inputs } = await inputsOf(node, "v1.13.0", { more: kubernetes("v1.36.0") });
      const reason =
        "Talos v1.13.0 does not run Kubernetes v1.30.0, and Talos v1.12.1 does not run Kubernetes v1.36.0, so neither can change first: go step by step";
      const { failures } = await handler.check(before, { ...inputs, redactedConfiguration: "" });
      expect(failures).toContainEqual({
        property: "talosVersion",
        reason: expect.stringContaining(reason) as string,
      });
      await expect(handler.update(id, state, inputs, silent)).rejects.toThrow(
        `machine ${node.address} was not changed: ${reason}`,
      );
      expect(await versionOf(node)).toBe("v1.12.1");
      expect(node.node.machineConfiguration).toContain("kubelet:v1.30.0");
    },
  );
});

describe("a machine whose next Talos judges what it keeps at each boot", () => {
  const kubeSpan: Patch = {
    machine: { network: { kubespan: { enabled: true } } },
    cluster: { discovery: { enabled: true } },
  };

  it("is refused in the preview if Talos would refuse that, and only then", async () => {
    const place = { address: "127.0.0.1" } as SimulatedNode;
    const { inputs: before } = await inputsOf(place, "v1.13.9", { more: kubeSpan });
    const machineConfiguration = cluster.config("controlplane", [installer("v1.14.1")]);
    const next = { ...before, machineConfiguration, redactedConfiguration: "" };
    expect((await handler.check(before, next)).failures).toEqual([]);
    const outline = before.redactedConfiguration as Record<string, object>;
    const cut = { ...outline, cluster: { ...outline.cluster, discovery: { enabled: false } } };
    const { failures } = await handler.check({ ...before, redactedConfiguration: cut }, next);
    expect(failures).toEqual([
      {
        property: "talosVersion",
        reason: expect.stringMatching(
          /^Talos v1\.14\.1 would refuse the configuration that the machine keeps, and have no API then: .*[dD]iscovery.* Correct that with Talos v1\.13\.9/,
        ) as string,
      },
    ]);
  });
});

describe("an upgrade that ended before its restart", () => {
  const factory = (version: string) => ({
    machine: { install: { image: `factory.talos.dev/aws-installer/${"c".repeat(64)}:${version}` } },
  });

  steppingIt(
    "is continued by the next update, or undone if the program is taken back",
    async () => {
      cluster.talosVersion = "v1.13.9";
      const { node, inputs: before, state } = await applied({ more: installer("v1.13.9") });
      const { inputs: next } = await inputsOf(node, "v1.14.1", { more: factory("v1.14.1") });
      const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: node.address });
      const failure: unknown = await handler
        .update(id, state, next, silent)
        .catch((error: unknown) => error);
      await fault.lift();
      expect(failure).toBeInstanceOf(PartialUpdateError);
      const reached = (failure as PartialUpdateError).properties as typeof state;
      expect(reached).toMatchObject({ isTalosUnsure: true, talosSystem: { version: "v1.13.9" } });
      // What an installer that goes on without its caller leaves.
      const client = TalosClient.connect(await machineAt(cluster, node.address));
      const image = factory("v1.14.1").machine.install.image;
      await client.pullInstaller(image, () => undefined);
      expect(await client.runInstaller(image, () => undefined)).toBe(0);
      expect(handler.diff(id, reached, before)).toMatchObject({ changes: true });
      const progress = recordedProgress();
      const back = await handler.update(id, reached, before, progress);
      expect(back).not.toHaveProperty("isTalosUnsure");
      expect(progress.lines.join("\n")).toContain("installs v1.13.9 again, without a restart");
      await client.reboot();
      client.close();
      await eventually(() => node.node.stage === "rebooting");
      await eventually(() => node.node.stage === "running");
      expect(await versionOf(node)).toBe("v1.13.9");
      const onwards = await handler.update(id, { ...reached }, next, silent);
      expect(onwards).not.toHaveProperty("isTalosUnsure");
      expect(await versionOf(node)).toBe("v1.14.1");
    },
  );

  steppingIt("is looked for where a killed run had begun another Talos", async () => {
    cluster.talosVersion = "v1.13.9";
    const { node, inputs, state } = await applied({ more: installer("v1.13.9") });
    const killed = { content: 2, kubernetes: 0, manifests: 0 };
    for (const [revision, installs] of [
      [{ ...killed, talos: 2 }, true],
      [killed, false],
    ] as const) {
      const progress = recordedProgress();
      await handler.update(id, state, { ...inputs, revision }, progress);
      expect(progress.lines.some((line) => line.includes("without a restart"))).toBe(installs);
    }
    expect(await versionOf(node)).toBe("v1.13.9");
  });
});

describe("a machine that was upgraded by hand", () => {
  steppingIt("is found by a refresh, and reverted by the next update", async () => {
    const { node, inputs, state } = await applied();
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.upgrade({ image: "ghcr.io/siderolabs/installer:v1.13.0" });
    client.close();
    await eventually(async () => (await versionOf(node)) === "v1.13.0");
    const found = await handler.read?.(id, state, silent);
    expect(found?.state.talosSystem).toEqual({ version: "v1.13.0" });
    expect(found?.inputs?.talosSystem).toEqual({ version: "v1.13.0" });
    const drifted = found?.state ?? state;
    expect(handler.diff(id, drifted, inputs)).toMatchObject({ changes: true });
    await handler.update(id, drifted, inputs, silent);
    expect(await versionOf(node)).toBe("v1.12.1");
  });

  steppingIt("is not changed if the upgrade is turned off", async () => {
    const { state } = await applied({ upgradeTalos: false });
    expect(state).toMatchObject({ leavesTalos: true });
    expect(state).not.toHaveProperty("talosSystem");
    expect(await handler.read?.(id, state, silent)).toEqual({ state });
  });
});

describe("a machine that an older release recorded", () => {
  steppingIt("is not changed if a refresh finds its installer's release", async () => {
    const { state } = await applied();
    const { talosSystem, ...older } = state;
    expect(talosSystem).toBeDefined();
    expect(await handler.read?.(id, older, silent)).toEqual({ state: older });
  });

  steppingIt("is found by a refresh if only its installer was changed", async () => {
    const { node, state } = await applied({ upgradeTalos: false });
    const { inputs } = await inputsOf(node, "v1.13.0", { upgradeTalos: false });
    const { leavesTalos, ...older } = await handler.update(id, state, inputs, silent);
    expect(leavesTalos).toBe(true);
    const found = await handler.read?.(id, older, silent);
    expect(found?.inputs?.talosSystem).toEqual({ version: "v1.12.1" });
    const { inputs: declared } = await inputsOf(node, "v1.13.0");
    expect(handler.diff(id, found?.state ?? older, declared)).toMatchObject({ changes: true });
    await handler.update(id, found?.state ?? older, declared, silent);
    expect(await versionOf(node)).toBe("v1.13.0");
  });
});

describe("a machine that an older release recorded, and that was upgraded by hand", () => {
  steppingIt("keeps its release in another change, with a warning", async () => {
    const { node, state } = await applied();
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.upgrade({ image: "ghcr.io/siderolabs/installer:v1.12.5" });
    client.close();
    await eventually(async () => (await versionOf(node)) === "v1.12.5");
    const { talosSystem, ...older } = state;
    expect(talosSystem).toEqual({ version: "v1.12.1" });
    const more = { machine: { sysctls: { "vm.swappiness": "1" } } };
    const { inputs } = await inputsOf(node, "v1.12.1", { more });
    const progress = recordedProgress();
    const next = await handler.update(id, older, inputs, progress);
    expect(await versionOf(node)).toBe("v1.12.5");
    expect(node.node.machineConfiguration).toContain("swappiness");
    expect(progress.warnings.join("\n")).toContain(
      "runs Talos v1.12.5, which is neither its former",
    );
    expect(next.talosSystem).toEqual({ version: "v1.12.5" });
    expect(handler.diff(id, next, inputs)).toMatchObject({ changes: true });
    await handler.update(id, next, inputs, silent);
    expect(await versionOf(node)).toBe("v1.12.1");
  });
});

describe("a machine that booted another release than its installer's", () => {
  steppingIt("causes a warning, and the next update upgrades it", async () => {
    const [node] = await cluster.addConfigured(1);
    if (node === undefined) {
      throw new Error("there is no machine");
    }
    await cluster.bootstrap(node, 1);
    const { inputs } = await inputsOf(node, "v1.12.5");
    const progress = recordedProgress();
    const { state } = await handler.create({ ...inputs, takeover: "auto" }, progress);
    expect(progress.warnings.join("\n")).toContain(
      `machine ${node.address} booted Talos v1.12.1, but its configuration's installer has v1.12.5`,
    );
    expect(handler.diff(id, state, inputs)).toMatchObject({ changes: true });
    await handler.update(id, state, inputs, silent);
    expect(await versionOf(node)).toBe("v1.12.5");
  });
});

describe("needsUpgrade", () => {
  it("is false for unknown values", () => {
    expect(needsUpgrade(undefined, { version: "v1.13.0" })).toBe(false);
    expect(needsUpgrade({ version: "v1.13.0" }, undefined)).toBe(false);
  });
});

it("is undefined for a configuration that is unknown in a preview", async () => {
  const { inputs } = await handler.check(undefined, {
    machineId: id,
    node: UNKNOWN,
    endpoint: UNKNOWN,
    credentials: UNKNOWN as never,
    machineConfiguration: UNKNOWN,
    patches: [],
    mode: "auto",
    timeoutSeconds: 600,
    redactedConfiguration: UNKNOWN,
  });
  expect(inputs).not.toHaveProperty("talosSystem");
});
