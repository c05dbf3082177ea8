import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UNKNOWN } from "../../provider/base/unknown";
import type { HandlerName } from "../../provider/engine/dynamicStub";
import { serve } from "../../provider/serve";
import { machineConfigurationInputs } from "./resources/samples";

const names: Record<HandlerName, true> = {
  MachineSecrets: true,
  ClientConfiguration: true,
  MachineConfiguration: true,
  ConfigurationApply: true,
  MachineBootstrap: true,
  ClusterKubeconfig: true,
  ClusterHealth: true,
  UserKubeconfig: true,
  MachineTurn: true,
  EtcdMember: true,
  ImmutableArguments: true,
  KubernetesUpgrade: true,
  KubernetesManifests: true,
  KubernetesObjects: true,
  RotatedAuthority: true,
  RotatedSecret: true,
  RotationGate: true,
  FirstContact: true,
};

const bootstrap = {
  node: "127.0.0.1",
  endpoint: "127.0.0.1",
  credentials: { ca: "", crt: "", key: "" },
  timeoutSeconds: 600,
};

describe("serve", () => {
  it.each(Object.keys(names))("serves %s", (name) => {
    const served = serve(name);
    expect(Object.keys(served).sort()).toEqual([
      "check",
      "checked",
      "create",
      "delete",
      "diff",
      "import",
      "read",
      "unignorable",
      "update",
    ]);
  });

  it("says of each action that reports progress what it has achieved", () => {
    const folder = join(__dirname, "../../provider/resources");
    const silent: string[] = [];
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".ts")).sort()) {
      const text = readFileSync(join(folder, file), "utf8");
      const [, said = ""] = /\n {2}achieved: (\{[^}]*\})/.exec(text) ?? [];
      const actions = text.matchAll(/\n {2}(?:async )?(\w+)\([^)]*\bprogress\) \{/g);
      for (const [, action = ""] of actions) {
        if (!said.includes(`${action}: "`)) {
          silent.push(`${file}: ${action}`);
        }
      }
    }
    // A look at a machine or at objects waits for nothing: it warns at most.
    expect(silent).toEqual([
      "clusterHealth.ts: read",
      "configurationApply/configurationApplyHandler.ts: read",
      "kubernetesObjects.ts: read",
    ]);
  });

  it.each(["MachineSecret", "toString", "__proto__"])("rejects the unknown kind %s", (name) => {
    expect(() => serve(name)).toThrow(
      `this release of pulumi-talos-aws has no resource of kind "${name}", only MachineSecrets, ClientConfiguration, MachineConfiguration, ConfigurationApply, MachineBootstrap, ClusterKubeconfig, ClusterHealth, UserKubeconfig, MachineTurn, EtcdMember, ImmutableArguments, KubernetesUpgrade, KubernetesManifests, KubernetesObjects, RotatedAuthority, RotatedSecret, RotationGate, FirstContact: install the release`,
    );
  });

  it("hides the stub from handlers", async () => {
    const { inputs, failures } = await serve("MachineBootstrap").check(
      {},
      { ...bootstrap, __provider: "the stub" },
    );
    expect(inputs).toEqual(bootstrap);
    expect(failures).toEqual([]);
    const { outs } = await serve("MachineSecrets").update(
      "machine-secrets",
      { versionContract: "v1.11", secretsBundle: {}, __provider: "the stub" },
      { versionContract: "v1.12", __provider: "the stub" },
    );
    expect(outs).toEqual({ versionContract: "v1.12", secretsBundle: {} });
  });

  it("treats an empty object of old inputs as a new resource, and any other as an existing one", async () => {
    const served = serve("MachineSecrets");
    const news = { versionContract: "v1.12", allowContractChange: false };
    expect((await served.check({}, news)).failures).toEqual([]);
    const olds = { versionContract: "v1.11", __provider: "the stub" };
    expect((await served.check(olds, news)).failures).toHaveLength(1);
  });

  it("believes the recorded state, and has nothing to delete", async () => {
    const warned = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => warned.mockRestore());
    for (const name of Object.keys(names)) {
      const state = { some: "state", __provider: "the stub" };
      expect(await serve(name).read("id", state)).toMatchObject({
        id: "id",
        props: { some: "state" },
      });
      if (!["EtcdMember", "KubernetesObjects"].includes(name)) {
        await expect(serve(name).delete("id", state)).resolves.toBeUndefined();
      }
    }
    const lines = warned.mock.calls.map(([line]) => String(line));
    expect(lines).toEqual([expect.stringContaining("recorded it without credentials")]);
  });

  it("changes nothing after a bootstrap", async () => {
    const served = serve("MachineBootstrap");
    const state = { node: "127.0.0.1" };
    expect(await served.diff("id", state, { ...bootstrap, node: "127.0.0.2" })).toEqual({
      changes: false,
    });
    expect(await served.update("id", state, { ...bootstrap, node: "127.0.0.2" })).toEqual({
      outs: state,
    });
  });

  it("rejects an invalid timeout", async () => {
    for (const name of ["MachineBootstrap", "ClusterKubeconfig"]) {
      const { failures } = await serve(name).check({}, { ...bootstrap, timeoutSeconds: 0 });
      // The engine prints the value of a property that a failure names, even of a secret one.
      expect(failures.map(({ property }) => property)).toEqual([""]);
      expect(failures[0]?.reason).toMatch(/^timeoutSeconds: /);
    }
  });

  it("prints a check's warnings", async () => {
    const warned: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      warned.push(String(text));
      return true;
    });
    try {
      const served = serve("ConfigurationApply");
      const configuration = serve("MachineConfiguration");
      const apply = async (talosVersion: string, olds: Record<string, unknown>) => {
        const inputs = { ...(await machineConfigurationInputs()), talosVersion };
        const { inputs: checked } = await configuration.check({}, inputs);
        const { machineConfiguration } = (await configuration.create(checked)).outs;
        const given = {
          ...bootstrap,
          machineId: "i-0123456789abcdef0",
          mode: "auto",
          patches: [],
          upgradeTalos: false,
          machineConfiguration,
          redactedConfiguration: "",
        };
        return served.check(olds, given);
      };
      const { inputs: olds } = await apply("v1.12.0", {});
      expect(warned).toEqual([]);
      expect((await apply("v1.12.1", olds)).failures).toEqual([]);
      expect(warned).toEqual([expect.stringMatching(/^only the installer changes: .*\n$/)]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it("records no transient input, and passes it to the handler", async () => {
    const served = serve("MachineConfiguration");
    const news = { ...(await machineConfigurationInputs()), __provider: "the stub" };
    const { inputs: kept } = await served.check({}, news);
    for (const name of ["secretsBundle", "machineConfiguration", "machineConfigurationHash"]) {
      expect(kept).not.toHaveProperty(name);
    }
    const { id, outs } = await served.create({ ...kept, __provider: "the stub" });
    expect(outs.machineConfigurationHash).toMatch(/^[0-9a-f]{64}$/);
    const hash = { machineConfigurationHash: "of before" };
    expect((await served.update(id, { ...outs, ...hash }, kept)).outs).toEqual(outs);
    await expect(served.create({ ...kept, clusterName: "never checked" })).rejects.toThrow(
      "the inputs secretsBundle, machineConfiguration, machineConfigurationHash, machinePatches, otherPatches, plannedSettings, nodeCount, controlPlaneCount, markedValues were not checked in this run: run the command again",
    );
  });

  it("hides what no program gave, and then keeps the outline that a program can't compute", async () => {
    const served = serve("MachineConfiguration");
    const patches = [{ machine: { nodeLabels: { place: "n0t-seen" } } }];
    const given = { ...(await machineConfigurationInputs()), patches, __provider: "the stub" };
    const open = await served.check({}, given);
    const { id, outs } = await served.create({ ...open.inputs, __provider: "the stub" });
    expect(outs).not.toHaveProperty("redactedConfiguration");
    expect(JSON.stringify(open.inputs.redactedConfiguration)).toContain("n0t-seen");

    const { inputs } = await served.check({}, { ...given, __seen: [] });
    expect(JSON.stringify(inputs.redactedConfiguration)).not.toContain("n0t-seen");
    // Also where nothing else changes, because the program would compute the outline in clear.
    expect(await served.diff(id, outs, inputs)).toMatchObject({ changes: true });
    const updated = await served.update(id, outs, { ...inputs, __provider: "the stub" });
    expect(updated.outs.redactedConfiguration).toEqual(inputs.redactedConfiguration);
    expect(await served.diff(id, updated.outs, inputs)).not.toMatchObject({ changes: true });
  });

  it("refuses what ignoreChanges has kept or taken away, and can't", async () => {
    const served = serve("MachineConfiguration");
    const news = { ...(await machineConfigurationInputs()), __provider: "the stub" };
    const { inputs: olds } = await served.check({}, news);
    // The engine puts the recorded input in the place of the program's.
    const kept = { ...news, clusterName: "other", installerImage: olds.installerImage };
    expect((await served.check(olds, kept)).failures).toEqual([
      { property: "", reason: expect.stringMatching(/can't name "installerImage"/) as string },
    ]);
    const other = { ...news, clusterName: olds.clusterName };
    expect((await served.check(olds, other)).failures).toEqual([]);

    const { credentials, ...without } = { ...bootstrap, triggers: [] };
    expect(credentials).toBeDefined();
    expect((await serve("MachineTurn").check({ triggers: [] }, without)).failures).toEqual([
      { property: "", reason: expect.stringMatching(/can't name "credentials"/) as string },
    ]);
  });

  it("refuses ignoreChanges for an argument that a program may leave out and no state has", async () => {
    const served = serve("EtcdMember");
    const news = { ...bootstrap, machineId: "i-1", __given: ["machineId", "drain"] };
    const { inputs: olds, failures } = await served.check({}, { ...news, drain: {} });
    expect({ failures, kept: Object.keys(olds).sort() }).toEqual({
      failures: [],
      kept: ["endpoint", "machineId", "node"],
    });
    // The engine takes away what is not recorded.
    expect((await served.check(olds, news)).failures).toEqual([
      { property: "", reason: expect.stringMatching(/can't name "drain"/) as string },
    ]);
    const without = { ...news, __given: ["machineId"] };
    expect((await served.check(olds, without)).failures).toEqual([]);
  });

  it.each([
    ["RotationGate", { rotation: {}, rewriteTimeoutSeconds: 60 }],
    ["KubernetesUpgrade", { settledSeconds: 5 }],
  ])("keeps two clusters apart whose %s has the same inputs", async (kind, given) => {
    const served = serve(kind);
    const inputsOf = async (machineId: string, node: string) => {
      const machine = { ...bootstrap, machineId, node, redactedConfiguration: "" };
      return (await served.check({}, { ...machine, ...given })).inputs;
    };
    const one = await inputsOf("i-1", "127.0.0.1");
    const other = await inputsOf("i-2", "127.0.0.2");
    expect(served.checked(one)).toMatchObject({ node: "127.0.0.1" });
    expect(served.checked(other)).toMatchObject({ node: "127.0.0.2" });
  });

  it("leaves the diff to the engine, unless no recorded input differs", async () => {
    const served = serve("MachineConfiguration");
    const news = { ...(await machineConfigurationInputs()), __provider: "the stub" };
    const { inputs: olds } = await served.check({}, news);
    const { id, outs: state } = await served.create(olds);
    const { inputs: same } = await served.check(olds, news);
    expect(await served.diff(id, state, same)).toEqual({ changes: false });
    const moved = { ...state, machineConfigurationHash: "another" };
    expect(await served.diff(id, moved, same)).toEqual({ changes: true });

    const { inputs: other } = await served.check(olds, { ...news, clusterName: "other" });
    expect(await served.diff(id, state, other)).toEqual({});
    // Made up by the engine: what isn't known may be different.
    expect(await served.diff(id, state, { ...olds, clusterName: UNKNOWN })).toEqual({
      changes: true,
    });
  });
});
