import { status } from "@grpc/grpc-js";
import fc from "fast-check";
import {
  failedReply,
  nameReply,
  nameStreamMessage,
} from "../../../../emulator/talos/apid/mergedReply";
import { RpcError } from "../../../../emulator/talos/rpc/rpcError";
import { protocol } from "../../../../provider/api/protocol";

const { ServiceListResponse } = protocol.machine;

describe("replies of several nodes", () => {
  test("are joined to one reply with a message per node", () => {
    const text = fc.string({ maxLength: 400 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (nodes) => {
        const bytes = nodes.map(([node, id]) =>
          nameReply(ServiceListResponse.serialize({ messages: [{ services: [{ id }] }] }), node),
        );
        const { messages } = ServiceListResponse.deserialize(Buffer.concat(bytes));
        expect(
          messages.map(({ metadata, services }) => [metadata?.hostname, services[0]?.id]),
        ).toEqual(nodes);
      }),
    );
  });

  test("name the node and its error", () => {
    const failure = new RpcError(status.UNAVAILABLE, "connection refused");
    const { messages } = ServiceListResponse.deserialize(failedReply(failure, "10.0.0.1"));
    expect(messages).toMatchObject([
      {
        metadata: {
          hostname: "10.0.0.1",
          error: "rpc error: code = Unavailable desc = connection refused",
          status: { code: 14, message: "connection refused" },
        },
        services: [],
      },
    ]);
  });

  test("have the node's name in each message of a stream", () => {
    const message = protocol.common.Data.serialize({ bytes: Buffer.from("x") });
    const named = protocol.common.Data.deserialize(nameStreamMessage(message, "10.0.0.1"));
    expect(named).toMatchObject({ metadata: { hostname: "10.0.0.1" }, bytes: Buffer.from("x") });
  });

  test("cannot be joined from invalid bytes", () => {
    expect(() => nameReply(Buffer.from([8, 1]), "a")).toThrow("unexpected message format: 8");
    expect(() => nameReply(Buffer.alloc(0), "a")).toThrow("unexpected end of message");
  });
});
