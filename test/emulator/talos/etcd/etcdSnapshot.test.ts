import { EtcdCluster } from "../../../../emulator/talos/etcd/etcdCluster";
import { readSnapshot, writeSnapshot } from "../../../../emulator/talos/etcd/etcdSnapshot";
import { ask, reportOf } from "../kubernetes/storeClient";

const configMaps = "/api/v1/namespaces/default/configmaps";

test("a snapshot restores nodes and all other objects", () => {
  const before = new EtcdCluster(() => undefined);
  before.add("one", "10.0.0.1", { version: "3.6.7" });
  before.kubernetes.report(reportOf("one"), 40_000);
  const made = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c1" }, data: { a: "1" } };
  const { object } = ask(before.kubernetes, "POST", configMaps, made);
  const snapshot = writeSnapshot(before);
  ask(before.kubernetes, "DELETE", `${configMaps}/c1`);

  const restored = readSnapshot(snapshot, { skipHashCheck: false });
  const after = new EtcdCluster(() => undefined, restored).kubernetes;
  expect(after.nodes.map(({ name }) => name)).toEqual(["one"]);
  expect(ask(after, "GET", `${configMaps}/c1`).object).toEqual(object);
  expect(after.resourceVersion).toBeGreaterThanOrEqual(Number(version(object)));
});

function version(object: Readonly<Record<string, unknown>>): string {
  return (object.metadata as { readonly resourceVersion: string }).resourceVersion;
}
