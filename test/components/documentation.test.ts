import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { commandLine } from "../../cli/commandLine";
import { TalosCluster } from "../../components";
import * as exported from "../../index";
import { messageOfError } from "../../provider/base/messageOfError";
import { serve } from "../../provider/serve";
import { machineConfigurationInputs } from "../provider/resources/samples";
import { build } from "./mockedGraph";

const root = join(__dirname, "../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const filesBelow = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

const pages = ["README.md", "CONTRIBUTING.md", ...filesBelow("docs", ".md")];
const { commands } = commandLine();
const optionsOf = new Map(
  commands.map((command) => [command.name(), command.options.map(({ long }) => long ?? "")]),
);

describe("the documentation", () => {
  it("shows parts of examples, which other tests run", () => {
    const dayTwo = ["upgrades", "scaling", "backup", "rotation"].map((page) => `docs/${page}.md`);
    for (const page of dayTwo) {
      expect(blocksOf([page], "ts")).not.toEqual([]);
    }
    const all = ["README.md", ...dayTwo, ...filesBelow("docs/guides", ".md")];
    const blocks = blocksOf(all, "ts");
    expect(blocks.length).toBeGreaterThan(8);
    expect(foreignTo(filesBelow("examples", ".ts"), blocks)).toEqual([]);
  });

  it("shows every file of the quickstart", () => {
    const page = textOf("docs/guides/your-own-program.md");
    for (const file of readdirSync(join(root, "examples/quickstart"))) {
      expect(page).toContain(`\`${file}\``);
      expect(page).toContain(`\n${textOf(`examples/quickstart/${file}`)}\`\`\`\n`);
    }
  });

  it("shows an argument beside each setting of environments/", () => {
    const settings = blocksOf(filesBelow("docs", ".md"), "(?:yaml|sh)").flatMap(({ page, block }) =>
      [...block.matchAll(/talos-aws:(?!index:)([a-z]\w*)/g)].map(([, name = ""]) => ({
        page,
        name,
      })),
    );
    // The one setting that a program of one's own has too.
    const arguments_ = settings.filter(({ name }) => name !== "plugin");
    expect(arguments_.length).toBeGreaterThan(5);
    const isBeside = ({ page, name }: (typeof arguments_)[number]) =>
      blocksOf([page], "ts").some(({ block }) => new RegExp(`\\b${name}: `).test(block));
    expect(arguments_.filter((each) => !isBeside(each))).toEqual([]);
  });

  it.each([
    ["python", "quickstart-python/__main__.py"],
    ["go", "quickstart-go/main.go"],
    ["yaml", "quickstart-yaml/Pulumi.yaml"],
  ])("shows a part of the quickstart in %s", (language, example) => {
    const blocks = blocksOf(["docs/guides/languages.md", "docs/_index.md"], language).filter(
      ({ block }) => block.includes("TalosCluster"),
    );
    expect(blocks).toHaveLength(2);
    expect(foreignTo([join("examples", example)], blocks)).toEqual([]);
  });

  it("names in the comments of the package's types only functions that it exports", () => {
    const index = ["components/index.ts", "provider/index.ts"].map(textOf).join("");
    const sources = ["components", "provider"].flatMap((folder) => filesBelow(folder, ".ts"));
    const text = sources.map(textOf).join("\n");
    const names = (pattern: RegExp, within = text) =>
      new Set([...within.matchAll(pattern)].map(([, name = ""]) => name));
    const properties = names(/^ +readonly (\w+)/gm);
    const hidden = [...names(/^export (?:async )?function (\w+)/gm)].filter(
      (name) => !(name in exported) && !properties.has(name),
    );
    const shown = names(/(\w+)/g, index);
    const types = [...text.matchAll(/^export (?:interface|class) (\w+)[^]*?^}/gm)];
    const comments = types
      .filter(([, name = ""]) => shown.has(name))
      .flatMap(([type]) => type.match(/\/\*\*[^]*?\*\//g) ?? []);
    expect(comments.length).toBeGreaterThan(300);
    const named = names(/`(\w+)`/g, comments.join());
    expect(hidden.filter((name) => named.has(name))).toEqual([]);
  });

  it("lists every command and every example", () => {
    const rows = [...textOf("docs/guides/operating.md").matchAll(/^\| ((?:`[a-z]+` ?)+) *\|/gm)];
    const named = rows.flatMap(([, names = ""]) => names.match(/[a-z]+/g) ?? []);
    expect(named.sort()).toEqual([...optionsOf.keys()].sort());
    const examples = textOf("docs/guides/examples.md").matchAll(/^\| \[`([a-z0-9-]+)`\]/gm);
    expect([...examples].map(([, name]) => name).sort()).toEqual(
      readdirSync(join(root, "examples")).sort(),
    );
  });

  it.each(pages)("%s names only existing commands, options and scripts", (page) => {
    const text = textOf(page);
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    for (const { name, options } of commandsIn(text)) {
      expect(["help", ...optionsOf.keys()]).toContain(name);
      expect([...(optionsOf.get(name) ?? []), "--help"]).toEqual(expect.arrayContaining(options));
    }
  });

  it("says the same of how long npm run local takes on each page", () => {
    const told = ["README.md", "docs/guides/local.md"].map((page) => {
      const text = textOf(page).replaceAll("\n", " ");
      const [, first] = /[Tt]he first run takes ([a-z ]+ minutes)/.exec(text) ?? [];
      const [, later] = /[Ll]ater runs (?:take )?([a-z ]+)\./.exec(text) ?? [];
      return { first, later };
    });
    expect(told[0]).toEqual({
      first: expect.any(String) as string,
      later: expect.any(String) as string,
    });
    expect(told[1]).toEqual(told[0]);
  });

  it.each(pages)("%s names only existing test files", (page) => {
    const named = textOf(page).match(/\btest\/[\w/-]+\.test\.ts/g) ?? [];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("quotes the actual errors", async () => {
    await pulumi.runtime.setMocks({
      newResource: ({ name }) => ({ id: name, state: {} }),
      call: () => ({}),
    });
    const make = () =>
      new TalosCluster("demo", {
        environment: "demo",
        domain: "example.com",
        talosVersion: "1.12",
        versionContract: "v1.12",
        kubernetesVersion: "v1.35.0",
        operatorCidrs: ["0.0.0.0/0"],
        network: { zones: ["eu-central-1a"], cidrBlock: "10.244.0.0/16" },
        controlPlane: { machineCount: 2 },
      });
    expect(textOf("docs/guides/configuring-machines.md")).toContain(messageOf(make));
  });
});

describe("examples/machine-settings", () => {
  it("configures the machines", async () => {
    const region = "eu-central-1";
    const { graph } = await build(() => import("../../examples/machine-settings/index.js"), {
      calls: { "aws:index/getRegion:getRegion": () => ({ region }) },
    });
    const configurations = graph.ofType("pulumi-nodejs:dynamic/talos:MachineConfiguration");
    const settingsOf = (machineType: string) =>
      configurations.find(({ inputs }) => inputs.machineType === machineType)?.inputs;
    expect(settingsOf("controlplane")).toMatchObject({
      nodeLabels: { "example.com/rack": "a" },
      sysctls: { "vm.max_map_count": "262144" },
    });
    const { secretsBundle } = await machineConfigurationInputs();
    for (const { inputs } of configurations) {
      const known = { ...inputs, secretsBundle };
      expect((await serve("MachineConfiguration").check({}, known)).failures).toEqual([]);
    }
    expect(settingsOf("worker")).toMatchObject({
      sysctls: { "net.core.somaxconn": "4096" },
      kubeletExtraArgs: { "max-pods": "200" },
    });
    expect(graph.ofType("aws:ec2/instance:Instance").map(({ inputs }) => inputs)).toEqual(
      Array.from({ length: 5 }, (): unknown => expect.objectContaining({ sourceDestCheck: false })),
    );
  });
});

describe("examples/day-two", () => {
  afterAll(() => pulumi.runtime.setAllConfig({}));

  it("makes a cluster with the arguments of day two", async () => {
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const calls = { "aws:index/getRegion:getRegion": () => ({ region: "eu-central-1" }) };
    const { graph } = await build(
      () => {
        pulumi.runtime.setAllConfig({ "day-two:agePublicKey": "none" });
        return import("../../examples/day-two/index.js");
      },
      { calls, project: "day-two" },
    );
    warn.mockRestore();
    const talos = (kind: string) => graph.ofType(`pulumi-nodejs:dynamic/talos:${kind}`);
    expect(talos("RotatedAuthority").map(({ name }) => name)).toEqual(["prod-talos-ca-2"]);
    const drains = talos("ConfigurationApply").map(({ name, inputs }) => [name, inputs.drain]);
    expect(Object.fromEntries(drains)).toMatchObject({
      "prod-control-plane-1": { timeoutSeconds: 600 },
      "prod-apps-1": { whenBlocked: "proceed" },
    });
    const groups = graph.ofType("aws:autoscaling/group:Group").map(({ inputs }) => inputs.maxSize);
    expect(groups).toEqual([4, 4, 4]);
    expect(graph.ofType("aws:s3/bucket:Bucket")).toHaveLength(1);
  });
});

/** The commands of `talos-aws` in a text, with the options on the same line. */
function commandsIn(text: string): { name: string; options: string[] }[] {
  const lines = text.matchAll(/talos-aws ((?!<)[a-z]+)(( [^\n`|;#"]*)?)/g);
  return [...lines]
    .map(([, name = "", rest = ""]) => ({ name, options: optionsIn(rest) }))
    .filter(({ name, options }) => optionsOf.has(name) || options.length > 0);
}

/** Names of options in a text. */
function optionsIn(text: string): string[] {
  return [...text.matchAll(/--[a-z]+(-[a-z]+)*/g)].map(([name]) => name);
}

interface CodeBlock {
  readonly page: string;
  readonly block: string;
}

function blocksOf(pagesWithCode: readonly string[], language: string): CodeBlock[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm");
  return pagesWithCode.flatMap((page) =>
    [...textOf(page).matchAll(fenced)].map(([, block = ""]) => ({ page, block })),
  );
}

/** The blocks that no program contains. */
function foreignTo(programs: readonly string[], blocks: readonly CodeBlock[]): CodeBlock[] {
  const texts = programs.map((path) => unindented(textOf(path)));
  return blocks.filter(({ block }) => !texts.some((text) => text.includes(unindented(block))));
}

function unindented(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n");
}

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return messageOfError(error);
  }
  return "nothing was refused";
}
