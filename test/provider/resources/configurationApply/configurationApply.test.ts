import { UNKNOWN } from "../../../../provider/base/unknown";
import { NOT_MADE_YET } from "../../../../provider/config/effects/outline";
import type { Patch } from "../../../../provider/config/patches/patch";
import { PartialCreateError } from "../../../../provider/engine/handler";
import type { ApplyMode } from "../../../../provider/lifecycle/delivery/delivery";
import { compactCredentials } from "../../../../provider/pki/compactCredentials";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { serve } from "../../../../provider/serve";
import { SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import { silent } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { expectNoSecrets, unknownValue } from "../samples";

let cluster: SimulatedCluster;
let written: string[];

beforeEach(async () => {
  written = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  cluster = await SimulatedCluster.create({ rebootMs: 2_500 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await cluster.stop();
});

async function given(node = "127.0.0.1", timeoutSeconds = 20) {
  return {
    ...(await machineAt(cluster, node)),
    machineId: "i-0123456789abcdef0",
    machineConfiguration: cluster.config("controlplane"),
    patches: [] as Patch[],
    mode: "auto" as ApplyMode,
    timeoutSeconds,
    configurationHash: "",
    redactedConfiguration: "" as unknown,
  };
}

async function checked(news: Awaited<ReturnType<typeof given>>) {
  const { inputs, failures } = await handler.check(undefined, news);
  expect(failures).toEqual([]);
  return inputs;
}

describe("check of ConfigurationApply", () => {
  it("computes hash and outline, with patches", async () => {
    const plain = await checked(await given());
    expect(plain.configurationHash).toMatch(/^[0-9a-f]{64}$/);
    expectNoSecrets(plain.redactedConfiguration, cluster.secrets);
    const patch = { machine: { env: { GREETING: "hello" } } };
    const { inputs: patched } = await handler.check(undefined, {
      ...(await given()),
      patches: [patch],
    });
    expect(patched.configurationHash).not.toBe(plain.configurationHash);
    expect(patched.redactedConfiguration).toMatchObject({
      machine: { env: { GREETING: expect.stringMatching(/^«secret hmac:/) as string } },
    });
    expect((await handler.check(plain, plain)).inputs).toEqual(plain);
  });

  it.each(["machineConfiguration", "patches"])(
    "does not know them without %s",
    async (property) => {
      const news = { ...(await given()), [property]: unknownValue, timeoutSeconds: -1 };
      const { inputs, failures } = await handler.check(undefined, news);
      expect(inputs).toMatchObject({ configurationHash: UNKNOWN, redactedConfiguration: UNKNOWN });
      expect(failures.map(({ property: at }) => at)).toEqual(["timeoutSeconds"]);
    },
  );

  it.each([
    ["a text", (role: object): unknown => JSON.stringify(role)],
    ["a mapping", (role: object): unknown => role],
  ])("knows everything except secrets from the role's outline, as %s", async (_, passed) => {
    const { redactedConfiguration: whole } = await checked(await given());
    const role = JSON.parse(
      JSON.stringify(whole).replace(
        /"«(?:secret|certificate) [^"]*"/g,
        JSON.stringify(NOT_MADE_YET),
      ),
    ) as Record<string, unknown>;
    const news = {
      ...(await given()),
      machineConfiguration: unknownValue,
      roleOutline: passed(role),
      patches: ["machine: {env: {LOG_LEVEL: info}, certSANs: [talos.example.com]}"],
    };
    const { configurationHash, redactedConfiguration: known } = await checked(news);
    expect(configurationHash).toBe(UNKNOWN);
    const { machine, ...others } = role as { machine: object };
    expect(known).toEqual({
      ...others,
      machine: { ...machine, env: { LOG_LEVEL: "info" }, certSANs: ["talos.example.com"] },
    });
    expect(known).toMatchObject({ machine: { token: NOT_MADE_YET, ca: { crt: NOT_MADE_YET } } });

    const { failures } = await handler.check(undefined, {
      ...news,
      patches: ["machine: {certSans: [a]}", { machine: { network: { hostname: "a" } } }],
    });
    expect(failures.map(({ property }) => property)).toEqual(["patches"]);
    expect(failures[0]?.reason).toMatch(/patches\[0\].*certSans/);
  });

  it.each(["machineConfiguration", "patches", "credentials"])(
    "rejects ignoreChanges for %s, which it does not record",
    async (property) => {
      const news = Object.fromEntries(
        Object.entries(await given()).filter(([name]) => name !== property),
      );
      const { failures } = await handler.check(undefined, news as never);
      expect(failures).toEqual([
        { property, reason: 'it is missing because "ignoreChanges" names it: remove it there' },
      ]);
    },
  );

  it("distinguishes the ends of long texts by a fingerprint", async () => {
    const manifest = (end: string) => ({
      cluster: {
        inlineManifests: [{ name: "long", contents: `# ${"x".repeat(100_000)}${end}\n` }],
      },
    });
    const of = async (end: string) =>
      JSON.stringify(
        (await checked({ ...(await given()), patches: [manifest(end)] })).redactedConfiguration,
      );
    expect((await of("a")).length).toBeLessThan(5_000);
    expect(await of("a")).not.toBe(await of("b"));
  });

  it("warns about changes without effect on a running machine, not on a new one", async () => {
    const before = await checked(await given());
    const patches: Patch[] = ["machine: {install: {image: 'example.com/installer:v1.12.2'}}"];
    const news = { ...(await given()), patches, upgradeTalos: false };
    const warningsOf = async (
      olds: Partial<typeof before> | undefined,
      given: Omit<typeof news, "upgradeTalos"> = news,
    ) => (await handler.check(olds, given)).warnings ?? [];
    expect(await warningsOf(before)).toEqual([
      expect.stringContaining("`talosctl upgrade --image example.com/installer:v1.12.2`"),
    ]);
    expect(await warningsOf(undefined)).toEqual([]);
    expect(await warningsOf({ ...before, machineId: "i-00000000000000000" })).toEqual([]);
    expect(await warningsOf(before, await given())).toEqual([]);
    const unknown = { ...news, machineConfiguration: unknownValue };
    expect(await warningsOf(before, unknown)).toEqual([]);
  });

  it("names the patch and the path of each problem, and a bad timeout, at once", async () => {
    const patches = [{ machine: {} }, { machine: { kubelt: {} } }];
    const news = { ...(await given()), patches, timeoutSeconds: 100_000 };
    const { failures } = await handler.check(undefined, news);
    expect(failures.map(({ property }) => property)).toEqual(["timeoutSeconds", "patches"]);
    expect(failures[0]?.reason).toContain("100000");
    expect(failures[1]?.reason).toMatch(/patch.*1.*kubelt/);
    expectNoSecrets(failures, cluster.secrets);
  });

  it("rejects a text that is not a machine configuration without quoting it", async () => {
    const { token } = cluster.secrets.trustdinfo;
    const news = { ...(await given()), machineConfiguration: `machine: {token: ${token}\n- x` };
    const { failures } = await handler.check(undefined, news);
    expect(failures[0]?.property).toBe("machineConfiguration");
    expect(failures[0]?.reason).toMatch(/^not a machine configuration: /);
    expectNoSecrets(failures, cluster.secrets);
  });
});

describe("diff of ConfigurationApply", () => {
  const change = { changes: true, replaces: [] };
  const none = { changes: false, replaces: [] };
  const replacement = { changes: true, replaces: ["machineId"] };

  it.each([
    ["nothing", {}, none],
    ["another machine", { machineId: "i-0fedcba9876543210" }, replacement],
    ["a machine that isn't known yet", { machineId: unknownValue }, replacement],
    ["another address", { node: "127.0.0.9" }, change],
    ["an address that isn't known yet", { node: unknownValue }, change],
    ["another endpoint", { endpoint: "127.0.0.9" }, change],
    ["another configuration", { configurationHash: "0".repeat(64) }, change],
    ["a configuration that isn't known yet", { configurationHash: unknownValue }, change],
    ["other credentials", { credentials: { ca: "a", crt: "b", key: "c" } }, none],
    ["credentials that aren't known yet", { credentials: unknownValue }, none],
    ["another time to wait", { timeoutSeconds: 5 }, none],
    ["another mode", { mode: "staged" as const }, none],
    ["another end", { onDestroy: { reset: true } }, change],
  ])("of %s", async (_what, news, expected) => {
    const inputs = await checked(await given());
    const { machineId, node, endpoint, credentials, configurationHash = "" } = inputs;
    const recorded = { credentials, timeoutSeconds: 20 };
    const state = { node, endpoint, configurationHash, ...recorded };
    expect(handler.diff(machineId, state, { ...inputs, ...news })).toEqual(expected);
  });
});

describe("a create that is cut off after the delivery", () => {
  steppingIt(
    "is recorded with the stub and no secrets except credentials, and continued by an update",
    async () => {
      const { node, address } = await cluster.add();
      // Over while the machine boots, as its waits take next to no time, but not before the delivery.
      const inputs = await checked(await given(address, 6));
      const served = serve("ConfigurationApply");
      const failure: unknown = await served
        .create({ ...inputs, __provider: "the stub" })
        .catch((error: unknown) => error);
      if (!(failure instanceof PartialCreateError)) {
        throw failure;
      }
      expect(failure.id).toBe(inputs.machineId);
      expect(failure.reasons).toEqual([failure.message]);
      expect(failure.message).toContain(`machine ${address} to run its configuration`);
      expect(failure.properties).toEqual({
        bornWith: expect.objectContaining({ "machine.type": "controlplane" }) as object,
        node: address,
        endpoint: address,
        configurationHash: "",
        credentials: compactCredentials(inputs.credentials),
        maintenanceFingerprint: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) as string,
        timeoutSeconds: 6,
        __provider: "the stub",
      });
      expectNoSecrets([failure.properties, failure.reasons], cluster.secrets);

      const { outs } = await served.update(
        failure.id,
        { ...failure.properties },
        {
          ...inputs,
          timeoutSeconds: 600,
        },
      );
      expect(outs).toMatchObject({ configurationHash: inputs.configurationHash });
      expect(node.stage).toBe("running");
      expect(node.machineConfiguration).toBe(inputs.machineConfiguration);
      expect(written.join("")).toContain(`waiting for machine ${address}`);
      expectNoSecrets(written, cluster.secrets);
    },
  );

  it("is not recorded when nothing was delivered", async () => {
    const inputs = await checked(await given("127.191.0.1", 1));
    const failure: unknown = await handler.create(inputs, silent).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(PartialCreateError);
  });
});
