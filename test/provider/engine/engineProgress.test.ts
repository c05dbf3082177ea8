import { Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { engineProgress } from "../../../provider/engine/engineProgress";

describe("engineProgress", () => {
  it("logs to the engine for the resource, in order, before it is done", async () => {
    const heard: object[] = [];
    const engine = new Server();
    engine.addService(EngineService, {
      log: (
        { request }: { request: LogRequest },
        callback: (error: null, answer: Empty) => void,
      ) => {
        setTimeout(
          () => {
            const { severity, message, urn, ephemeral } = request.toObject();
            heard.push([severity, message, urn, ephemeral ? "while it lasts" : "for good"]);
            callback(null, new Empty());
          },
          heard.length === 0 ? 50 : 0,
        );
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    try {
      const progress = engineProgress("urn:it", `127.0.0.1:${port}`);
      progress.report("first");
      progress.warn("second");
      await progress.told();
      expect(heard).toEqual([
        [LogSeverity.INFO, "first", "urn:it", "while it lasts"],
        [LogSeverity.WARNING, "second", "urn:it", "for good"],
      ]);
    } finally {
      engine.forceShutdown();
    }
  });

  it("does not wait for an engine that is gone", async () => {
    const progress = engineProgress(undefined, "127.0.0.1:1");
    progress.report("nobody hears this");
    await expect(progress.told()).resolves.toBeUndefined();
  });

  it("writes to the standard streams without an engine", async () => {
    const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const progress = engineProgress(undefined);
      progress.report("a line");
      progress.warn("a warning");
      await progress.told();
      expect(out).toHaveBeenCalledWith("a line\n");
      expect(err).toHaveBeenCalledWith("a warning\n");
    } finally {
      vi.restoreAllMocks();
    }
  });
});
