import { status } from "@grpc/grpc-js";
import { failureOf, refuse, useClientBench } from "./clientBench";

const { connectToMachine } = useClientBench();

const [a, b, c] = ["10.0.0.4", "10.0.0.5", "10.0.0.6"] as const;

/** As apid reports that one of several nodes did not answer. */
function failed(hostname: string, name: string, code: number, text: string) {
  const error = `rpc error: code = ${name} desc = ${text}`;
  return { metadata: { hostname, error, status: { code, message: text } } };
}

describe("several nodes", () => {
  it("are addressed one by one, and answer in the order of the request", async () => {
    // Node's HTTP/2 server joins headers of the same name.
    let headers: unknown;
    const client = await connectToMachine({
      Version: ({ metadata }, callback) => {
        headers = { nodes: metadata.get("nodes"), node: metadata.get("node") };
        callback(null, {
          messages: [
            { metadata: { hostname: c }, version: { tag: "v3" } },
            failed(b, "Unavailable", status.UNAVAILABLE, "dial tcp: i/o timeout"),
            { metadata: { hostname: a }, version: { tag: "v1" } },
          ],
        });
      },
    });
    const results = await client.onNodes([a, b, c, a]).version();
    expect(headers).toEqual({ nodes: [`${a}, ${b}, ${c}`], node: [] });
    expect(results.map(({ node, value }) => [node, value?.tag])).toEqual([
      [a, "v1"],
      [b, undefined],
      [c, "v3"],
    ]);
    expect(results[1]?.error).toMatchObject({ code: "unreachable", node: b, grpcCode: 14 });
    expect(results[1]?.error?.message).toMatch(
      /^Talos node "10\.0\.0\.5" \(through 127.*does not respond/,
    );
  });

  it("have an error each if the endpoint leaves them out", async () => {
    const client = await connectToMachine({
      EtcdMemberList: (_, callback) =>
        callback(null, { messages: [{ metadata: { hostname: b }, members: [] }] }),
    });
    const [first, second] = await client.onNodes([a, b]).etcdMembers();
    expect(first?.error).toMatchObject({ code: "unknown", node: a });
    expect(second).toEqual({ node: b, value: [] });
  });

  it("cause an error if messages don't name their node", async () => {
    const client = await connectToMachine({
      EtcdMemberList: (_, callback) => callback(null, { messages: [{ members: [] }] }),
    });
    expect((await failureOf(client.onNodes([a, b]).etcdMembers())).code).toBe("unknown");
    expect(await client.onNodes([a]).etcdMembers()).toEqual([{ node: a, value: [] }]);
  });

  it("fail together if the endpoint rejects the whole call", async () => {
    const client = await connectToMachine({
      Version: (_, callback) => refuse(callback, status.PERMISSION_DENIED, "no request forwarding"),
    });
    const error = await failureOf(client.onNodes([a, b]).version());
    expect(error).toMatchObject({ code: "permissionDenied", node: `${a}, ${b}` });
    expect(error.message).toContain("is a worker, which forwards to no other node");
  });

  it("must have names that Talos can resolve", async () => {
    const client = await connectToMachine({});
    expect(() => client.onNodes(["10.0.0.4:50000"])).toThrow(/give its host name or IP address/);
  });

  it("have separate log lines, and continue when one of them fails", async () => {
    const client = await connectToMachine({
      Logs: (call) => {
        const piece = (hostname: string, text: string) =>
          call.write({ metadata: { hostname }, bytes: Buffer.from(text) });
        piece(a, "one\ntw");
        piece(c, "eins\n");
        call.write(failed(b, "Unknown", status.UNKNOWN, 'log "x" was not registered'));
        piece(a, "o");
        call.end();
      },
    });
    const items = [];
    for await (const { node, value, error } of client.onNodes([a, b, c]).logs({ id: "x" })) {
      items.push([node, value ?? error.code]);
    }
    expect(items).toEqual([
      [a, "one"],
      [c, "eins"],
      [b, "unknown"],
      [a, "two"],
    ]);
  });
});
