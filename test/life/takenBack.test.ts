import { parse, stringify } from "yaml";
import { localSettings, startEngineWorld } from "../engine/support/engineWorld";
import { labelOf, storedResources } from "../engine/support/storedResources";

/** What accountability adds to a cluster, as `production` has it. */
const WATCHED = {
  "talos-aws:network": {
    zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
    flowLogs: { retentionDays: 365 },
  },
  "talos-aws:addOns": { auditLog: { retentionDays: 365 } },
  "talos-aws:kubeconfigLifetimeHours": 168,
};

it("takes back the audit log, flow logs and the short life of a kubeconfig, and leaves nothing", async () => {
  const { config } = parse(await localSettings()) as { config: Record<string, unknown> };
  const settings = (more: object) => stringify({ config: { ...config, ...more } });
  const world = await startEngineWorld({ settings: settings({}) });
  try {
    const labels = async () => (await storedResources(world.stack)).map(labelOf).sort();
    const nothingChanges = async (more: object) => {
      const stack = await world.withSettings(settings(more));
      const { changeSummary } = await stack.preview({ ...world.record, refresh: true });
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    };
    await world.stack.up(world.record);
    const before = await labels();
    const configurations = () =>
      world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);
    const first = configurations();
    await (await world.withSettings(settings(WATCHED))).up(world.record);
    const added = (await labels()).filter((label) => !before.includes(label));
    expect(added).toEqual([
      "FlowLog local-network-flow-logs",
      "LogGroup local-audit-log",
      "LogGroup local-network-flow-logs",
      "Role local-network-flow-logs",
      "RolePolicy local-network-flow-logs",
    ]);
    await nothingChanges(WATCHED);
    for (const configuration of configurations()) {
      expect(configuration).toContain("name: audit-log");
      expect(configuration).toContain("certLifetime: 168h0m0s");
    }
    await (await world.withSettings(settings({}))).up(world.record);
    expect(await labels()).toEqual(before);
    await nothingChanges({});
    expect(configurations()).toEqual(first);
  } finally {
    await world.close();
  }
});
