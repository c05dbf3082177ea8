import { describeMachines } from "../../preview/describeMachines";
import { outlineDocuments } from "../../provider/config/effects/outline";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineConfigInput } from "../../provider/config/machineConfigInput";
import { machineConfigurationInputs } from "../provider/resources/samples";
import { apply, type Step, summaryOf } from "./steps";

const risen: Partial<MachineConfigInput> = {
  versionContract: "v1.14",
  contractDefaults: "v1.13",
};
let inputs: MachineConfigInput;

beforeAll(async () => {
  inputs = {
    ...(await machineConfigurationInputs()),
    talosVersion: "v1.14.1",
    installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
  };
});

function step(type: MachineConfigInput["machineType"], after: Partial<MachineConfigInput>): Step {
  const [old, now] = [{ versionContract: "v1.13" }, after].map((options) => ({
    machineId: "i-1",
    redactedConfiguration: outlineDocuments(
      generateMachineConfig({ ...inputs, machineType: type, ...options }),
    ),
  }));
  return { op: "update", type: apply, name: `${type}-1`, old: old ?? {}, new: now ?? {} };
}

describe("a preview of a contract that rises", () => {
  it("has no line of a worker, and says that it is rewritten without a reboot", () => {
    const { machines } = summaryOf(step("worker", risen));
    expect(machines).toMatchObject([
      {
        name: "worker-1",
        effect: "live",
        because: [],
        lines: [],
        notes: ["its settings move between fields and documents, and mean the same"],
      },
    ]);
    const [described] = describeMachines(machines);
    expect(described?.what).toContain("without a reboot");
  });

  it("has of a control plane only what API servers get otherwise", () => {
    const { machines } = summaryOf(step("controlplane", risen));
    expect(machines[0]?.effect).toBe("live");
    expect(machines[0]?.notes).toContain("the API server restarts");
    const kinds = machines[0]?.lines.map(({ path }) => path[0]);
    expect([...new Set(kinds)]).toEqual(["KubeAuthenticationConfig"]);
  });

  it("has a reboot for a default that is taken, with its place", () => {
    const { machines } = summaryOf(
      step("worker", { ...risen, newDefaults: ["workloadIsolation"] }),
    );
    expect(machines).toMatchObject([
      { effect: "reboot", because: ["SecurityProfileConfig.workloadIsolation"] },
    ]);
  });

  it("names it as a risk whose diff need not be read, unless defaults change", () => {
    const type = "pulumi-nodejs:dynamic/talos:MachineSecrets";
    const reasonFor = (after: Partial<MachineConfigInput>) =>
      summaryOf({
        op: "same",
        type,
        name: "secrets",
        old: { versionContract: "v1.13" },
        new: { ...after },
      }).risks.map(({ reason }) => reason);
    expect(reasonFor(risen)).toEqual([expect.stringContaining("mean the same")]);
    expect(reasonFor({ versionContract: "v1.14" })).toEqual([
      expect.stringContaining("read each one's diff"),
    ]);
  });
});
