import { findTlsAlert } from "../../../provider/api/connectionProblem";

describe("findTlsAlert", () => {
  it.each([
    // Node 20 with OpenSSL 3.0
    [
      "60408A:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../deps/openssl/ssl/record/rec_layer_s3.c:1605:SSL alert number 116",
      116,
    ],
    ["...:ssl3_read_bytes:tlsv1 alert unknown ca:...:SSL alert number 48", 48],
    // A text without number, as other OpenSSL versions and wrapping layers have it
    ["write failed: ssl/tls alert bad certificate", 42],
    ["sslv3 alert certificate expired", 45],
    ["read ECONNRESET", undefined],
    ["", undefined],
  ])("finds in %p alert %p", (message, alert) => {
    expect(findTlsAlert(new Error(message))).toBe(alert);
  });

  it("reads Node's error code if the text has no alert", () => {
    const error = Object.assign(new Error(""), {
      code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    });
    expect(findTlsAlert(error)).toBe(116);
  });
});
