import { status } from "@grpc/grpc-js";
import { CertificateProblem } from "../../../provider/api/certificateProblem";
import { retryDecision, retryPolicy } from "../../../provider/api/retryPolicy";
import { TalosApiError } from "../../../provider/api/talosApiError";

const context = { node: "10.0.0.4", endpoint: "10.0.0.4:50000", method: "machine.X/Y" };

function failure(code: status): TalosApiError {
  return TalosApiError.from(Object.assign(new Error("text"), { code, details: "text" }), context);
}

describe("retryDecision", () => {
  it("retries only errors that can pass", () => {
    const repeated = Object.entries(retryPolicy).filter(([, { retry }]) => retry);
    expect(repeated.map(([name]) => name)).toEqual([
      "DEADLINE_EXCEEDED",
      "FAILED_PRECONDITION",
      "ABORTED",
      "UNAVAILABLE",
    ]);
  });

  it("depends on the status of an error", () => {
    expect(retryDecision(failure(status.UNAVAILABLE)).retry).toBe(true);
    expect(retryDecision(failure(status.PERMISSION_DENIED)).retry).toBe(false);
    expect(retryDecision(failure(status.INVALID_ARGUMENT)).retry).toBe(false);
    expect(retryDecision(failure(status.UNIMPLEMENTED)).retry).toBe(false);
  });

  // What Talos v1.14.1 answers while it is busy, `v1alpha1_server.go`, and what no wait changes.
  it.each([
    ["bootstrap is not available yet", status.FAILED_PRECONDITION, true],
    ["time is not in sync yet", status.FAILED_PRECONDITION, true],
    ["etcd service is not ready for recovery yet", status.FAILED_PRECONDITION, true],
    ["another apply configuration is already in progress", status.FAILED_PRECONDITION, true],
    ["etcd is not configured, bootstrap is not possible", status.INVALID_ARGUMENT, false],
    ["bootstrap is only available on control plane nodes", status.UNIMPLEMENTED, false],
    ["bootstrap can only be performed on a control plane node", status.FAILED_PRECONDITION, false],
  ])("of %p retries: %p", (details, code, retry) => {
    const error = Object.assign(new Error(details), { code, details });
    expect(retryDecision(TalosApiError.from(error, context))).toMatchObject({
      retry,
      mayHaveRun: false,
    });
  });

  it("reports that the node may have executed the call", () => {
    expect(retryDecision(failure(status.DEADLINE_EXCEEDED)).mayHaveRun).toBe(true);
    expect(retryDecision(failure(status.UNAVAILABLE)).mayHaveRun).toBe(true);
    expect(retryDecision(failure(status.ALREADY_EXISTS)).mayHaveRun).toBe(false);
  });

  it.each([
    ["wrongCluster", false],
    ["alreadyConfigured", false],
    ["notConfigured", true],
    ["nameNotInCertificate", true],
  ] as const)("distinguishes %s from other UNAVAILABLE errors", (kind, retry) => {
    const watch = { stage: "handshaking", failure: new CertificateProblem(kind, "why") } as const;
    const cause = Object.assign(new Error("text"), { code: status.UNAVAILABLE, details: "text" });
    const error = TalosApiError.from(cause, { ...context, watch });
    expect(error.grpcCode).toBe(status.UNAVAILABLE);
    expect(retryDecision(error).retry).toBe(retry);
  });

  it("does not retry a programming error", () => {
    expect(retryDecision(new TypeError("x")).retry).toBe(false);
  });
});
