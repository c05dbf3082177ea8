import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UNKNOWN } from "../../../provider/base/unknown";
import { HANDLER_NAMES } from "../../../provider/engine/dynamicStub";
import {
  keepAddresses,
  MACHINE_ADDRESSES,
  missingAddresses,
} from "../../../provider/engine/machineAddresses";
import { serve } from "../../../provider/serve";

/** Inputs that look like addresses of machines and are none. */
const OTHERS = [
  "ClusterHealth.minimumOtherNodes",
  "MachineConfiguration.discoveryEndpoint",
  "MachineConfiguration.endpoint",
  "MachineConfiguration.nodeAnnotations",
  "MachineConfiguration.nodeCount",
  "MachineConfiguration.nodeLabels",
  "MachineConfiguration.nodeTaints",
];

interface Schema {
  readonly resources: Record<string, { readonly inputProperties: Record<string, unknown> }>;
}

describe("the addresses of machines among inputs", () => {
  it("are known for each kind of resource", () => {
    const file = join(__dirname, "../../../plugin/schema.json");
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as Schema;
    const likely = HANDLER_NAMES.flatMap((kind) => {
      const { inputProperties } = resources[`talos-aws:index:${kind}`] ?? { inputProperties: {} };
      return Object.keys(inputProperties)
        .filter((name) => /node|endpoint|address|peer/i.test(name))
        .map((name) => `${kind}.${name}`);
    });
    const known = HANDLER_NAMES.flatMap((kind) =>
      MACHINE_ADDRESSES[kind].map((name) => `${kind}.${name}`),
    );
    expect(likely.length).toBeGreaterThan(20);
    expect(likely.filter((each) => !OTHERS.includes(each)).sort()).toEqual(known.sort());
  });

  it("stay as they are recorded while a machine has none", () => {
    const recorded = { machineId: "i-1", node: "1.1.1.1", endpoint: "1.1.1.1" };
    const keep = (given: object) => keepAddresses("ConfigurationApply", recorded, { ...given });
    expect(keep({ machineId: "i-1", node: "", endpoint: "", mode: "" })).toEqual({
      ...recorded,
      mode: "",
    });
    expect(keep({ machineId: "i-1", node: "2.2.2.2" })).toMatchObject({ node: "2.2.2.2" });
    // Another machine doesn't have that address.
    expect(keep({ machineId: "i-2", node: "" })).toMatchObject({ node: "" });
    expect(keep({ machineId: UNKNOWN, node: UNKNOWN })).toMatchObject({ node: UNKNOWN });
  });

  it.each([
    [
      ["1", "", "3"],
      ["1", "2", "3"],
      ["1", "2", "3"],
    ],
    [
      ["1", "", "3", "4"],
      ["1", "2", "3"],
      ["1", "2", "3", "4"],
    ],
    [
      ["1", ""],
      ["1", "2", "3"],
      ["1", "2"],
    ],
    // Without a recorded address, the machine is left out.
    [["1", "", "3"], undefined, ["1", "3"]],
    [["1", ""], ["1"], ["1"]],
    [["2", ""], ["1", "2"], ["2"]],
    [
      [UNKNOWN, ""],
      ["1", "2"],
      [UNKNOWN, "2"],
    ],
  ])("in lists, %j after %j become %j", (peers, recorded, expected) => {
    const former = recorded && { machineId: "i-1", peers: recorded };
    expect(keepAddresses("EtcdMember", former, { machineId: "i-1", peers })).toEqual({
      machineId: "i-1",
      peers: expected,
    });
  });

  it("are demanded of a new resource that needs them", () => {
    const given = { machineId: "i-0abc", node: "", endpoint: "1.1.1.1" };
    const failures = missingAddresses("ConfigurationApply", given, []);
    expect(failures.map(({ property }) => property)).toEqual(["node"]);
    expect(failures[0]?.reason).toBe(
      'the machine i-0abc has no address now. If it is stopped, start it with "aws ec2 start-instances --instance-ids i-0abc", then run the command again with --refresh',
    );
    expect(missingAddresses("MachineTurn", given, ["node"])).toEqual([]);
  });

  it("are kept by the check of a handler, as a preview shows it", async () => {
    const nodes = ["1.1.1.1", "2.2.2.2"];
    const base = {
      clusterName: "c",
      certificateAuthority: { crt: "", key: "" },
      roles: ["os:admin"],
      lifetimeHours: 24,
    };
    const served = serve("ClientConfiguration");
    const news = { ...base, endpoints: ["", "2.2.2.2"], nodes: ["", "2.2.2.2"] };
    const { inputs, failures } = await served.check({ ...base, endpoints: nodes, nodes }, news);
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ endpoints: nodes, nodes });
    const fresh = await served.check({}, news);
    expect(fresh.inputs).toMatchObject({ endpoints: ["2.2.2.2"], nodes: ["2.2.2.2"] });
  });
});
