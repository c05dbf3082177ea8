import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  machinePatches,
  ownPatches,
  workerPatches,
} from "../../../../components/cluster/plan/machinePatches";
import type { Patch } from "../../../../provider";
import { valueOf } from "../../mockedGraph";

/** The patches of a machine with a volume for etcd, for which these are given. */
function patchesOf(
  given: pulumi.Input<Patch[]>,
  laterAddress?: pulumi.Output<string>,
): Promise<unknown> {
  const args = { etcdVolume: { sizeGib: 20 }, machines: { a: { patches: given } } };
  return valueOf(pulumi.output(machinePatches(args, { key: "a", laterAddress })));
}

const own: Patch = { machine: { sysctls: { "vm.max_map_count": "262144" } } };

test("a machine's own patches come after those for its address and its volume", async () => {
  expect(await patchesOf([own], pulumi.output("192.0.2.7"))).toEqual([
    { machine: { certSANs: ["192.0.2.7"] } },
    expect.objectContaining({ kind: "VolumeConfig", name: "EPHEMERAL" }),
    own,
  ]);
});

test("etcd's volume holds what is chosen", async () => {
  const placed = (holds?: "etcd" | "everything") =>
    valueOf(
      pulumi.output(
        machinePatches(
          { etcdVolume: { sizeGib: 20, ...(holds && { holds }) } },
          { key: "a", laterAddress: undefined },
        ),
      ),
    );
  expect(await placed()).toEqual(await placed("everything"));
  expect(await placed("everything")).toMatchObject([{ kind: "VolumeConfig", name: "EPHEMERAL" }]);
  expect(await placed("etcd")).toMatchObject([
    { kind: "VolumeConfig", name: "ETCD", provisioning: { grow: true } },
  ]);
});

test("a machine without settings has no patches", () => {
  expect(machinePatches({}, { key: "a", laterAddress: undefined })).toBeUndefined();
});

test("patch files are read in their place, whatever comes before them", async () => {
  const file = join(__dirname, "../standardCluster.ts");
  expect(await patchesOf([`@${file}`])).toEqual([
    expect.objectContaining({ kind: "VolumeConfig" }),
    { file, text: readFileSync(file, "utf8") },
  ]);
});

test("machines' own patches are told apart from those that others decide", () => {
  expect(ownPatches({ a: { patches: [own] }, b: { zone: "eu-central-1b" } })).toEqual({ a: [own] });
  expect(ownPatches(undefined)).toEqual({});
});

test("workers are told apart by the patches that they get", async () => {
  const [all, ofPool] = ["of all", "of the pool"];
  const found = workerPatches({
    workers: { patches: [all] },
    workerPools: {
      apps: { machineCount: 2, patches: [ofPool], machines: { "1": { patches: [own] } } },
      whole: { machineCount: 1, machines: { "1": { patches: [own] } } },
      scaling: { autoScaling: { minSize: 0, maxSize: 1 } },
    },
  });
  expect(await valueOf(pulumi.output(found))).toEqual({
    "workerPools.apps": [all, ofPool],
    'workerPools.apps.machines["1"]': [all, ofPool, own],
    'workerPools.whole.machines["1"]': [all, own],
    "workerPools.scaling": [all],
  });
  expect(workerPatches({ workerPools: { apps: { machineCount: 2 } } })).toEqual({});
});
