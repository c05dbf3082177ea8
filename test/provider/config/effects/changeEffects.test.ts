import { rebootReason } from "../../../../emulator/talos/config/immediateChange";
import {
  changeEffects,
  effectRow,
  rebootPaths,
  restartedServices,
} from "../../../../provider/config/effects/changeEffects";
import { effectTable } from "../../../../provider/config/effects/effectTable";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import type { PropertySchema, SchemaFile } from "../../../../provider/config/schema/configSchema";
import { talosSchemas } from "../../../../provider/config/schema/talosSchemas";

/** The key paths of all single values of a document; `*` for any key or item. */
function leavesOf(
  { $defs }: SchemaFile,
  schema: PropertySchema,
  path: readonly string[],
): readonly (readonly string[])[] {
  const { $ref, properties, items, additionalProperties: others } = schema;
  if ($ref !== undefined) {
    return leavesOf({ $defs } as SchemaFile, $defs[$ref.replace("#/$defs/", "")] ?? {}, path);
  }
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([key, member]) =>
      leavesOf({ $defs } as SchemaFile, member, [...path, key]),
    );
  }
  const item = items ?? (typeof others === "object" ? others : undefined);
  return item === undefined ? [path] : leavesOf({ $defs } as SchemaFile, item, [...path, "*"]);
}

const base: ConfigDocument = {
  version: "v1alpha1",
  machine: { type: "worker", features: { rbac: true } },
  cluster: {},
};

describe.each([...talosSchemas])("the table of effects, for Talos v1.%i", (_, { file }) => {
  const documents = file["x-documents"].map(({ kind, type }) => ({
    kind,
    leaves: leavesOf(file, file.$defs[type] ?? {}, kind === "" ? [] : [kind]),
  }));

  it("has an answer for every place of every document", () => {
    const leaves = documents.flatMap((document) => document.leaves);
    expect(leaves.length).toBeGreaterThan(300);
    expect(leaves.filter((leaf) => effectRow(leaf) === undefined)).toEqual([]);
  });

  it("names a boot for everything for which Talos itself reboots", () => {
    // The simulator compares whole configurations, as `Runtime.CanApplyImmediate` does.
    const leaves = documents.find(({ kind }) => kind === "")?.leaves ?? [];
    const missed = leaves.filter(
      (path) =>
        rebootReason([base], [changeAt(base, path)]) !== undefined &&
        effectRow(path)?.effect !== "boot" &&
        effectRow(path)?.rebootsUntil13 !== true,
    );
    // Its value is the same in all releases.
    expect(missed).toEqual([["version"]]);
  });
});

it("has no row for a place that no release has", () => {
  const leaves = [...talosSchemas.values()].flatMap(({ file }) =>
    file["x-documents"].flatMap(({ kind, type }) =>
      leavesOf(file, file.$defs[type] ?? {}, kind === "" ? [] : [kind]),
    ),
  );
  // Some rows are inside a free value.
  const isThere = (path: string) =>
    leaves.some((leaf) => {
      const keys = path.split(".");
      const length = Math.min(leaf.length, keys.length);
      return keys
        .slice(0, length)
        .every((key, index) => key === leaf[index] || leaf[index] === "*");
    });
  expect(effectTable.map(({ path }) => path).filter((path) => !isThere(path))).toEqual([]);
});

