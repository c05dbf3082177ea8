import { readFileSync } from "node:fs";
import { join } from "node:path";
import { normalised, outputsOn } from "../documented";

const root = join(__dirname, "../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Summaries of previews of the real engine. */
const recorded = new Set(
  normalised(textOf("test/engine/__snapshots__/previewSummary.test.ts.snap"))
    .replaceAll("\\`", "`")
    .split("\n"),
);

/** Who compares the other outputs of a page with what was printed. */
const comparing: Readonly<Record<string, readonly string[]>> = {
  "upgrades.md": [
    "test/life/interruptedUpgrades.test.ts",
    "test/provider/config/releases/contractChange.test.ts",
    "test/provider/config/releases/kubernetesSkew.test.ts",
    "test/provider/config/releases/releaseOrder.test.ts",
    "test/provider/lifecycle/upgrade/upgradeControlPlane.test.ts",
  ],
  "scaling.md": [
    "test/components/workers/endedNodes.test.ts",
    "test/life/lostMachines.test.ts",
    "test/preview/lostMachines.test.ts",
    "test/life/stoppedMachines.test.ts",
    "test/cli/engine/etcdMajority.test.ts",
  ],
  "backup.md": ["test/life/restore.test.ts"],
  "rotation.md": [
    "test/provider/pki/rotation/checkRotation.test.ts",
    "test/preview/summarize.test.ts",
  ],
  "repair.md": ["test/cli/repair/planRepair.test.ts"],
  "destroy.md": ["test/engine/commandLine.test.ts"],
};

describe.each(Object.entries(comparing))("docs/%s", (page, tests) => {
  it("shows what commands really print", () => {
    const others = outputsOn(page).filter((block) =>
      block.split("\n").some((line) => line !== "" && !recorded.has(normalised(line))),
    );
    const compared = tests.map(textOf).join("\n");
    expect(compared).toContain(page);
    // Each comparison is about one block at most.
    expect(compared.split(page).length - 1).toBeGreaterThanOrEqual(others.length);
  });
});
