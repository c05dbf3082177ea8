import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReportService } from "../engine/support/reportService";

const script = join(__dirname, "../../examples/ci/scripts/report.mjs");

let folder: string;
let service: ReportService;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "talos-aws-report-"));
  service = new ReportService();
  url = await service.start();
});

afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

function report(env: Record<string, string>, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout.trim());
      } else {
        reject(new Error(stderr));
      }
    });
  });
}

function file(text: string): string {
  const path = join(folder, "report.md");
  writeFileSync(path, text);
  return path;
}

function onGithub(): Record<string, string> {
  const event = join(folder, "event.json");
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
  return {
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: "team/clusters",
    GITHUB_TOKEN: "token-of-a-test",
    GITHUB_EVENT_PATH: event,
  };
}

function onGitlab(): Record<string, string> {
  return {
    GITLAB_CI: "true",
    CI_API_V4_URL: url,
    CI_PROJECT_ID: "12",
    CI_MERGE_REQUEST_IID: "7",
    GITLAB_TOKEN: "token-of-a-test",
  };
}

describe.each([
  ["GitHub", onGithub, "/repos/team/clusters/issues/7/comments", "Bearer token-of-a-test"],
  ["GitLab", onGitlab, "/projects/12/merge_requests/7/notes", "token-of-a-test"],
])("reports on %s", (_, environment, place, token) => {
  const marker = "<!-- talos-aws preview of staging -->";

  it("keep one comment for each environment", async () => {
    const env = environment();
    service.add("comments", { body: "looks good" });
    service.add("comments", { body: `${marker}\nof somebody else`, ...stranger });
    expect(await report(env, "comment", file(`${marker}\nfirst\n`))).toBe("added");
    const other = file("<!-- talos-aws preview of production -->\nother\n");
    expect(await report(env, "comment", other)).toBe("added");
    expect(await report(env, "comment", file(`${marker}\nsecond\n`))).toBe("updated");
    expect(service.items.comments.map(({ body }) => body?.split("\n")[1])).toEqual([
      undefined,
      "of somebody else",
      "second",
      "other",
    ]);
    expect(service.requests).toContain(`POST ${place}`);
    expect(new Set(service.tokens)).toEqual(new Set([token]));
  });

  it("keep one issue for each drifted stack, until the drift ends", async () => {
    const env = environment();
    const drift = "<!-- talos-aws drift of staging -->";
    const text = () => service.items.issues.map(({ body, description }) => body ?? description);
    expect(await report(env, "drift", "staging", file(`${drift}\none\n`))).toBe("added");
    expect(await report(env, "drift", "staging", file(`${drift}\ntwo\n`))).toBe("updated");
    expect(text()).toEqual([`${drift}\ntwo\n`]);
    expect(service.items.issues[0]?.title).toBe("staging is not as it is recorded");
    expect(await report(env, "steady", "production")).toBe("closed 0");
    expect(await report(env, "steady", "staging")).toBe("closed 1");
    expect(await report(env, "drift", "staging", file(`${drift}\nthree\n`))).toBe("added");
    expect(service.items.issues.map(({ state }) => state)).toEqual(["closed", "open"]);
  });
});

const stranger = { user: { login: "somebody" }, author: { id: 2 } };

it("cuts a text that is too long for a comment", async () => {
  const long = file(`<!-- talos-aws preview of staging -->\n${"x".repeat(100_000)}`);
  await report(onGithub(), "comment", long);
  expect(service.items.comments[0]?.body?.length).toBeLessThan(65_536);
  expect(service.items.comments[0]?.body).toContain("cut here");
});

it.each([
  ["````diff\n+ a", "````"],
  ["  ```\nb\n  ```\n`````text\n```\nstill code", "`````"],
  ["```\ncode\n```\ntext", ""],
])("ends the block of code that is cut, not one that is quoted in it: %j", async (start, end) => {
  await report(onGithub(), "comment", file(`${start}\n${"x".repeat(100_000)}`));
  const body = service.items.comments[0]?.body ?? "";
  expect(body.split("\n").slice(-4)).toEqual([end, "", expect.stringMatching(/^… cut here/), ""]);
});

it("reports what was rejected, without the token", async () => {
  const refused = report(onGithub(), "comment", file("refuse this"));
  await expect(refused).rejects.toThrow(
    /^POST \/repos\/team\/clusters\/issues\/7\/comments was answered 422: \{"message":"no"\}\n$/,
  );
});

it("names the missing variable and its purpose", async () => {
  const { GITHUB_TOKEN: _, ...env } = onGithub();
  await expect(report(env, "comment", file(""))).rejects.toThrow("GITHUB_TOKEN is not set");
  await expect(report(onGithub(), "dance")).rejects.toThrow("usage: report.mjs comment <file>");
});
