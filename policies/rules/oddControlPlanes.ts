import { talosKind } from "../../provider/engine";
import { blockOf, settingOf } from "../property";
import type { JudgedResource, StackRule } from "../rule";

/**
 * A control plane has an odd number of machines. An even number tolerates no more losses, and has
 * one machine more that can fail.
 */
export const oddControlPlanes: StackRule = {
  name: "odd-control-planes",
  description: "Each cluster has 1, 3, 5 … control plane machines",
  judgeAll: (resources) => {
    const clusters = new Map<string, JudgedResource[]>();
    const applies = resources.filter(({ type }) => talosKind(type) === "ConfigurationApply");
    for (const resource of applies) {
      const outline = blockOf(resource.inputs, "redactedConfiguration");
      if (settingOf(outline, "machine.type") === "controlplane") {
        const [name = "", endpoint = ""] = [
          settingOf(outline, "cluster.clusterName"),
          settingOf(outline, "cluster.controlPlane.endpoint"),
        ];
        const key = `${name} ${endpoint}`;
        clusters.set(key, [...(clusters.get(key) ?? []), resource]);
      }
    }
    return [...clusters.values()].flatMap((machines) => {
      const [first] = machines;
      const count = machines.length;
      if (first === undefined || count % 2 === 1) {
        return [];
      }
      const reason = `its cluster has ${count} control plane machines, which survive no more losses than ${count - 1} would, because etcd needs a majority: use ${count - 1} or ${count + 1}`;
      return [{ urn: first.urn, subject: first.name, reason }];
    });
  },
};
