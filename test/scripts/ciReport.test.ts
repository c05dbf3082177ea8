import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const script = join(__dirname, "../../examples/ci/scripts/report.mjs");

/** A comment or issue, with the fields that both services have. */
interface Item {
  id: number;
  number: number;
  iid: number;
  title?: string;
  body?: string;
  description?: string;
  state: string;
  user: { login: string };
  author: { id: number };
}

/** Stands in for the API of GitHub or GitLab, which can't be reached: it keeps comments and issues. */
class Service {
  readonly items: Record<"comments" | "issues", Item[]> = { comments: [], issues: [] };
  readonly requests: string[] = [];
  tokens: (string | undefined)[] = [];
  private readonly server: Server = createServer((request, response) => {
    void this.answer(request).then(({ status, content, link }) => {
      response.writeHead(status, { "content-type": "application/json", ...(link && { link }) });
      response.end(JSON.stringify(content));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  add(kind: "comments" | "issues", fields: Partial<Item>): Item {
    const id = this.items.comments.length + this.items.issues.length + 1;
    const own = { user: { login: "github-actions[bot]" }, author: { id: 1 } };
    const item = { ...{ id, number: id, iid: id, state: "open" }, ...own, ...fields };
    this.items[kind].push(item);
    return item;
  }

  private async answer(request: IncomingMessage) {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const { authorization, "private-token": token } = request.headers;
    this.tokens.push(authorization ?? String(token));
    this.requests.push(`${request.method ?? ""} ${url.pathname}`);
    if (url.pathname === "/user") {
      return { status: 200, content: { id: 1 } };
    }
    const kind = /\/(comments|notes)(\/\d+)?$/.test(url.pathname) ? "comments" : "issues";
    if (request.method === "GET") {
      // Two a page, so that pages matter.
      const page = Number(url.searchParams.get("page") ?? "1");
      const open = this.items[kind].filter(({ state }) => state === "open");
      url.searchParams.set("page", String(page + 1));
      const next = `<http://${request.headers.host ?? ""}${url.pathname}${url.search}>; rel="next"`;
      const link = open.length > page * 2 ? next : undefined;
      return { status: 200, content: open.slice((page - 1) * 2, page * 2), link };
    }
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
    }
    const fields = JSON.parse(Buffer.concat(parts).toString("utf8")) as Partial<Item>;
    if (fields.body?.includes("refuse this") === true) {
      return { status: 422, content: { message: "no" } };
    }
    if (request.method === "POST") {
      return { status: 201, content: this.add(kind, fields) };
    }
    const id = Number(url.pathname.split("/").at(-1));
    const item = this.items[kind].find((one) => one.id === id);
    const { state_event: event, ...rest } = fields as { state_event?: string };
    Object.assign(item ?? {}, rest, event === "close" && { state: "closed" });
    return { status: item === undefined ? 404 : 200, content: item ?? {} };
  }
}

let folder: string;
let service: Service;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "talos-aws-report-"));
  service = new Service();
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

  it("keep one issue for each stack that has drifted, until it hasn't", async () => {
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

it("cuts what is too long for a comment", async () => {
  const long = file(`<!-- talos-aws preview of staging -->\n${"x".repeat(100_000)}`);
  await report(onGithub(), "comment", long);
  expect(service.items.comments[0]?.body?.length).toBeLessThan(65_536);
  expect(service.items.comments[0]?.body).toContain("cut here");
});

it("says what was refused, without the token", async () => {
  const refused = report(onGithub(), "comment", file("refuse this"));
  await expect(refused).rejects.toThrow(
    /^POST \/repos\/team\/clusters\/issues\/7\/comments was answered 422: \{"message":"no"\}\n$/,
  );
});

it("says which variable is missing, and what it can do", async () => {
  const { GITHUB_TOKEN: _, ...env } = onGithub();
  await expect(report(env, "comment", file(""))).rejects.toThrow("GITHUB_TOKEN is not set");
  await expect(report(onGithub(), "dance")).rejects.toThrow("usage: report.mjs comment <file>");
});
