import { status } from "@grpc/grpc-js";
import { failureOf, refuse, useClientBench } from "./clientBench";

const { connectToMachine } = useClientBench();

describe("forwarding", () => {
  async function headersOf(options: { node?: string }): Promise<Record<string, unknown>> {
    let headers: Record<string, unknown> = {};
    const client = await connectToMachine(
      {
        Version: ({ metadata }, callback) => {
          headers = metadata.getMap();
          callback(null, { messages: [{}] });
        },
      },
      options,
    );
    await client.version();
    return headers;
  }

  it('addresses another node only with the header "node"', async () => {
    const headers = await headersOf({ node: "10.0.0.5" });
    expect(headers).toMatchObject({ node: "10.0.0.5" });
    expect(headers).not.toHaveProperty("nodes");
  });

  it("sends no header if the endpoint is the node", async () => {
    expect(await headersOf({})).not.toHaveProperty("node");
    expect(await headersOf({ node: "127.0.0.1" })).not.toHaveProperty("node");
  });

  it("names node and endpoint in an error", async () => {
    const client = await connectToMachine(
      {
        Version: (_, callback) =>
          refuse(callback, status.UNAVAILABLE, "dial tcp 10.0.0.5:50000: connection refused"),
      },
      { node: "10.0.0.5" },
    );
    const error = await failureOf(client.version());
    expect(error).toMatchObject({ code: "unreachable", node: "10.0.0.5" });
    expect(error.message).toMatch(
      /^Talos node "10\.0\.0\.5" \(through 127\.0\.0\.1:\d+\) cannot be reached: nothing listens there \(connection refused\)/,
    );
  });

  it("throws an error that a node reports in its message", async () => {
    const client = await connectToMachine({
      ServiceList: (_, callback) =>
        callback(null, {
          messages: [
            {
              metadata: {
                hostname: "10.0.0.6",
                error: "rpc error: code = PermissionDenied desc = not authorized",
                status: { code: 7, message: "not authorized" },
              },
            },
          ],
        }),
    });
    expect(await failureOf(client.services())).toMatchObject({
      code: "permissionDenied",
      node: "10.0.0.6",
      grpcCode: 7,
      method: "machine.MachineService/ServiceList",
    });
  });
});
