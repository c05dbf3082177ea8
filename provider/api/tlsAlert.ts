/** TLS alerts by which a Talos node refuses a client's certificate, by number (RFC 8446, section 6). */
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
 * The number of the TLS alert an error tells of, undefined if it tells of none.
 *
 * OpenSSL's and grpc-js' texts differ between versions, and with TLS 1.3 between runs, as the alert
 * comes after the client's side of the handshake is done. Number and name of the alert are what
 * they have in common.
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
