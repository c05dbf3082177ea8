/**
 * TLS alerts with which a Talos node refuses a client's certificate, by number (RFC 8446, section
 * 6).
 */
const alertNames: ReadonlyMap<number, string> = new Map([
  [42, "bad certificate"],
  [43, "unsupported certificate"],
  [44, "certificate revoked"],
  [45, "certificate expired"],
  [46, "certificate unknown"],
  [48, "unknown ca"],
  [116, "certificate required"],
]);

/**
 * The number of the TLS alert in an error; undefined without one.
 *
 * The texts of OpenSSL and grpc-js differ between versions. With TLS 1.3 they also differ between
 * runs, because the alert comes after the client's side of the handshake. All of them contain the
 * number and the name of the alert.
 */
export function findTlsAlert(error: Error): number | undefined {
  const code = "code" in error ? String(error.code) : "";
  const text = `${code} ${error.message}`.replaceAll("_", " ").toLowerCase();
  const number = /\balert number (\d+)/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  for (const [alert, name] of alertNames) {
    if (text.includes(`alert ${name}`)) return alert;
  }
  return undefined;
}
