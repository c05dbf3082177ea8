import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import packageJson from "../../package.json";

interface Job {
  readonly permissions: unknown;
  readonly "timeout-minutes": number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const text = readFileSync(join(__dirname, "../../.github/workflows/newTalos.yml"), "utf8");
const workflow = parse(text) as {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<"report" | "issue", Job>>;
};
const { report, issue } = workflow.jobs;

it("runs each night, and on request", () => {
  expect(Object.keys(workflow.on)).toEqual(["schedule", "workflow_dispatch"]);
});

it("has one job that writes issues, in which no code of the repository or of a package runs", () => {
  expect(workflow.permissions).toEqual({});
  expect(report.permissions).toEqual({ contents: "read" });
  expect(issue.permissions).toEqual({ issues: "write" });
  expect(issue.steps.map(({ uses = "" }) => uses.split("@")[0])).toEqual([
    "actions/download-artifact",
    "",
  ]);
  expect(JSON.stringify(issue.steps)).not.toMatch(/npm|node |checkout/);
  expect(text).not.toMatch(/secrets\./);
});

it("pins actions by commit, has time limits, and puts no expression into a shell", () => {
  const uses = text.split("\n").filter((line) => line.includes("uses: "));
  for (const line of uses) {
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
  for (const job of [report, issue]) {
    expect(job["timeout-minutes"]).toBeGreaterThan(0);
    expect(job.steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  }
});

it("runs the command that contributors run", () => {
  const commands = report.steps.flatMap(({ run }) => run ?? []);
  expect(commands).toContain('npm run adopt -- "$RELEASE" --report-only --report talos-report.md');
  expect(Object.keys(packageJson.scripts)).toContain("adopt");
});

describe("the issue", () => {
  const title = "Talos v1.15.0-alpha.1, compared with v1.14.1";
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "issue-"));
    writeFileSync(join(folder, "talos-report.md"), `# ${title}\n\n${"−".repeat(40_000)}`);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs the step beside a `gh` that knows some issues, and notes what it is to create. */
  function open(known: string): string | undefined {
    const gh = `#!/bin/sh\nif [ "$2" = list ]; then echo "${known}"; else echo "$4" > created; fi\n`;
    writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
    const { status } = spawnSync("bash", ["-e", "-c", issue.steps.at(-1)?.run ?? ""], {
      cwd: folder,
      env: { PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`, RUN: "https://example.com/1" },
    });
    expect(status).toBe(0);
    const created = join(folder, "created");
    return existsSync(created) ? readFileSync(created, "utf8").trim() : undefined;
  }

  it("has the report, as much of it as GitHub takes", () => {
    expect(open("Talos v1.14.9, compared with v1.14.1")).toBe(title);
    const body = readFileSync(join(folder, "body.md"), "utf8");
    expect(body).toContain("talos-report of https://example.com/1");
    expect(body).not.toContain("�");
    expect(body.length).toBeLessThan(65_536);
  });

  it("is opened once for a release", () => {
    expect(open(title)).toBeUndefined();
  });
});
