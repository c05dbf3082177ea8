import { ConfigurationApply, ConfigurationRollout } from "../../../provider";
import { build, valueOf } from "../../components/mockedGraph";

const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";

const shared = {
  credentials: { ca: "ca", crt: "crt", key: "key" },
  machineConfiguration: "version: v1alpha1",
  settledSeconds: 10,
};

const machineOf = (key: string) => ({ machineId: `serial-${key}`, node: `192.0.2.${key}` });

/** The machines that each one waits for. */
async function waits(keys: readonly string[], maxUnavailable?: number) {
  const machines = Object.fromEntries(keys.map((key) => [`m${key}`, machineOf(key)]));
  const { graph, value } = await build(
    () =>
      new ConfigurationRollout("rack", {
        ...shared,
        machines,
        ...(maxUnavailable !== undefined && { maxUnavailable }),
      }),
  );
  const entries = graph.ofType(APPLY).map((apply) => {
    const before = graph.before(apply).filter(({ type }) => type === APPLY);
    return [apply.name, before.map(({ name }) => name)] as const;
  });
  return { waits: Object.fromEntries(entries), graph, value };
}

describe("ConfigurationRollout", () => {
  it("changes machines one after another, in their order", async () => {
    const { waits: one, graph, value } = await waits(["1", "2", "3"]);
    expect(one).toEqual({
      "rack-m1": [],
      "rack-m2": ["rack-m1"],
      "rack-m3": ["rack-m1", "rack-m2"],
    });
    expect(graph.named(APPLY, "rack-m2").inputs).toMatchObject({
      machineId: "serial-2",
      node: "192.0.2.2",
      settledSeconds: 10,
    });
    expect(await valueOf(value.configurationHashes)).toEqual({
      m1: "rack-m1-hash",
      m2: "rack-m2-hash",
      m3: "rack-m3-hash",
    });
    expect(value.machines.m1).toBeInstanceOf(ConfigurationApply);
  });

  it("changes maxUnavailable machines at the same time, and waits until they are healthy", async () => {
    const { waits: two } = await waits(["1", "2", "3", "4", "5"], 2);
    const first = ["rack-m1", "rack-m2"];
    expect(two).toEqual({
      "rack-m1": [],
      "rack-m2": [],
      "rack-m3": first,
      "rack-m4": first,
      "rack-m5": [...first, "rack-m3", "rack-m4"],
    });
  });

  it("respects dependsOn", async () => {
    const { graph } = await build(() => {
      const before = new ConfigurationRollout("control-plane", {
        ...shared,
        machines: { a: machineOf("1") },
      });
      return new ConfigurationRollout(
        "workers",
        { ...shared, machines: { b: machineOf("2") } },
        { dependsOn: before },
      );
    });
    const worker = graph.named(APPLY, "workers-b");
    expect(graph.before(worker).map(({ name }) => name)).toContain("control-plane-a");
  });

  it.each([0, -1, 1.5])("rejects %s machines at a time", (maxUnavailable) => {
    const make = () =>
      new ConfigurationRollout("rack", { ...shared, machines: {}, maxUnavailable });
    expect(make).toThrow(
      /the rollout "rack" can't be made of these arguments:\n {2}- maxUnavailable: /,
    );
  });
});
