import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import packageJson from "../../package.json";

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: unknown;
        readonly "timeout-minutes": number;
        readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
      }
    >
  >;
}

const text = readFileSync(join(__dirname, "../../.github/workflows/nightly.yml"), "utf8");
const workflow = parse(text) as Workflow;
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);

test("runs each night, and on request", () => {
  expect(Object.keys(workflow.on)).toEqual(["schedule", "workflow_dispatch"]);
});

test("may only read the sources", () => {
  expect(workflow.permissions).toEqual({});
  expect(jobs.length).toBeGreaterThan(0);
  for (const { permissions } of jobs) {
    expect(permissions).toEqual({ contents: "read" });
  }
  expect(text).not.toMatch(/secrets\./);
});

test("has a time limit", () => {
  for (const job of jobs) {
    expect(job["timeout-minutes"]).toBeGreaterThan(0);
  }
});

test("pins actions by commit, with the release beside it", () => {
  const lines = text.split("\n").filter((line) => /^\s*- uses: /.test(line));
  expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
  for (const line of lines) {
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test("runs existing commands, without expressions in a shell", () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands.filter((command) => command !== "npm ci")).toEqual([
    "npm run conformance",
    "npm run test:life",
    "npm run test:changes -- seeds 5",
    "npm run test:oldest",
    "npm run test:languages",
    "npm run test:kills",
    "npm run test:kills -- seeds 5",
    "npm run test:machines",
    "npm run test:kubernetes",
  ]);
  expect(Object.keys(packageJson.scripts)).toEqual(
    expect.arrayContaining([
      "conformance",
      "test:life",
      "test:languages",
      "test:kills",
      "test:changes",
      "test:oldest",
      "test:machines",
      "test:kubernetes",
    ]),
  );
});

test("runs each life of a cluster", () => {
  const ofLife = packageJson.scripts["test:life"].split(" ").slice(4);
  // Those of `npm run test:kills` and `npm run test:changes`.
  const words = [...ofLife, "killedChanges", "killedCreates", "randomChanges"];
  const files = readdirSync(join(__dirname, "../life")).filter((name) => name.endsWith(".test.ts"));
  expect(files.filter((name) => !words.some((word) => name.includes(word)))).toEqual([]);
  expect(words.filter((word) => !files.includes(`${word}.test.ts`))).toEqual([]);
});

test("runs the tests with real machines on a runner that has the labs, with each release", () => {
  expect(workflow.jobs.machines).toMatchObject({
    if: "vars.LAB_RUNNER != ''",
    "runs-on": "${{ vars.LAB_RUNNER }}",
    env: { TALOS_LAB: "${{ vars.TALOS_LAB }}", KUBERNETES_LAB: "${{ vars.KUBERNETES_LAB }}" },
  });
  expect(text).not.toContain("TALOS_LAB_RELEASE");
});
