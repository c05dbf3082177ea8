import { failureOf, useClientBench } from "./clientBench";

const { connectToMachine } = useClientBench();

describe("version", () => {
  it("returns the node's release", async () => {
    const client = await connectToMachine({
      Version: (_, callback) =>
        callback(null, {
          messages: [
            {
              version: { tag: "v1.12.1", sha: "abc", arch: "amd64" },
              platform: { name: "aws", mode: "cloud" },
            },
          ],
        }),
    });
    expect(await client.version()).toEqual({
      tag: "v1.12.1",
      sha: "abc",
      architecture: "amd64",
      platform: "aws",
      platformMode: "cloud",
    });
  });

  it("fails if the reply has no message", async () => {
    const client = await connectToMachine({ Version: (_, callback) => callback(null, {}) });
    expect(await failureOf(client.version())).toMatchObject({ code: "unknown", grpcCode: 2 });
  });
});