describe("a change", () => {
  const modules = (...names: readonly string[]): ConfigDocument => ({
    machine: {
      kernel: { modules: Object.fromEntries(names.map((name) => [name, { name }])) },
    },
  });
  const volume = (settings: ConfigDocument): ConfigDocument => ({
    "UserVolumeConfig/data": { provisioning: settings },
  });
  const ephemeral = (settings: ConfigDocument): ConfigDocument => ({
    "VolumeConfig/EPHEMERAL": settings,
  });
  const encrypted = (...slots: readonly number[]) => ({
    encryption: { provider: "luks2", keys: slots.map((slot) => ({ slot, nodeID: {} })) },
  });
  const etcd = (settings: ConfigDocument): ConfigDocument => ({ cluster: { etcd: settings } });

  it.each<[string, ConfigDocument, ConfigDocument, readonly string[]]>([
    ["of etcd's image", etcd({ image: "a" }), etcd({ image: "b" }), ["cluster.etcd.image"]],
    [
      "that takes back a flag of etcd",
      etcd({ extraArgs: { "no-such-flag": "1" } }),
      etcd({}),
      ["cluster.etcd.extraArgs.no-such-flag"],
    ],
    ["that adds a kernel module", modules("a"), modules("a", "b"), []],
    ["that removes one", modules("a", "b"), modules("a"), ["machine.kernel.modules.b.name"]],
    ["that adds a volume", {}, volume({ maxSize: "1GB" }), []],
    ["that removes one", volume({ maxSize: "1GB" }), {}, []],
    [
      "of a volume's largest size",
      volume({ maxSize: "1GB", grow: true }),
      volume({ maxSize: "2GB", grow: true }),
      ["UserVolumeConfig/data.provisioning.maxSize"],
    ],
    [
      "of that of one that doesn't grow",
      volume({ maxSize: "1GB" }),
      volume({ maxSize: "2GB" }),
      [],
    ],
    [
      "to a smaller size",
      volume({ maxSize: "2GB", grow: true }),
      volume({ maxSize: "1GB", grow: true }),
      [],
    ],
    ["of a volume's disk", volume({ diskSelector: "a" }), volume({ diskSelector: "b" }), []],
    [
      "of Talos' own volume, which has the whole disk",
      {},
      ephemeral({ provisioning: { maxSize: "9GB" } }),
      [],
    ],
    [
      "that lifts its limit",
      ephemeral({ provisioning: { maxSize: "9GB" } }),
      {},
      ["VolumeConfig/EPHEMERAL.provisioning.maxSize"],
    ],
    [
      "of its mount",
      {},
      ephemeral({ mount: { secure: false } }),
      ["VolumeConfig/EPHEMERAL.mount.secure"],
    ],
    [
      "of its keys",
      ephemeral(encrypted(0)),
      ephemeral(encrypted(0, 1)),
      ["VolumeConfig/EPHEMERAL.encryption"],
    ],
    ["that leaves it none of its keys", ephemeral(encrypted(0)), ephemeral(encrypted(1)), []],
    ["that encrypts it", {}, ephemeral(encrypted(0)), []],
    ["that ends its encryption", ephemeral(encrypted(0)), {}, []],
    [
      "of a registry's password",
      { "RegistryAuthConfig/a": { password: "«secret hmac:1»" } },
      { "RegistryAuthConfig/a": { password: "«secret hmac:2»" } },
      ["RegistryAuthConfig/a.password"],
    ],
    [
      "of a registry's mirror",
      {},
      { machine: { registries: { mirrors: { a: { endpoints: ["https://b"] } } } } },
      [],
    ],
    ["of a host name", {}, { HostnameConfig: { hostname: "a" } }, []],
    ["that no table knows", {}, { machine: { later: true } }, []],
  ])("%s", (_, before, after, paths) => {
    expect(rebootPaths(before, after, 12).map((path) => path.join("."))).toEqual(paths);
  });

  it.each<[string, ConfigDocument, ConfigDocument, readonly string[]]>([
    ["of a file", {}, { machine: { files: ["a"] } }, ["machine.files"]],
    [
      "of a variable",
      {},
      { EnvironmentConfig: { variables: { a: "b" } } },
      ["EnvironmentConfig.variables.a"],
    ],
    ["of udev's rules", {}, { machine: { udev: { rules: ["a"] } } }, []],
    ["of trustd's token", { machine: { token: "a" } }, { machine: { token: "b" } }, []],
    ["of a registry's password", {}, { "RegistryAuthConfig/a": { password: "b" } }, []],
    ["of etcd's image", etcd({ image: "a" }), etcd({ image: "b" }), ["cluster.etcd.image"]],
  ])("%s, with Talos v1.14, which reboots for none", (_, before, after, paths) => {
    expect(rebootPaths(before, after, 14).map((path) => path.join("."))).toEqual(paths);
    expect(rebootPaths(before, after, undefined).length).toBeGreaterThan(0);
  });

  it("that no longer lists a file in /var waits for no boot, if Talos doesn't reboot itself", () => {
    const files = (...paths: readonly string[]): ConfigDocument => ({
      machine: { files: paths.map((path) => ({ path, content: "«secret»" })) },
    });
    const [both, own, kept] = [files("/var/a", "/etc/b"), files("/etc/b"), files("/var/a")];
    const places = (before: ConfigDocument, after: ConfigDocument, minor: number) =>
      rebootPaths(before, after, minor).map((path) => path.join("."));
    expect(places(both, own, 14)).toEqual([]);
    expect(places(kept, { machine: {} }, 14)).toEqual([]);
    expect(places(both, own, 13)).toEqual(["machine.files"]);
    for (const after of [kept, files("/var/a", "/etc/b", "/var/c"), files("/var/c", "/etc/b")]) {
      expect(places(both, after, 14)).toEqual(["machine.files"]);
    }
  });

  it("of a place that is judged counts once", () => {
    const ca = (crt: string, key: string) => etcd({ ca: { crt, key } });
    expect(rebootPaths(ca("a", "x"), ca("b, a", "y"), 12)).toEqual([["cluster", "etcd", "ca"]]);
    expect(changeEffects(ca("b, a", "x"), ca("a, b", "y"), 12).map(({ effect }) => effect)).toEqual(
      ["live", "live"],
    );
  });
});

describe("without a reboot", () => {
  const on = (
    type: string,
    machine: ConfigDocument,
    more: ConfigDocument = {},
  ): ConfigDocument => ({
    machine: { type, ...machine },
    ...more,
  });

  it.each<[string, ConfigDocument, number, readonly string[]]>([
    ["kubelet", on("worker", { kubelet: { extraArgs: { v: "4" } } }), 12, ["kubelet"]],
    [
      "kubelet, for another name",
      on("worker", {}, { HostnameConfig: { hostname: "a" } }),
      12,
      ["kubelet"],
    ],
    [
      "the API server",
      on("controlplane", {}, { cluster: { apiServer: { extraArgs: { v: "4" } } } }),
      12,
      ["the API server"],
    ],
    [
      "all that reads certificates",
      on("controlplane", {}, { cluster: { ca: { crt: "a" } } }),
      12,
      ["kubelet", "the API server", "the controller manager", "the scheduler"],
    ],
    [
      "what a worker has of that",
      on("worker", {}, { cluster: { ca: { crt: "a" } } }),
      12,
      ["kubelet"],
    ],
    [
      "containerd",
      on("worker", {}, { "RegistryAuthConfig/a": { password: "b" } }),
      14,
      ["containerd"],
    ],
    ["nothing", on("worker", { sysctls: { a: "1" } }), 12, []],
  ])("Talos restarts %s", (_, after, minor, services) => {
    const { type } = after.machine as { readonly type: string };
    expect(restartedServices({ machine: { type } }, after, minor)).toEqual(services);
  });
});

function changeAt(
  document: ConfigDocument,
  [key = "", ...rest]: readonly string[],
): ConfigDocument {
  const inner = document[key];
  const mapping = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
  return { ...document, [key]: rest.length === 0 ? "changed" : changeAt(mapping, rest) };
}
