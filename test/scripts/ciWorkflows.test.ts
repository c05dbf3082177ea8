import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const ci = join(__dirname, "../../examples/ci");

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly needs?: string;
  readonly concurrency?: { readonly group: string };
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface GitlabJob {
  readonly extends?: string;
  readonly needs?: readonly unknown[];
  readonly script?: readonly string[];
  readonly rules?: readonly { readonly if: string }[];
  readonly artifacts?: { readonly paths?: readonly string[] };
  readonly parallel?: { readonly matrix: readonly { readonly STACK: readonly string[] }[] };
  readonly before_script?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly environment?: string | { readonly name: string };
  readonly resource_group?: string;
}

const workflows = readdirSync(join(ci, "github")).map((name) => {
  const text = readFileSync(join(ci, "github", name), "utf8");
  return { name, text, workflow: parse(text) as Workflow };
});

const stepOf = (job: Job | undefined, action: RegExp) =>
  job?.steps?.find(({ uses = "" }) => action.test(uses));

/** The scripts that lines of a workflow call. */
function scriptsIn(text: string): string[] {
  return [...text.matchAll(/ci\/scripts\/(\S+)/g)].map(([, script]) => script ?? "");
}

it("has workflows for previews, merges, drift and repairs", () => {
  expect(workflows.map(({ name }) => name)).toEqual([
    "deploy.yml",
    "drift.yml",
    "preview.yml",
    "repair.yml",
    "up.yml",
  ]);
});

describe.each(workflows)("$name", ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  it("pins actions by commit, with the release beside it", () => {
    const lines = text.split("\n").filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line));
    expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines) {
      expect(line).toMatch(/uses: [\w-]+(?:\/[\w-]+){1,2}@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it("has only the permissions that each job names", () => {
    expect(workflow.permissions).toEqual({});
    for (const { permissions } of jobs) {
      expect(permissions?.contents).toBe("read");
      expect(Object.keys(permissions ?? {})).not.toContain("actions");
    }
  });

  it("gives no foreign code its credentials", () => {
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    for (const { uses, with: inputs } of steps) {
      if (uses?.startsWith("actions/checkout@") === true) {
        expect(inputs?.["persist-credentials"]).toBe(false);
      }
    }
    expect(text).not.toMatch(/secrets\.|aws-access-key|AWS_SECRET/);
  });

  it("puts no expression into a shell", () => {
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  });

  it("has a time limit, and an environment for what is more than reading the code", () => {
    for (const job of jobs.filter(({ uses }) => uses === undefined)) {
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      const isHarmless = Object.keys(job.permissions ?? {}).join() === "contents";
      expect(job.environment === undefined).toBe(isHarmless);
    }
  });

  it("calls existing scripts", () => {
    for (const script of scriptsIn(text)) {
      accessSync(join(ci, "scripts", script), constants.R_OK);
    }
  });
});

describe("the jobs of GitHub's workflows", () => {
  const jobs = workflows.flatMap(({ workflow }) => Object.entries(workflow.jobs));
  const own = jobs.filter(([, { uses }]) => uses === undefined);

  it("preview a pull request with what the default branch exports, without a role or the state", () => {
    const { preview, ...others } = Object.fromEntries(own);
    expect(preview?.permissions).toEqual({ contents: "read" });
    expect(JSON.stringify(preview)).not.toMatch(/vars\.|AWS|BACKEND|cache\/save/);
    const found = stepOf(preview, /^actions\/cache\/restore@/)?.with;
    const [prefix] = String(found?.["restore-keys"]).split("${{");
    expect(preview?.steps?.some(({ run }) => run?.endsWith(` ${String(found?.path)}`))).toBe(true);
    const exporting = Object.entries(others).filter(([, { steps = [] }]) =>
      steps.some(({ run }) => run?.includes("export.sh")),
    );
    expect(exporting.map(([name]) => name)).toEqual(["drift", "up"]);
    for (const [, job] of exporting) {
      const kept = stepOf(job, /^actions\/cache\/save@/)?.with;
      expect(String(kept?.key).split("${{")[0]).toBe(prefix);
      expect(kept?.path).toBe(found?.path);
    }
  });

  it("run no code of a pull request beside a token that writes, or with the credentials of several stacks", () => {
    const writers = own.filter(([, { permissions }]) => permissions?.["pull-requests"] === "write");
    expect(writers.map(([name]) => name)).toEqual(["comment"]);
    for (const [, { permissions, steps = [] }] of writers) {
      expect(permissions).not.toHaveProperty("id-token");
      expect(steps.map(({ run }) => run ?? "").join("\n")).not.toMatch(/npm|preview\.sh/);
      const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
      expect(checkouts.map((step) => step.with?.ref)).toEqual([
        "${{ github.event.pull_request.base.sha }}",
      ]);
    }
    const withRoles = own.filter(([, { permissions }]) => permissions?.["id-token"] === "write");
    for (const [, { environment }] of withRoles) {
      expect(environment).toMatch(/\$\{\{ (matrix|inputs)\.stack \}\}/);
    }
  });

  it("repair machines in turn with updates, and wait for no reviewer", () => {
    const { up, repair } = Object.fromEntries(own);
    const groups = [up, repair].map((job) => job?.concurrency?.group.replace(/inputs|matrix/, ""));
    expect(groups[0]).toBe(groups[1]);
    expect(repair?.environment).not.toBe(up?.environment?.replace("inputs", "matrix"));
    expect(repair?.steps?.at(-1)?.run).toContain("--machines --yes");
  });

  it("change only what was approved", () => {
    const { plan, up } = Object.fromEntries(own);
    expect(plan?.environment).not.toBe(up?.environment);
    expect(up?.needs).toBe("plan");
    const step = up?.steps?.find(({ run }) => run?.includes("up.sh"));
    expect(step?.run).toBe('ci/scripts/up.sh "$STACK" "$APPROVED"');
    expect(step?.env?.APPROVED).toBe("${{ needs.plan.outputs.approved }}");
  });
});

