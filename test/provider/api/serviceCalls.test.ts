import { useClientBench } from "./clientBench";

const { connectToMachine } = useClientBench();

describe("services and etcdMembers", () => {
  it("translates services, with and without health", async () => {
    const client = await connectToMachine({
      ServiceList: (_, callback) =>
        callback(null, {
          messages: [
            {
              services: [
                {
                  id: "etcd",
                  state: "Running",
                  health: { healthy: true, lastMessage: "ok" },
                  events: {
                    events: [{ msg: "Started", state: "Running", ts: { seconds: 1, nanos: 5e8 } }],
                  },
                },
                { id: "machined", state: "Running" },
              ],
            },
          ],
        }),
    });
    expect(await client.services()).toEqual([
      {
        id: "etcd",
        state: "Running",
        healthy: true,
        healthUnknown: false,
        lastMessage: "ok",
        events: [{ state: "Running", message: "Started", at: "1970-01-01T00:00:01.500Z" }],
      },
      {
        id: "machined",
        state: "Running",
        healthy: false,
        healthUnknown: true,
        lastMessage: "",
        events: [],
      },
    ]);
  });

  it("keeps all 64 bits of a member's id", async () => {
    const member = {
      id: "18446744073709551615",
      hostname: "cp-1",
      peerUrls: ["https://10.0.0.4:2380"],
      clientUrls: ["https://10.0.0.4:2379"],
      isLearner: true,
    };
    const client = await connectToMachine({
      EtcdMemberList: (_, callback) => callback(null, { messages: [{ members: [member] }] }),
    });
    expect(await client.etcdMembers()).toEqual([member]);
  });
});
