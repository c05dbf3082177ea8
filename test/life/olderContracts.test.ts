import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { FORMER_RELEASES } from "../../provider/config/releases/newestReleases";
import { startEngineWorld } from "../engine/support/engineWorld";
import { machineSettings } from "../engine/support/machineSettings";

/** Releases of clusters that people have: `fourStacks` has the newest. */
const older = [
  { talosVersion: "v1.12.1", versionContract: "v1.12", kubernetesVersion: "v1.35.0" },
  FORMER_RELEASES,
];

/** The settings of `production` as they are shipped, with others in their place. */
async function productionWith(changes: Readonly<Record<string, unknown>>): Promise<string> {
  const file = join(__dirname, "../../environments/Pulumi.production.yaml");
  const { config } = parse(await readFile(file, "utf8")) as { config: Record<string, unknown> };
  const named = Object.entries(changes).map(
    ([name, value]) => [`talos-aws:${name}`, value] as const,
  );
  return stringify({ config: { ...config, ...Object.fromEntries(named) } });
}

describe.each(older)("production with contract $versionContract", (releases) => {
  it("is created, needs no change, and is destroyed", async () => {
    const own = { domain: "talos.internal", operatorCidrs: ["127.0.0.0/8"], ...releases };
    const world = await startEngineWorld({
      stack: "production",
      settings: await productionWith(own),
    });
    try {
      await world.stack.up(world.record);
      const nodes = world.emulator.nodes();
      expect(nodes).toHaveLength(9);
      for (const node of nodes) {
        expect(node).toMatchObject({ stage: "running", talosVersion: releases.talosVersion });
        expect(node.machineConfiguration).not.toContain("kind: KubeletConfig");
        expect(machineSettings(node)("machine.kubelet.image")).toMatch(
          new RegExp(`:${releases.kubernetesVersion}$`),
        );
      }
      const { changeSummary } = await world.stack.preview(world.record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
      const settings = await productionWith({ ...own, protect: false });
      const unguarded = await world.withSettings(settings);
      await unguarded.up(world.record);
      await unguarded.destroy(world.record);
      expect(world.emulator.nodes()).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
