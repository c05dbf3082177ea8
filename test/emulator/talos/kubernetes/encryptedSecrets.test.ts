import {
  type EncryptionKey,
  type EncryptionKeys,
  keysInFile,
  keysOfResources,
  pluginSockets,
  talosKeys,
} from "../../../../emulator/talos/config/encryptionKeys";
import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";

const secret = (name: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: "default" },
  data: {},
});

describe("the Secrets of a cluster", () => {
  const [old, next] = talosKeys("old", "next") as [EncryptionKey, EncryptionKey];
  let store: KubernetesStore;
  const all = { namespace: undefined, name: undefined };
  const reads = (keys: EncryptionKeys, which: Parameters<typeof requireReadable>[0] = all) =>
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

  it("of KMS need the plugin, for reading and writing, and to be ready", () => {
    const kms = { id: "aws-1", hasPlugin: true };
    const away = { ...kms, hasPlugin: false };
    store.encrypted.wrote("default", "one", [kms, old]);
    expect(() => reads([kms, old])).not.toThrow();
    expect(store.encrypted.unreadyCheck([kms, old])).toBeUndefined();
    expect(() => reads([away, old])).toThrow("got unexpected nil transformer");
    expect(() => reads([away, old], { namespace: "default", name: "other" })).not.toThrow();
    expect(store.encrypted.unreadyCheck([old, away])).toBe("kms-providers");
    expect(() => store.encrypted.requireWritable([old, away])).not.toThrow();
    expect(() => store.encrypted.requireWritable([away, old])).toThrow("nil transformer");
    expect(() => reads([old])).toThrow("default/one");
    expect(store.encrypted.unreadyCheck([old])).toBe("informer-sync");
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

test("a key in KMS has its provider's name, and a plugin if a static pod listens there", () => {
  const name = "aws-1";
  const config = {
    resources: [
      {
        resources: ["secrets"],
        providers: [{ kms: { name, endpoint: "unix:///run/aws-1.sock" } }],
      },
    ],
  };
  const pod = { spec: { containers: [{ args: ["--region=x", "--listen=/run/aws-1.sock"] }] } };
  const sockets = pluginSockets([{ kind: "KubeStaticPodConfig", name: "plugin", pod }]);
  expect(keysOfResources(config, sockets)).toEqual([{ id: name, hasPlugin: true }]);
  expect(keysOfResources(config, [])).toEqual([{ id: name, hasPlugin: false }]);
});
