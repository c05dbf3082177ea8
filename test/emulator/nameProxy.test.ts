import { createServer as createWebServer, request } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { type NameProxy, startNameProxy } from "../../emulator/nameProxy";

const NAME = "k8s.local.talos.example";

let proxy: NameProxy;
let target: Server;

/** What answers in the cloud: it returns what it gets. */
beforeEach(async () => {
  target = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((done) => target.listen(0, "127.0.0.7", done));
  proxy = await startNameProxy((name) =>
    name === "localhost"
      ? Promise.reject(new Error("the cloud is gone"))
      : Promise.resolve(name === NAME ? ["127.0.0.7"] : []),
  );
});
afterEach(async () => {
  await proxy.close();
  target.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Opens a tunnel, as kubectl does. */
function open(authority: string): Promise<{ status: number | undefined; socket: Duplex }> {
  return new Promise((resolve, reject) => {
    request(proxy.url, { method: "CONNECT", path: authority })
      .once("connect", ({ statusCode: status }, socket) => resolve({ status, socket }))
      .once("error", reject)
      .end();
  });
}

function exchange(socket: Duplex, text: string): Promise<string> {
  socket.write(text);
  return new Promise((resolve) => {
    socket.once("data", (data: Buffer) => resolve(data.toString()));
  });
}

describe("the emulated cloud's proxy", () => {
  it("connects to a name of the cloud", async () => {
    const { status, socket } = await open(`${NAME}:${portOf(target)}`);
    expect(status).toBe(200);
    expect(await exchange(socket, "hello")).toBe("hello");
    expect(await exchange(socket, "again")).toBe("again");
    socket.destroy();
  });

  it.each([
    ["127.0.0.7", 200],
    ["localhost", 502],
  ])("leaves %s, which is no name of the cloud, to the computer", async (host, expected) => {
    const { status, socket } = await open(`${host}:${portOf(target)}`);
    expect(status).toBe(expected);
    socket.destroy();
  });

  it("says that nothing listens, and ends the connection", async () => {
    const { port } = target.address() as AddressInfo;
    await new Promise((done) => target.close(done));
    const { status, socket } = await open(`${NAME}:${port}`);
    expect(status).toBe(502);
    await new Promise((done) => socket.resume().once("end", done));
    socket.destroy();
  });

  it("is no server of anything else", async () => {
    const status = await new Promise((resolve) => {
      request(proxy.url, (response) => resolve(response.resume().statusCode)).end();
    });
    expect(status).toBe(405);
  });

  it("ends open connections with itself", async () => {
    const { socket } = await open(`${NAME}:${portOf(target)}`);
    const ended = new Promise((done) => socket.once("close", done));
    socket.on("error", () => undefined);
    await proxy.close();
    await ended;
    expect(socket.destroyed).toBe(true);
  });

  it.each(["123456789012.127.0.0.7", "127.0.0.7", NAME])(
    "passes a plain request to %s on",
    async (host) => {
      const asked: string[] = [];
      const web = createWebServer((from, to) => {
        asked.push(`${from.method ?? ""} ${from.headers.host ?? ""}${from.url ?? ""}`);
        from.pipe(to);
      });
      await new Promise<void>((done) => web.listen(0, "127.0.0.7", done));
      const place = `${host}:${(web.address() as AddressInfo).port}`;
      const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
        const headers = { host: place };
        request(proxy.url, { method: "PUT", path: `http://${place}/v20180820/tags?a=b`, headers })
          .once("response", (answer) => {
            let text = "";
            answer
              .on("data", (data: Buffer) => (text += data.toString()))
              .once("end", () => resolve([answer.statusCode, text]));
          })
          .once("error", reject)
          .end("tags");
      });
      expect(status).toBe(200);
      expect(asked).toEqual([`PUT ${place}/v20180820/tags?a=b`]);
      expect(body).toBe("tags");
      web.close();
      web.closeAllConnections();
    },
  );
});
