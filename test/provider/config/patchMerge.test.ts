import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { patchBase as base, problemsOf } from "./patchBase";

test("an empty text in a patch changes nothing, but false does", () => {
  const patch = {
    cluster: { clusterName: "" },
    machine: { install: { wipe: false, grubUseUKICmdline: false } },
  };
  const [document] = applyPatches(base, [patch]);
  expect(document).toMatchObject({
    cluster: { clusterName: "example" },
    machine: { install: { grubUseUKICmdline: false } },
  });
});

test.each([0, "0s", "0m"])(
  "a duration of %j in a patch changes nothing, however it is written",
  (zero) => {
    const document = { apiVersion: "v1alpha1", kind: "TimeSyncConfig", enabled: false };
    const [patched] = applyPatches(
      [{ ...document, bootTimeout: "1h30m" }],
      [{ ...document, bootTimeout: zero }],
      { schema: talosSchema("v1.14") },
    );
    expect(patched).toMatchObject({ bootTimeout: "1h30m0s" });
  },
);

test("a patch of a volume keeps other fields, which Talos 1.12.1 would empty", () => {
  const volume = {
    apiVersion: "v1alpha1",
    kind: "UserVolumeConfig",
    name: "data",
    provisioning: { diskSelector: { match: "!system_disk" }, minSize: "10GiB" },
  };
  const grow = {
    apiVersion: "v1alpha1",
    kind: "UserVolumeConfig",
    name: "data",
    provisioning: { grow: true },
  };
  expect(applyPatches([volume], [grow])).toEqual([
    {
      ...volume,
      provisioning: { diskSelector: { match: "!system_disk" }, grow: true, minSize: "10GiB" },
    },
  ]);
});

test("a URL merges part by part", () => {
  const link = {
    apiVersion: "v1alpha1",
    kind: "SideroLinkConfig",
    apiUrl: "grpc://a.example.com:8090?jointoken=x",
  };
  const patch = { ...link, apiUrl: "https://b.example.com" };
  expect(applyPatches([link], [patch])).toMatchObject([
    { apiUrl: "https://b.example.com?jointoken=x" },
  ]);
});

test("the user of a URL is a separate part", () => {
  const link = {
    apiVersion: "v1alpha1",
    kind: "SideroLinkConfig",
    apiUrl: "grpc://a:b@c.com:8090",
  };
  const patch = { ...link, apiUrl: "https://d.com" };
  expect(applyPatches([link], [patch])).toMatchObject([{ apiUrl: "https://a:b@d.com" }]);
});

test("interfaces of the same name also merge within one patch", () => {
  const patch =
    "machine: {network: {interfaces: [{interface: eth0, mtu: 1400}, {interface: eth0, dhcp: true}]}}";
  expect(applyPatches(base, [patch])[0]).toMatchObject({
    machine: { network: { interfaces: [{ interface: "eth0", mtu: 1400, dhcp: true }] } },
  });
});

test("values that a later patch completes lose nothing before", () => {
  const volume = "{apiVersion: v1alpha1, kind: VolumeConfig, name: EPHEMERAL, encryption: ";
  const patches = [`${volume}{cipher: aes-xts-plain64}}`, `${volume}{provider: luks2}}`];
  expect(applyPatches(base, patches).at(-1)).toMatchObject({
    encryption: { provider: "luks2", cipher: "aes-xts-plain64" },
  });
});

test("items are distinguished by meaning, not by spelling", () => {
  const interfaces = (name: string) =>
    `machine: {network: {interfaces: [{interface: ${name}, mtu: 1400}]}}`;
  expect(applyPatches(base, [interfaces("1"), interfaces('"1"')])[0]).toMatchObject({
    machine: { network: { interfaces: [{ interface: "1", mtu: 1400 }] } },
  });
});

test("null can't be merged into a free value", () => {
  const overrides = (value: string) => `machine: {baseRuntimeSpecOverrides: {hostname: ${value}}}`;
  expect(problemsOf(() => applyPatches(base, [overrides("a"), overrides("null")]))).toMatchObject([
    {
      path: "machine.baseRuntimeSpecOverrides.hostname",
      message: expect.stringContaining(
        "a text in the configuration, nothing in the patch",
      ) as unknown,
    },
  ]);
});

test("a free key without a value is kept, a field without one is not", () => {
  const patch = "machine: {sysctls: {a: }, nodeLabels: {x: y}, certSANs: }";
  const [document] = applyPatches(base, [patch, "machine: {nodeLabels: {x: }}"]);
  expect(document).toMatchObject({
    machine: { sysctls: { a: "" }, nodeLabels: { x: "y" }, certSANs: [] },
  });
});

describe("differences between releases", () => {
  const patched = (minor: string, ...patches: Patch[]) =>
    applyPatches(base, patches, { schema: talosSchema(minor) });

  test.each([
    ["v1.11", 20],
    ["v1.12", 0],
  ])("a zero that differs from nothing counts since v1.12: %s", (minor, expected) => {
    const zswap = "apiVersion: v1alpha1\nkind: ZswapConfig\n";
    const documents = patched(minor, `${zswap}maxPoolPercent: 20`, `${zswap}maxPoolPercent: 0`);
    expect(documents.at(-1)).toMatchObject({ maxPoolPercent: expected });
  });

  test.each([
    ["v1.12", "b"],
    ["v1.13", null],
  ])("an argument without a value replaces the one before since v1.13: %s", (minor, expected) => {
    const args = (value: string) => `machine: {kubelet: {extraArgs: {a: ${value}}}}`;
    expect(patched(minor, args("b"), args(""))[0]).toMatchObject({
      machine: { kubelet: { extraArgs: { a: expected } } },
    });
  });

  test("rules for images replace those of the same image that were there before the patch", () => {
    const rules = (...items: string[]) =>
      `{apiVersion: v1alpha1, kind: ImageVerificationConfig, rules: [${items.join(", ")}]}`;
    const [skip, deny] = ["{image: a/*, skip: true}", "{image: a/*, deny: true}"];
    expect(patched("v1.13", rules(skip, deny)).at(-1)).toMatchObject({
      rules: [{ skip: true }, { deny: true }],
    });
    expect(patched("v1.13", rules(skip), rules(deny)).at(-1)).toHaveProperty("rules", [
      { image: "a/*", deny: true },
    ]);
    expect(patched("v1.13", rules("{skip: true}"), rules("{deny: true}", "{}")).at(-1)).toEqual({
      apiVersion: "v1alpha1",
      kind: "ImageVerificationConfig",
      rules: [{}],
    });
  });
});
