import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { startTcpProxy, type TcpProxy, type TcpTarget } from "../../emulator/tcpProxy";
import { freePort, fetchText } from "./support/tcp";

describe("startTcpProxy", () => {
  let echo: Server;
  let target: TcpTarget;
  let proxy: TcpProxy;
  let port: number;
  let chosen: TcpTarget | undefined;

  beforeEach(async () => {
    echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    echo.listen(0, "127.0.0.1");
    await once(echo, "listening");
    target = { host: "127.0.0.1", port: (echo.address() as AddressInfo).port };
    chosen = target;
    port = await freePort("127.0.0.1");
    proxy = await startTcpProxy({ host: "127.0.0.1", port, chooseTarget: () => chosen });
  });

  afterEach(async () => {
    await proxy.close();
    echo.close();
  });

  it("forwards bytes both ways, also after one side has ended", async () => {
    const message = "x".repeat(1_000_000);
    expect(await fetchText("127.0.0.1", port, message)).toBe(message);
  });

  it("resets a connection that has no target", async () => {
    chosen = undefined;
    await expect(fetchText("127.0.0.1", port, "hello")).rejects.toThrow(/ECONNRESET|EPIPE/);
  });

  it("resets a connection whose target does not answer", async () => {
    chosen = { host: "127.0.0.1", port: await freePort("127.0.0.1") };
    await expect(fetchText("127.0.0.1", port, "hello")).rejects.toThrow(/ECONNRESET|EPIPE/);
  });

  it("ends open connections when it is closed", async () => {
    const client = connect(port, "127.0.0.1");
    client.write("hello");
    await once(client, "data");
    const closed = once(client, "close");
    client.on("error", () => undefined);
    await proxy.close();
    await closed;
    await expect(fetchText("127.0.0.1", port, "hello")).rejects.toThrow("ECONNREFUSED");
  });
});
