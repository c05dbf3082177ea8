import { status } from "@grpc/grpc-js";
import { TalosApiError } from "../../../provider/api/talosApiError";

const context = {
  node: "10.0.0.4",
  endpoint: "10.0.0.4:50000",
  method: "machine.MachineService/Version",
  timeoutMs: 15_000,
};

function grpcError(code: number, details: string): Error {
  return Object.assign(new Error(`${code}: ${details}`), { code, details });
}

describe("TalosApiError.from", () => {
  it("returns a TalosApiError unchanged", () => {
    const error = TalosApiError.from(grpcError(5, "x"), context);
    expect(TalosApiError.from(error, { ...context, node: "other" })).toBe(error);
  });

  it("has a code for every status of gRPC", () => {
    const codes = Array.from({ length: 16 }, (_, index) => {
      return TalosApiError.from(grpcError(index + 1, "x"), context).code;
    });
    expect(codes).toEqual([
      "cancelled",
      "unknown",
      "invalidArgument",
      "deadlineExceeded",
      "notFound",
      "alreadyExists",
      "permissionDenied",
      "resourceExhausted",
      "failedPrecondition",
      "aborted",
      "outOfRange",
      "unimplemented",
      "internal",
      "unreachable",
      "dataLoss",
      "unauthenticated",
    ]);
  });

  it("contains the call and the cause", () => {
    const cause = grpcError(status.NOT_FOUND, "resource doesn't exist");
    const error = TalosApiError.from(cause, context);
    const { node, endpoint, method } = context;
    expect(error).toMatchObject({ name: "TalosApiError", node, endpoint, method, grpcCode: 5 });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe(`Talos node "10.0.0.4" refused ${method}: resource doesn't exist`);
  });

  it("reads a TLS alert from gRPC's text", () => {
    const details = "read error: tlsv13 alert certificate required: SSL alert number 116";
    expect(TalosApiError.from(grpcError(14, details), context).code).toBe("certificateRequired");
  });

  it("distinguishes an unparsable configuration from other UNKNOWN errors", () => {
    const details =
      "failed to parse config: unknown keys found during decoding:\nmachine:\n  a: b\n";
    const error = TalosApiError.from(grpcError(2, details), context);
    expect(error).toMatchObject({ code: "invalidArgument", grpcCode: 2 });
    expect(error.message).toMatch(/during decoding: machine, a$/);
  });

  it("converts any value", () => {
    expect(TalosApiError.from("text", context)).toMatchObject({ code: "unknown", grpcCode: 2 });
    expect(TalosApiError.from(grpcError(99, "x"), context).code).toBe("unknown");
  });
});

describe("TalosApiError.fromMessage", () => {
  it("returns undefined without an error", () => {
    expect(TalosApiError.fromMessage(null, context)).toBeUndefined();
    const metadata = { hostname: "10.0.0.5", error: "", status: null };
    expect(TalosApiError.fromMessage(metadata, context)).toBeUndefined();
  });

  it("reads Go's form of a status, also if the status itself is missing", () => {
    const text = "rpc error: code = Unimplemented desc = no\nsuch method";
    const metadata = { hostname: "10.0.0.5", error: text, status: null };
    const error = TalosApiError.fromMessage(metadata, context);
    expect(error).toMatchObject({ node: "10.0.0.5", code: "unknown" });
    expect(error?.message).toContain("no\nsuch method");
    const withStatus = { ...metadata, status: { code: 12, message: "", details: [] } };
    expect(TalosApiError.fromMessage(withStatus, context)?.code).toBe("unimplemented");
  });
});
