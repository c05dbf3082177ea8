import { createPrivateKey, createPublicKey } from "node:crypto";
import { isIPv6 } from "node:net";
import { kubeSpanIdentity } from "../../../../emulator/talos/machine/kubeSpanIdentity";

test("gives the nodes of a cluster one network and each its own address", () => {
  const one = kubeSpanIdentity("cluster", "node-1");
  const two = kubeSpanIdentity("cluster", "node-2");
  expect(one.subnet).toBe(two.subnet);
  expect(one.subnet).toMatch(/^fd.*::\/64$/);
  expect(isIPv6(one.address)).toBe(true);
  expect(one.address).not.toBe(two.address);
  expect(kubeSpanIdentity("another", "node-1").subnet).not.toBe(one.subnet);
});

test("has a public key that belongs to the private one", () => {
  const { publicKey, privateKey } = kubeSpanIdentity("cluster", "node");
  const der = Buffer.concat([
    Buffer.from("302e020100300506032b656e04220420", "hex"),
    Buffer.from(privateKey, "base64"),
  ]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  expect(spki.subarray(-32).toString("base64")).toBe(publicKey);
});
