import { once } from "node:events";
import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { endWithEngine } from "../../plugin/endWithEngine";

test("a plugin ends when its engine does, and not before", async () => {
  const engine = createServer();
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  const { port } = engine.address() as AddressInfo;
  const order: string[] = [];
  const ended = new Promise<void>((resolve) => {
    endWithEngine(`127.0.0.1:${port}`, () => {
      order.push("the plugin ended");
      resolve();
    });
  });
  const [session] = (await once(engine, "session")) as [ServerHttp2Session];
  session.ping(() => {
    order.push("the connection was idle");
    session.destroy();
    engine.close();
  });
  await ended;
  expect(order).toEqual(["the connection was idle", "the plugin ended"]);
});

test("a plugin ends if its engine is already gone", async () => {
  const engine = createServer();
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  const { port } = engine.address() as AddressInfo;
  engine.close();
  await once(engine, "close");
  await new Promise<void>((resolve) => {
    endWithEngine(`127.0.0.1:${port}`, resolve);
  });
});
