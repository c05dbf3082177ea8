import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { getEngine, resetOptions } from "@pulumi/pulumi/runtime/settings";
import { ownConnections } from "../../scripts/openStack";

describe("ownConnections", () => {
  it("reaches an engine on a port that another one had before", async () => {
    ownConnections();
    const port = await freePort();
    const before = await logTo(port);
    expect(before).toMatch(/ECONNREFUSED/);

    const engine = new grpc.Server();
    engine.addService(
      {
        log: {
          path: "/pulumirpc.Engine/Log",
          requestStream: false,
          responseStream: false,
          requestSerialize: (value: Buffer) => value,
          requestDeserialize: (value: Buffer) => value,
          responseSerialize: (value: Buffer) => value,
          responseDeserialize: (value: Buffer) => value,
        },
      },
      {
        log: (_: unknown, reply: grpc.sendUnaryData<Buffer>) => {
          reply(null, Buffer.alloc(0));
        },
      },
    );
    await new Promise<void>((resolve, reject) => {
      engine.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error) => {
        if (error === null) {
          resolve();
        } else {
          reject(error);
        }
      });
    });
    try {
      expect(await logTo(port)).toBe("answered");
    } finally {
      engine.forceShutdown();
    }
  });
});

/** What an engine at a port answers to a program that begins. */
function logTo(port: number): Promise<string> {
  resetOptions("project", "stack", 1, `127.0.0.1:${port}`, "", false, "");
  const engine = getEngine();
  if (engine === undefined) {
    throw new Error("the SDK knows no engine");
  }
  return new Promise((resolve) => {
    engine.log(new LogRequest(), (error: Error | null) => {
      resolve(error === null ? "answered" : error.message);
    });
  });
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}
