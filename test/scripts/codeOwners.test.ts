import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");
const lines = readFileSync(join(root, ".github/CODEOWNERS"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" "));

/** The owner of a file or folder: of the last line that fits. Source: GitHub, "About code owners". */
const ownerOf = (path: string) =>
  lines.findLast(([pattern = ""]) => pattern === "*" || `/${path}`.startsWith(pattern))?.[1];

describe("CODEOWNERS", () => {
  it.each(lines)("has an existing path and a team: %s", (pattern, ...owners) => {
    expect(pattern === "*" || existsSync(join(root, pattern))).toBe(true);
    expect(owners).toHaveLength(1);
    expect(owners[0]).toMatch(/^@pulumi-talos-aws\/(?:maintainers|security)$/);
  });

  it.each([
    ".github/workflows/release.yml",
    ".github/CODEOWNERS",
    "provider/pki/issueCertificate.ts",
    "components/permissions/planNodePolicy.ts",
    "cli/offline/withoutSecrets.ts",
    "scripts/release/",
    "SECURITY.md",
  ])("asks the security team about %s", (path) => {
    expect(existsSync(join(root, path))).toBe(true);
    expect(ownerOf(path)).toBe("@pulumi-talos-aws/security");
  });

  it("asks the maintainers about everything else, and is what SECURITY.md refers to", () => {
    expect(ownerOf("preview/index.ts")).toBe("@pulumi-talos-aws/maintainers");
    expect(readFileSync(join(root, "SECURITY.md"), "utf8")).toContain("(.github/CODEOWNERS)");
  });
});
