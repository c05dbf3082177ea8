import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A comment or issue, with the fields that both services have. */
export interface ReportItem {
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
export class ReportService {
  readonly items: Record<"comments" | "issues", ReportItem[]> = { comments: [], issues: [] };
  readonly requests: string[] = [];
  readonly tokens: (string | undefined)[] = [];
  private readonly server: Server = createServer((request, response) => {
    void this.answer(request).then(({ status, content, link }) => {
      response.writeHead(status, { "content-type": "application/json", ...(link && { link }) });
      response.end(JSON.stringify(content));
    });
  });

  /** Resolves to its URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** Adds one, by the job itself when nothing else is said. */
  add(kind: "comments" | "issues", fields: Partial<ReportItem>): ReportItem {
    const id = this.items.comments.length + this.items.issues.length + 1;
    const own = { user: { login: "github-actions[bot]" }, author: { id: 1 } };
    const item = { id, number: id, iid: id, state: "open", ...own, ...fields };
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
    const fields = JSON.parse(Buffer.concat(parts).toString("utf8")) as Partial<ReportItem>;
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
