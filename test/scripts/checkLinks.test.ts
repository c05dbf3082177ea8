import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const script = join(__dirname, "../../scripts/checkLinks.mjs");

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "links-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Writes pages, and checks them. */
function check(pages: Readonly<Record<string, string>>): { status: number | null; said: string[] } {
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
  return { status, said: stderr.split("\n").filter((line) => line !== "") };
}

describe("the check of links", () => {
  it("accepts files, folders, headings, URLs, and text in code", () => {
    const pages = {
      "README.md":
        "# One\n\n[a](docs/README.md) [b](docs) [c](https://example.com/x)\n`[d](no.md)`\n",
      "docs/README.md":
        "[e](page.md#what-it-is-not-yet) [f](#here)\n\n## Here\n\n```\n[g](no.md)\n```\n",
      "docs/page.md": "## What it is, `not` yet\n\n[h](../README.md)\n",
    };
    expect(check(pages)).toEqual({ status: 0, said: [] });
  });

  it("names the line of each broken link, and pages without a link", () => {
    const pages = {
      "README.md": "\n[a](docs/gone.md)\n",
      "docs/README.md": "[b](page.md#gone)\n",
      "docs/page.md": "# Page\n",
      "docs/guides/lost.md": "# Lost\n",
    };
    expect(check(pages)).toEqual({
      status: 1,
      said: [
        'README.md:2: there is no file "docs/gone.md"',
        'docs/README.md:1: there is no heading "#gone" in "page.md"',
        "docs/README.md: no link to docs/guides/lost.md",
      ],
    });
  });
});
