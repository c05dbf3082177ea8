import { keysInFile, talosKeys } from "../../../../emulator/talos/config/encryptionKeys";
import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";

const secret = (name: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: "default" },
  data: {},
});

describe("the Secrets of a cluster", () => {
  const [old = "", next = ""] = talosKeys("old", "next");
  let store: KubernetesStore;
  const all = { namespace: undefined, name: undefined };
  const reads = (keys: readonly string[], which: Parameters<typeof requireReadable>[0] = all) =>
    requireReadable(which, keys);
  const requireReadable: KubernetesStore["encrypted"]["requireReadable"] = (which, keys) =>
    store.encrypted.requireReadable(which, keys);

  beforeEach(() => {
    store = new KubernetesStore({ written: () => undefined });
    store.install([secret("one"), secret("other")]);
    store.encrypted.seal([old]);
  });

  it("are readable with the key that encrypted them", () => {
    expect(() => reads([old])).not.toThrow();
    expect(() => reads([next, old])).not.toThrow();
    expect(() => reads([next])).toThrow('unable to transform key "/registry/secrets/default/one"');
  });

  it("are encrypted again when they are written, one by one", () => {
    store.encrypted.wrote("default", "one", [next, old]);
    expect(() => reads([next], { namespace: "default", name: "one" })).not.toThrow();
    expect(() => reads([next])).toThrow("default/other");
    store.encrypted.seal([next]);
    expect(() => reads([next])).toThrow("default/other");
    store.encrypted.wrote("default", "other", [next, old]);
    expect(() => reads([next])).not.toThrow();
  });
});

test("the keys of a file are those of all its providers, in order", () => {
  const text = `
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - secretbox: {keys: [{name: key2, secret: next}]}
      - secretbox: {keys: [{name: key2, secret: old}]}
      - identity: {}
`;
  expect(keysInFile(text)).toEqual([...talosKeys("next", "old")]);
  expect(keysInFile("")).toEqual([]);
});
