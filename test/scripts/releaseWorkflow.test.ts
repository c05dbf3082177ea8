import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import packageJson from "../../package.json";

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly "timeout-minutes": number;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly strategy?: { readonly matrix: { readonly runner: readonly string[] } };
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const text = readFileSync(join(__dirname, "../../.github/workflows/release.yml"), "utf8");
const workflow = parse(text) as {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: { readonly archive: Job; readonly packages: Job; readonly publish: Job };
};
const { archive, packages, publish } = workflow.jobs;
const steps = [archive, packages, publish].flatMap((job) => job.steps);

test("releases what is tagged, and nothing else", () => {
  expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
  expect(archive.steps.map(({ run }) => run)).toContain(
    `test "v$(node -p 'require("./package.json").version')" = "$GITHUB_REF_NAME"`,
  );
  expect(publish.needs).toEqual(["archive", "packages"]);
});

test("lets only the job that publishes write, with no secret of the repository", () => {
  expect(workflow.permissions).toEqual({});
  for (const job of [archive, packages]) {
    expect(job.permissions).toEqual({
      contents: "read",
      "id-token": "write",
      attestations: "write",
    });
    expect(job.environment).toBeUndefined();
  }
  expect(publish.permissions).toEqual({ contents: "write", "id-token": "write" });
  expect(publish.environment).toBe("release");
  expect(text).not.toMatch(/secrets\./);
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  for (const { uses, with: inputs } of steps) {
    if (uses?.startsWith("actions/checkout@") === true) {
      expect(inputs?.["persist-credentials"]).toBe(false);
    }
  }
});

test("runs no code of the repository beside the right to publish", () => {
  const text = JSON.stringify(publish.steps);
  expect(text).not.toContain("actions/checkout");
  expect(text).not.toMatch(/npm (ci|install|run|exec)|npx|node /);
  expect(text).toContain("--ignore-scripts");
});

test.each([
  ["archive", archive, "release/*.tar.gz"],
  ["packages", packages, "packages/*"],
])("makes the provenance of what %s makes, before it leaves the job", (_, job, subject) => {
  const uses = job.steps.map((step) => step.uses?.replace(/@.*/, ""));
  const attested = uses.indexOf("actions/attest-build-provenance");
  expect(attested).toBeGreaterThan(0);
  expect(job.steps[attested]?.with).toEqual({ "subject-path": subject });
  expect(uses.indexOf("actions/upload-artifact")).toBeGreaterThan(attested);
});

test("names actions by the hash of a commit, with the release beside it", () => {
  const lines = text.split("\n").filter((line) => /^\s*- uses: /.test(line));
  expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
  for (const line of lines) {
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test("publishes the API reference in the package, made from what is published", () => {
  const commands = packages.steps.map(({ run = "" }) => run);
  const [made, packed] = ["npm run docs -- --out reference", "mkdir packages && npm pack"].map(
    (command) => commands.findIndex((run) => run.startsWith(command)),
  );
  expect(made).toBeGreaterThan(commands.indexOf("npm run build"));
  expect(packed).toBeGreaterThan(made ?? 0);
  expect(packageJson.files).toContain("reference");
  const page = readFileSync(join(__dirname, "../../docs/guides/your-own-program.md"), "utf8");
  expect(page).toContain("node_modules/pulumi-talos-aws/reference/index.html");
});

test("makes an archive for each platform, by the program that a test runs", () => {
  expect(archive.strategy?.matrix.runner).toHaveLength(5);
  expect(archive.steps.map(({ run }) => run)).toContain(
    "node dist/scripts/pluginArchive.js release",
  );
  expect([archive, packages, publish].every((job) => job["timeout-minutes"] > 0)).toBe(true);
});

test("holds the schema, of the repository that the schema names", () => {
  expect(packages.steps.map(({ run }) => run)).toContain("cp plugin/schema.json packages/");
  const release = publish.steps.find(({ run }) => run?.startsWith("gh release create"));
  expect(release?.run).toContain(" schema.json ");
  expect(archive.steps.map(({ run }) => run)).toContain(
    `test "$(node -p 'require("./plugin/schema.json").repository')" = "https://github.com/$GITHUB_REPOSITORY"`,
  );
});
