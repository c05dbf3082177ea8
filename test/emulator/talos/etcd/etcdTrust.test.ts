import { EtcdCluster } from "../../../../emulator/talos/etcd/etcdCluster";
import { areInTouch, type EtcdTrust, etcdTrustOf } from "../../../../emulator/talos/etcd/etcdTrust";
import { joinCertificates } from "../../../../provider/pki/pem";

const base64 = (name: string) =>
  Buffer.from(`-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`).toString(
    "base64",
  );
const trustOf = (...names: readonly string[]): EtcdTrust =>
  etcdTrustOf(joinCertificates(names.map(base64))) ?? { issuer: "", trusted: [] };

describe("the CAs of etcd members", () => {
  it("are all certificates of the configuration; the first one issues", () => {
    const { issuer, trusted } = trustOf("new", "old");
    expect(issuer).toContain("new");
    expect(trusted).toHaveLength(2);
    expect(etcdTrustOf(undefined)).toBeUndefined();
  });

  it("let members communicate if each trusts the other's", () => {
    expect(areInTouch(trustOf("old"), trustOf("old", "new"))).toBe(true);
    expect(areInTouch(trustOf("old", "new"), trustOf("new", "old"))).toBe(true);
    expect(areInTouch(trustOf("new"), trustOf("new", "old"))).toBe(true);
    expect(areInTouch(trustOf("old"), trustOf("new", "old"))).toBe(false);
    expect(areInTouch(trustOf("old"), trustOf("new"))).toBe(false);
    expect(areInTouch(trustOf("old"), undefined)).toBe(false);
  });
});

describe("an etcd cluster with CAs", () => {
  const clusterOf = (...trusts: readonly EtcdTrust[]) => {
    const cluster = new EtcdCluster(() => undefined);
    for (const [index, trust] of trusts.entries()) {
      const { id } = cluster.add(`node-${index}`, `10.0.0.${index}`, { trust, version: "3.6.7" });
      cluster.update(id, { isLearner: false });
    }
    return cluster;
  };

  it("keeps its majority from stage to stage, one member after another", () => {
    const stages = [trustOf("old"), trustOf("old", "new"), trustOf("new", "old"), trustOf("new")];
    const cluster = clusterOf(...Array<EtcdTrust>(3).fill(trustOf("old")));
    for (const trust of stages) {
      for (const { id } of cluster.members) {
        cluster.update(id, { trust });
        expect(cluster.hasQuorum).toBe(true);
        expect(cluster.members.every((member) => cluster.isInTouch(member.id))).toBe(true);
      }
    }
  });

  it("loses a member with another CA, and then its majority", () => {
    const cluster = clusterOf(...Array<EtcdTrust>(3).fill(trustOf("old")));
    const [first, second] = cluster.members;
    cluster.update(second?.id ?? 0n, { trust: trustOf("new") });
    expect(cluster.hasQuorum).toBe(true);
    expect(cluster.isInTouch(second?.id ?? 0n)).toBe(false);
    cluster.update(first?.id ?? 0n, { trust: trustOf("third") });
    expect(cluster.hasQuorum).toBe(false);
  });
});
