import type { EngineEvent } from "@pulumi/pulumi/automation";
import { hashDocuments } from "../../../provider/config/hash";
import { applyPatches } from "../../../provider/config/patches/patch";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/yaml/encode";
import {
  awaitConfiguration,
  deliverConfiguration,
} from "../../../provider/lifecycle/delivery/deliverConfiguration";
import { silent } from "../../provider/progress";
import type { LifeOfCluster } from "./lifeOfCluster";
import { administratorIn, storedResources } from "./storedResources";

const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";

/** A machine is changed by hand, which is found, shown and taken back. */
export function driftSteps({ step, world }: LifeOfCluster): void {
  let configuration: string;

  step("finds changes by hand in a refresh, which shows the lines", async () => {
    const { emulator, stack, record } = world();
    const [node] = emulator.nodes();
    if (node?.machineConfiguration === undefined) {
      throw new Error("no machine runs");
    }
    configuration = node.machineConfiguration;
    await applyByHand(node.address, [{ machine: { sysctls: { "vm.swappiness": "1" } } }]);
    const shown = new Map<string | undefined, unknown>();
    const { stdout, changeSummary } = await stack.previewRefresh({
      ...record,
      onEvent: (event: EngineEvent) => {
        record.onEvent(event);
        const { urn = "", detailedDiff } = event.resOutputsEvent?.metadata ?? {};
        if (Object.keys(detailedDiff ?? {}).length > 0) {
          shown.set(urn.split("::").at(-1), detailedDiff);
        }
      },
    });
    expect(changeSummary).toEqual({ same: 78, update: 1 });
    expect(stdout).not.toContain("BEGIN");
    expect(Object.fromEntries(shown)).toEqual({
      "local-control-plane-1": {
        "redactedConfiguration.machine.sysctls": { diffKind: "add", inputDiff: true },
      },
    });
    await stack.refresh(record);
    const drifted = (await storedResources(stack)).find(
      ({ type, outputs }) => type === APPLY && outputs?.node === node.address,
    );
    expect(drifted?.inputs?.redactedConfiguration).toMatchObject({
      machine: { sysctls: { "vm.swappiness": "1" } },
    });
  });

  step("previews the reverted lines, and reverts them", async () => {
    const { emulator, stack, record } = world();
    const { stdout, changeSummary } = await stack.preview({ ...record, diff: true });
    expect(changeSummary).toMatchObject({ update: 2 });
    // Health, which looks again after it, comes last.
    const [ofMachine = ""] = stdout.split("talos:ClusterHealth");
    const lines = ofMachine.split("\n").map((line) => line.trim());
    expect(lines).toEqual(expect.arrayContaining(['- vm.swappiness: "1"']));
    expect(lines.filter((line) => /^[-+~] .*: ["\d[]/.test(line))).toEqual([
      '- vm.swappiness: "1"',
    ]);
    await stack.up(record);
    expect(emulator.nodes()[0]?.machineConfiguration).toBe(configuration);
    expect(Object.keys((await stack.preview(record)).changeSummary)).toEqual(["same"]);
  });

  async function applyByHand(node: string, patches: Parameters<typeof applyPatches>[1]) {
    const credentials = administratorIn(await storedResources(world().stack));
    const text = encodeDocuments(applyPatches(decodeDocuments(configuration), patches));
    const delivery = {
      machine: { node, endpoint: node, credentials },
      text,
      hash: hashDocuments(decodeDocuments(text)),
      mode: "auto" as const,
      deadline: Date.now() + 120_000,
      progress: silent,
    };
    await awaitConfiguration(delivery, await deliverConfiguration(delivery));
  }
}
