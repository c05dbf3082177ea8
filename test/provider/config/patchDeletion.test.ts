import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { patchBase as base, problemsOf } from "./patchBase";

describe("deleting", () => {
  test("reaches into free values", () => {
    const patch = {
      cluster: { apiServer: { auditPolicy: { rules: { $patch: "delete" } } } },
    };
    const [document] = applyPatches(base, [patch]);
    expect(document).toMatchObject({ cluster: { apiServer: { auditPolicy: { kind: "Policy" } } } });
    expect(JSON.stringify(document)).not.toContain("Metadata");
  });

  test("can select a list item by a number", () => {
    const vlans = (items: ConfigDocument[]): Patch => ({
      machine: { network: { interfaces: [{ interface: "eth0", vlans: items }] } },
    });
    const problems = problemsOf(() =>
      applyPatches(base, [vlans([{ vlanId: 100 }]), vlans([{ vlanId: 100, $patch: "delete" }])]),
    );
    expect(problems).toEqual([
      {
        document: "patches[1]",
        path: "machine.network.interfaces[0].vlans[0]",
        message:
          "a part of a list item can't be deleted: delete the whole item, and add it again in the next patch",
      },
    ]);
  });

  test("accepts an unset field, rejects an unknown key", () => {
    expect(applyPatches(base, [{ machine: { sysctls: { $patch: "delete" } } }])).toEqual(base);
    const inUnsetSection = { machine: { registries: { config: { $patch: "delete" } } } };
    expect(applyPatches(base, [inUnsetSection])).toEqual(base);
    expect(
      problemsOf(() => applyPatches(base, ["machine: {sysctls: {a: {$patch: delete}}}"])),
    ).toEqual([
      {
        document: "patches[0]",
        path: "machine.sysctls.a",
        message:
          "can't be deleted from v1alpha1: it is not there; check the spelling, or leave it out of the patch",
      },
    ]);
  });

  test("may be a separate document, and comes first in the machine configuration", () => {
    const patch = "cluster: {clusterName: new}\n---\ncluster: {clusterName: {$patch: delete}}";
    expect(applyPatches(base, [patch])[0]).toMatchObject({ cluster: { clusterName: "new" } });
    const twice = "machine: {}\n---\nmachine: {}";
    const schema = talosSchema("v1.13");
    expect(problemsOf(() => applyPatches(base, [twice], { schema }))).toMatchObject([
      { message: "v1alpha1 is there twice: put everything for it in one document" },
    ]);
  });

  test("does not affect what the same patch adds", () => {
    const watchdog = "apiVersion: v1alpha1\nkind: WatchdogTimerConfig\n";
    const patch = `${watchdog}device: /dev/watchdog0\n---\n${watchdog}$patch: delete\n`;
    expect(problemsOf(() => applyPatches(base, [patch]))).toMatchObject([
      { message: expect.stringContaining("there is no document WatchdogTimerConfig") as unknown },
    ]);
  });

  test.each<readonly [string, Patch, string]>([
    [
      "a list item that is not there",
      "cluster: {apiServer: {admissionControl: [{name: Nope, $patch: delete}]}}",
      'patches[0]: cluster.apiServer.admissionControl[name="Nope"]: can\'t be deleted',
    ],
    [
      "a document that is not there",
      "{apiVersion: v1alpha1, kind: KmsgLogConfig, name: nope, $patch: delete}",
      "patches[0]: there is no document KmsgLogConfig/nope to delete from; the configuration has v1alpha1, HostnameConfig",
    ],
    [
      "the whole configuration",
      "$patch: delete",
      "the machine configuration as a whole can't be deleted",
    ],
    [
      "an item without a key",
      "machine: {pods: [{$patch: delete}]}",
      "machine.pods[0]: say which item to delete",
    ],
    [
      "something else",
      "machine: {network: {$patch: replace}}",
      'machine.network.$patch: "delete" is the only thing',
    ],
  ])("rejects %s", (_, patch, message) => {
    expect(() => applyPatches(base, [patch])).toThrow(message);
  });
});
