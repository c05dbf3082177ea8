import { parse, stringify } from "yaml";
import { NOT_MADE_YET } from "../../provider/renderUnknown";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";
import { formsOf, secretsIn } from "./support/secretForms";

const machines = ["local-control-plane-1", "local-control-plane-2", "local-control-plane-3"];

// One cluster's life: each test goes on where the one before it ended.
describe("what a preview shows of machine configurations, by the real engine", () => {
  let world: EngineWorld;

  beforeAll(async () => {
    world = await startEngineWorld();
  }, 120_000);

  afterAll(async () => {
    await world.close();
  }, 60_000);

  it("is each machine's whole configuration the first time, but for what isn't made yet", async () => {
    const { stdout } = await world.stack.preview({ ...world.record, diff: true });
    for (const machine of machines) {
      const shown = shownOf(stdout, "ConfigurationApply", machine);
      expect(shown).toEqual(
        expect.arrayContaining([
          "redactedConfiguration: {",
          'environment: "local"',
          'image: "registry.k8s.io/kube-apiserver:v1.35.0"',
          `token: "${NOT_MADE_YET}"`,
          'type: "controlplane"',
        ]),
      );
      expect(shown.length).toBeGreaterThan(100);
      expect(shown.join("\n")).not.toContain("sha256:");
    }
  }, 120_000);

  it("is nothing when nothing changed", async () => {
    await world.stack.up(world.record);
    expect((await world.stack.preview(world.record)).changeSummary).toEqual({ same: 74 });
  }, 240_000);

  it("is the lines of a sysctl, a label and a certificate's name, for each machine, and nothing else", async () => {
    const stdout = await previewWith({
      nodeLabels: { environment: "local", team: "platform" },
      sysctls: { "net.core.somaxconn": "65535" },
      certSans: ["talos.example.com"],
    });
    const lines = [
      "~ redactedConfiguration: {",
      "~ cluster: {",
      "~ apiServer: {",
      "+ certSANs: [",
      '+ [0]: "talos.example.com"',
      "]",
      "}",
      "}",
      "~ machine: {",
      "~ certSANs: [",
      '+ [0]: "talos.example.com"',
      "]",
      "~ nodeLabels: {",
      '+ team: "platform"',
      "}",
      "+ sysctls: {",
      '+ net.core.somaxconn: "65535"',
      "}",
      "}",
      "}",
    ];
    for (const machine of machines) {
      expect(shownOf(stdout, "ConfigurationApply", machine)).toEqual(lines);
    }
    expect(stdout.match(/: \((?:create|update|replace|delete)\)$/gm)).toHaveLength(5);
    // of the role: what was asked for, and what comes of it
    expect(shownOf(stdout, "MachineConfiguration", "local-control-plane").sort()).toEqual(
      [
        ...lines,
        ...["+ certSans: [", '+ [0]: "talos.example.com"', "]"],
        "~ machineConfiguration: [secret] => [secret]",
        ...["~ nodeLabels: {", '+ team: "platform"', "}"],
        ...["+ sysctls: {", '+ net.core.somaxconn: "65535"', "}"],
      ].sort(),
    );
  }, 120_000);

  it("is a secret's fingerprint where a patch has one", async () => {
    const registry = { "registry.example.com": { auth: { username: "me", password: "hunter2" } } };
    const patches = [{ machine: { registries: { config: registry } } }];
    const stdout = await previewWith(undefined, patches);
    for (const machine of machines) {
      const shown = shownOf(stdout, "ConfigurationApply", machine);
      expect(shown).toContain('+ username: "me"');
      expect(shown.filter((line) => line.startsWith("+ password"))).toEqual([
        expect.stringMatching(/^\+ password: "«secret hmac:[0-9a-f]{8}»"$/),
      ]);
    }
    expect(stdout).not.toContain("hunter2");
  }, 120_000);

  it("holds no secret byte", () => {
    const secrets = secretsIn(world.emulator.nodes()[0]?.machineConfiguration ?? "");
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    const leaks = secrets.filter(({ value }) =>
      formsOf(value).some((form) => world.transcript().includes(form)),
    );
    expect(leaks.map(({ name }) => name)).toEqual([]);
  });

  async function previewWith(
    machineConfiguration: Record<string, unknown> | undefined,
    patches?: readonly unknown[],
  ): Promise<string> {
    const { config } = parse(await localSettings()) as { config: Record<string, unknown> };
    const changed = {
      ...config,
      ...(machineConfiguration && { "talos-aws:machineConfiguration": machineConfiguration }),
      ...(patches && { "talos-aws:patches": patches }),
    };
    const stack = await world.withSettings(stringify({ config: changed }));
    return (await stack.preview({ ...world.record, diff: true })).stdout;
  }
});

/** The lines that the engine prints of one resource's inputs, without the space around columns. */
function shownOf(stdout: string, kind: string, name: string): string[] {
  const step = new RegExp(`^ *[-+~]+ \\S+talos:${kind}: \\(\\w+\\)$`);
  const isStep = (line: string) => /^ *[-+~]+ \S+:\S+: \(\w+\)$/.test(line);
  const lines = stdout.split("\n");
  const start = lines.findIndex(
    (line, index) =>
      step.test(line) &&
      lines.slice(index, index + 3).some((other) => other.endsWith(`${kind}::${name}]`)),
  );
  const rest = start < 0 ? [] : lines.slice(start + 1);
  const end = rest.findIndex((line) => isStep(line) || /^ *(--outputs:--|Resources:)/.test(line));
  return (
    rest
      .slice(0, end < 0 ? rest.length : end)
      .map((line) =>
        line
          .trim()
          .replace(/\s+/g, " ")
          .replace(/ :(?= )/, ":"),
      )
      // Between the lines the engine says every now and then that it goes on.
      .filter((line) => line !== "" && !/^(\[(id|urn)=|@ )/.test(line))
  );
}