describe(".gitlab-ci.yml", () => {
  const text = readFileSync(join(ci, "gitlab/.gitlab-ci.yml"), "utf8");

  it("calls the same scripts", () => {
    const ofGithub = workflows.flatMap((workflow) => scriptsIn(workflow.text));
    expect(new Set(scriptsIn(text))).toEqual(new Set(ofGithub));
  });

  it("has the scripts of the default branch beside its token, and each role in an environment of its stack", () => {
    const jobs = parse(text) as Record<string, GitlabJob>;
    expect(jobs.comment?.before_script?.join("\n")).toContain("git show FETCH_HEAD:ci/scripts/");
    expect(JSON.stringify(jobs.comment)).not.toMatch(/npm|id_tokens|AWS/);
    const withRoles = Object.values(jobs).filter(({ variables }) => variables?.AWS_ROLE_ARN);
    for (const { environment = "" } of withRoles) {
      expect(typeof environment === "string" ? environment : environment.name).toContain("$STACK");
    }
    const ups = Object.entries(jobs).filter(([, job]) => job.extends === ".up");
    expect(ups.map(([stack, { needs }]) => [stack, needs])).toEqual(
      ["sandbox", "staging", "production"].map((stack) => [stack, [`${stack}-plan`]]),
    );
  });

  it("previews a merge request with what the default branch exported, without a role or the state", () => {
    const jobs = parse(text) as Record<string, GitlabJob>;
    const exports = Object.entries(jobs).filter(([, job]) => job.extends === ".export");
    expect(jobs.preview?.needs).toEqual(
      exports.map(([job]) => ({
        project: "$CI_PROJECT_PATH",
        job,
        ref: "$CI_DEFAULT_BRANCH",
        artifacts: true,
      })),
    );
    expect(exports.map(([, { variables }]) => variables?.STACK)).toEqual(
      jobs.preview?.parallel?.matrix[0]?.STACK,
    );
    expect(jobs.preview).not.toHaveProperty("extends");
    expect(JSON.stringify([jobs.preview, jobs.variables])).not.toMatch(/AWS|TOKEN|environment"/);
    const [file] = jobs[".export"]?.artifacts?.paths ?? [];
    expect(jobs.preview?.script?.at(-1)).toBe(
      `ci/scripts/preview.sh "$STACK" "preview-$STACK.md" "${file ?? ""}"`,
    );
    for (const { if: rule } of jobs[".export"]?.rules ?? []) {
      expect(rule).toMatch(/"schedule"|"push" && \$CI_COMMIT_BRANCH == \$CI_DEFAULT_BRANCH/);
    }
  });

  it("repairs machines by the same command, in turn with updates, and by a schedule of its own", () => {
    const { repair, ".up": up, drift } = parse(text) as Record<string, GitlabJob>;
    const ofGithub = workflows.find(({ name }) => name === "repair.yml")?.workflow.jobs.repair;
    expect(repair?.script).toEqual([ofGithub?.steps?.at(-1)?.run]);
    expect(repair?.resource_group).toBe(up?.resource_group);
    expect(repair?.environment).toMatchObject({ name: "$STACK-repair" });
    const others = [drift, (parse(text) as Record<string, GitlabJob>)[".export"]];
    const isRepair = '$SCHEDULED == "repair"';
    expect(repair?.rules).toEqual([{ if: `$CI_PIPELINE_SOURCE == "schedule" && ${isRepair}` }]);
    for (const { if: rule } of others.flatMap((job) => job?.rules ?? [])) {
      expect(rule.includes('"schedule"')).toBe(rule.includes(isRepair.replace("==", "!=")));
    }
  });

  it("extends its own jobs, and uses its own stages", () => {
    const { stages, default: _, variables, ...jobs } = parse(text) as Record<string, unknown>;
    expect(variables).toBeDefined();
    for (const job of Object.values(jobs) as { extends?: string; stage?: string }[]) {
      expect(job.extends === undefined || job.extends in jobs).toBe(true);
      expect(job.stage === undefined || (stages as string[]).includes(job.stage)).toBe(true);
    }
  });
});

it("has executable scripts", () => {
  for (const script of readdirSync(join(ci, "scripts")).filter((name) => name.endsWith(".sh"))) {
    accessSync(join(ci, "scripts", script), constants.X_OK);
  }
});
