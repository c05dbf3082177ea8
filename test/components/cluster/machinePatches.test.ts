import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { machinePatches } from "../../../components/cluster/machinePatches";
import type { Patch } from "../../../provider";

const machine = { key: "a", fixedAddress: undefined };
const etcdVolume = { sizeGib: 20 };
const own: Patch = { machine: { sysctls: { "vm.max_map_count": "262144" } } };

/** What an output comes to. */
function valueOf(patches: ReturnType<typeof machinePatches>): Promise<unknown> {
  const output = pulumi.output(patches) as unknown as { promise(): Promise<unknown> };
  return output.promise();
}

test("a machine's own patches come after those for its volume and its address", async () => {
  const fixedAddress = pulumi.output("192.0.2.7");
  const machines = { a: { patches: [own] } };
  expect(
    await valueOf(machinePatches({ etcdVolume, machines }, { ...machine, fixedAddress })),
  ).toEqual([
    { machine: { certSANs: ["192.0.2.7"] } },
    expect.objectContaining({ kind: "VolumeConfig", name: "EPHEMERAL" }),
    own,
  ]);
});

test("a machine for which nothing is said has none", () => {
  expect(machinePatches({}, machine)).toBeUndefined();
});

test("patches in files are read where they are given, whatever comes before them", async () => {
  const file = join(__dirname, "standardCluster.ts");
  const machines = { a: { patches: [`@${file}`] } };
  expect(await valueOf(machinePatches({ etcdVolume, machines }, machine))).toEqual([
    expect.objectContaining({ kind: "VolumeConfig" }),
    { file, text: readFileSync(file, "utf8") },
  ]);
});
