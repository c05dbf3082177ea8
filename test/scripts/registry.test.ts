import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import emulatorJson from "../../emulator/package.json";
import packageJson from "../../package.json";

const root = join(__dirname, "../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** As pulumi/registry takes it (tools/resourcedocsgen/cmd/metadata.go). */
const CATEGORIES = ["cloud", "database", "infrastructure", "monitoring", "network", "utility"];

/** What breaks on the Registry's pages. Source: pulumi/registry, scripts/ci/community-package/doc_lint.py. */
const BROKEN = [
  /<img[^>]+src=["'](?!https?:)/,
  /!\[[^\]]*\]\((?!https?:)/,
  /<a[^>]+href="(?!https?:|#|mailto:)/,
  /\]\((?!https?:\/\/)[^)]*\.md[)#]/,
];

interface Schema {
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly publisher: string;
  readonly homepage: string;
  readonly repository: string;
  readonly logoUrl: string;
  readonly pluginDownloadURL: string;
  readonly keywords: readonly string[];
  readonly language: {
    readonly nodejs: { readonly packageName: string };
    readonly python: { readonly packageName: string };
  };
}

const schema = JSON.parse(textOf("plugin/schema.json")) as Schema;
const slug = new URL(schema.repository).pathname.slice(1);
const pages = ["docs/_index.md", "docs/installation-configuration.md"] as const;

function frontMatterOf(page: string): Readonly<Record<string, string>> {
  const [, head = ""] = /^---\n([^]*?)\n---\n/.exec(textOf(page)) ?? [];
  return parse(head) as Record<string, string>;
}

describe("the package in the Pulumi Registry", () => {
  it("is described by the schema at the tag of a release", () => {
    const { name, version, publisher, description, keywords } = schema;
    // The Registry takes the name from the repository's, and refuses another version than the tag's.
    expect(slug).toMatch(new RegExp(`^[\\w-]+/pulumi-${name}$`));
    expect(version).toBe(packageJson.version);
    expect(publisher).not.toBe("");
    expect(description).toContain(name);
    expect(keywords).toContain("kind/component");
    const [category] = keywords.filter((keyword) => keyword.startsWith("category/"));
    expect(CATEGORIES.map((each) => `category/${each}`)).toContain(category);
  });

  it("is where the packages say", () => {
    for (const { homepage, repository, bugs } of [packageJson, emulatorJson]) {
      expect(repository.url).toBe(`git+${schema.repository}.git`);
      expect(homepage).toBe(schema.homepage);
      expect(bugs.url).toBe(`${schema.repository}/issues`);
    }
    expect(schema.language.nodejs.packageName).toBe(packageJson.name);
    const [, , , version, ...logo] = new URL(schema.logoUrl).pathname.split("/");
    expect(version).toBe(`v${packageJson.version}`);
    expect(existsSync(join(root, ...logo))).toBe(true);
    expect(textOf("LICENSE")).toContain("Apache License");
  });

  it("is installed from the releases of its repository, in the documentation and the examples too", () => {
    const { pluginDownloadURL, name, version } = schema;
    expect(pluginDownloadURL).toBe(`github://api.github.com/${slug}`);
    const texts = [
      "examples/quickstart-python/Pulumi.yaml",
      "examples/quickstart-go/Pulumi.yaml",
      "docs/guides/languages.md",
      "docs/installation-configuration.md",
    ].map(textOf);
    const entry = `packages:\n  ${name}:\n    source: ${name}\n    version: ${version}\n    pluginDownloadURL: ${pluginDownloadURL}\n`;
    expect(texts.filter((text) => !text.includes(entry))).toEqual([]);
    expect(texts.join().match(/github:\/\/\S+?(?=[\s`])/g)).toSatisfy((urls: readonly string[]) =>
      urls.every((url) => url === pluginDownloadURL),
    );
  });

  it("has the two pages, with titles by its name", () => {
    expect(pages.map((page) => frontMatterOf(page))).toEqual(
      [schema.displayName, `${schema.displayName} Installation & Configuration`].map((title) => ({
        title,
        meta_desc: expect.any(String) as string,
        layout: "package",
      })),
    );
  });

  it.each(pages)("shows %s without what breaks there", (page) => {
    const lines = textOf(page).split("\n");
    expect(lines.filter((line) => BROKEN.some((pattern) => pattern.test(line)))).toEqual([]);
    expect(textOf(page)).not.toMatch(/\|\s*(ba)?sh\b|\bsudo\b|\beval\b/);
  });

  it("has an example in each language", () => {
    const languages = ["typescript", "python", "go", "yaml"];
    const text = textOf("docs/_index.md");
    expect(text).toContain(`{{< chooser language "${languages.join(",")}" >}}`);
    for (const language of languages) {
      expect(text).toContain(`{{% choosable language ${language} %}}\n\n\`\`\`${language}\n`);
    }
  });

  it("names packages that the schema declares", () => {
    const text = textOf("docs/installation-configuration.md");
    expect(text).toContain(`[\`${schema.language.nodejs.packageName}\`](https://www.npmjs.com/`);
    expect(textOf("docs/_index.md")).toContain(schema.language.python.packageName);
  });
});
