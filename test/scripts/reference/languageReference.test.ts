import { REFERENCE_LANGUAGES } from "../../../scripts/reference/languageNames";
import { languageReference } from "../../../scripts/reference/languageReference";
import { readPackageDescription } from "../../../scripts/reference/packageDescription";

const description = readPackageDescription();

describe.each(REFERENCE_LANGUAGES)("the reference of %s", (language) => {
  const page = languageReference(language, description);

  it("has a part for everything in the schema, and links to parts that there are", () => {
    const parts = page.match(/^### .+$/gm) ?? [];
    const { resources, functions, types } = description;
    const withoutMethods = Object.keys(functions).filter((token) => !token.includes("/"));
    const all = [...Object.keys(resources), ...withoutMethods, ...Object.keys(types)];
    expect(parts).toHaveLength(all.length);
    const anchors = parts.map((part) => part.replace("### ", "").toLowerCase());
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
    expect(new Set(links).size).toBeGreaterThan(50);
    const prefixes = { yaml: "talos-aws:", python: "", go: "new" };
    const isThere = (anchor: string) =>
      anchors.includes(anchor) || anchors.includes(prefixes[language] + anchor);
    expect(links.filter((anchor) => !isThere(anchor))).toEqual([]);
  });

  it("has the example of each resource, in no other language", () => {
    const blocks = [...page.matchAll(/^```(\w*)$/gm)].flatMap(([, name = ""]) =>
      name === "" ? [] : [name],
    );
    expect(new Set(blocks)).toEqual(new Set([language]));
    expect(blocks).toHaveLength(Object.keys(description.resources).length);
    expect(page).not.toContain("{{%");
  });

  it("has no hole", () => {
    expect(page).not.toMatch(/[|[] ?undefined|\[object/);
  });
});

it("names an argument as each language does, and says what must be given and what is secret", () => {
  const lineOf = (language: "yaml" | "python" | "go", name: string) =>
    languageReference(language, description)
      .split("\n")
      .filter((line) => line.startsWith(`| **\`${name}\`**`))
      .join("\n");
  expect(lineOf("yaml", "talosVersion")).toContain("| string |");
  expect(lineOf("python", "talos_version")).toContain("| str |");
  expect(lineOf("go", "TalosVersion")).toContain("| string |");
  expect(lineOf("python", "credentials")).toContain("Secret.");
});
