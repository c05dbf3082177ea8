// report.mjs comment <file>        one comment for each environment on the pull request, updated
// report.mjs drift <stack> <file>  one open issue for each stack that has drifted, updated
// report.mjs steady <stack>        closes that issue
//
// Runs on GitHub and on GitLab by what they say in the environment. The first line of a comment or
// issue is how it is found again.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const LABEL = "drift";

/** GitHub takes 65,536 characters, and a cut leaves room for its own words. */
const LONGEST_BODY = 64_000;

/** What is done on either service, by the variables that it sets. */
function openService(env) {
  return env.GITLAB_CI === "true" ? gitlab(env) : github(env);
}

function github(env) {
  const repository = `${need(env, "GITHUB_API_URL")}/repos/${need(env, "GITHUB_REPOSITORY")}`;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${need(env, "GITHUB_TOKEN")}`,
    "x-github-api-version": "2022-11-28",
  };
  const call = caller(headers);
  // Anybody may write the marker into a comment; only what this job wrote is changed.
  const author = env.REPORT_AUTHOR ?? "github-actions[bot]";
  const isOwn = ({ user, pull_request }) => user?.login === author && pull_request === undefined;
  const number = () =>
    JSON.parse(readFileSync(need(env, "GITHUB_EVENT_PATH"), "utf8")).pull_request.number;
  return {
    comments: async () =>
      (await all(call, `${repository}/issues/${number()}/comments`)).filter(isOwn),
    comment: (body) => call("POST", `${repository}/issues/${number()}/comments`, { body }),
    editComment: ({ id }, body) => call("PATCH", `${repository}/issues/comments/${id}`, { body }),
    issues: async () =>
      (await all(call, `${repository}/issues?state=open&labels=${LABEL}`)).filter(isOwn),
    open: (title, body) => call("POST", `${repository}/issues`, { title, body, labels: [LABEL] }),
    edit: ({ number: issue }, body) => call("PATCH", `${repository}/issues/${issue}`, { body }),
    close: ({ number: issue }) =>
      call("PATCH", `${repository}/issues/${issue}`, { state: "closed" }),
    text: ({ body }) => body ?? "",
  };
}

function gitlab(env) {
  const api = need(env, "CI_API_V4_URL");
  const project = `${api}/projects/${need(env, "CI_PROJECT_ID")}`;
  const call = caller({ "private-token": need(env, "GITLAB_TOKEN") });
  const notes = () => `${project}/merge_requests/${need(env, "CI_MERGE_REQUEST_IID")}/notes`;
  const own = async (items) => {
    const { body: me } = await call("GET", `${api}/user`);
    return items.filter(({ author }) => author?.id === me.id);
  };
  return {
    comments: async () => own(await all(call, notes())),
    comment: (body) => call("POST", notes(), { body }),
    editComment: ({ id }, body) => call("PUT", `${notes()}/${id}`, { body }),
    issues: async () => own(await all(call, `${project}/issues?state=opened&labels=${LABEL}`)),
    open: (title, description) =>
      call("POST", `${project}/issues`, { title, description, labels: LABEL }),
    edit: ({ iid }, description) => call("PUT", `${project}/issues/${iid}`, { description }),
    close: ({ iid }) => call("PUT", `${project}/issues/${iid}`, { state_event: "close" }),
    text: ({ body, description }) => body ?? description ?? "",
  };
}

/** Calls with JSON; what isn't answered well is an error that holds no token. */
function caller(headers) {
  return async (method, url, content) => {
    const response = await globalThis.fetch(url, {
      method,
      headers: { ...headers, ...(content && { "content-type": "application/json" }) },
      ...(content && { body: JSON.stringify(content) }),
    });
    if (!response.ok) {
      const said = (await response.text()).slice(0, 500);
      throw new Error(
        `${method} ${new URL(url).pathname} was answered ${response.status}: ${said}`,
      );
    }
    return { body: await response.json(), next: nextPage(response.headers.get("link") ?? "") };
  };
}

async function all(call, url) {
  const items = [];
  let next = `${url}${url.includes("?") ? "&" : "?"}per_page=100`;
  while (next !== undefined) {
    const page = await call("GET", next);
    items.push(...page.body);
    next = page.next;
  }
  return items;
}

function nextPage(link) {
  return /<([^>]+)>;\s*rel="next"/.exec(link)?.[1];
}

/** Puts a text where one with the same first line stands, or adds it. */
async function upsert({ text }, existing, body, edit, add) {
  const [marker] = body.split("\n", 1);
  const found = existing.find((item) => text(item).startsWith(marker));
  await (found === undefined ? add(body) : edit(found, body));
  return found === undefined ? "added" : "updated";
}

export async function report([what, ...args], env) {
  const service = openService(env);
  switch (what) {
    case "comment": {
      const body = readBody(args[0]);
      const existing = await service.comments();
      return upsert(service, existing, body, service.editComment, service.comment);
    }
    case "drift": {
      const [stack, file] = args;
      const title = `${stack} is not as it is recorded`;
      return upsert(service, await service.issues(), readBody(file), service.edit, (body) =>
        service.open(title, body),
      );
    }
    case "steady": {
      const marker = `<!-- talos-aws drift of ${args[0]} -->`;
      const found = (await service.issues()).filter((issue) =>
        service.text(issue).startsWith(marker),
      );
      for (const issue of found) {
        await service.close(issue);
      }
      return `closed ${found.length}`;
    }
    default:
      throw new Error("usage: report.mjs comment <file> | drift <stack> <file> | steady <stack>");
  }
}

function readBody(file) {
  const text = readFileSync(file, "utf8");
  if (text.length <= LONGEST_BODY) {
    return text;
  }
  const kept = text.slice(0, LONGEST_BODY);
  return `${kept}\n${openFence(kept)}\n\n… cut here: the job's own output has all of it.\n`;
}

/** The end of the block of code that a text ends in; empty outside of one. Source: CommonMark 0.31.2, section 4.5. */
function openFence(text) {
  let open = "";
  for (const line of text.split("\n")) {
    const [, ticks = "", info = ""] = /^ *(`{3,})([^`]*)$/.exec(line) ?? [];
    if (open === "") {
      open = ticks;
    } else if (ticks.length >= open.length && info.trim() === "") {
      open = "";
    }
  }
  return open;
}

function need(env, name) {
  if (!env[name]) {
    throw new Error(`the variable ${name} is not set`);
  }
  return env[name];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  report(process.argv.slice(2), process.env).then(
    (done) => console.log(done),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
