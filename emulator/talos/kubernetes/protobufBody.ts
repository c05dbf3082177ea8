import path from "node:path";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";

const definitions = loadSync("kubernetes.proto", {
  keepCase: true,
  bytes: String,
  includeDirs: [path.join(__dirname, "..", "proto")],
});

/** The form in which clients with types of their own write, such as Helm. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** What comes before each object. Source: k8s.io/apimachinery v0.36.2, `serializer/protobuf/protobuf.go`. */
const PREFIX = "k8s\0";

/** Kinds that clients have been seen to write so. */
const KINDS: readonly string[] = ["Secret", "DeleteOptions"];

/** An object in Protocol Buffers as JSON; undefined for a kind that `proto/kubernetes.proto` doesn't have. */
export function jsonOfProtobuf(body: Buffer): string | undefined {
  if (body.toString("latin1", 0, PREFIX.length) !== PREFIX) {
    return undefined;
  }
  const envelope = decode("Unknown", body.subarray(PREFIX.length)) as {
    readonly typeMeta?: { readonly apiVersion?: string; readonly kind?: string };
    readonly raw?: string;
  };
  const { typeMeta: { apiVersion, kind = "" } = {}, raw = "" } = envelope;
  if (!KINDS.includes(kind)) {
    return undefined;
  }
  const { metadata = {}, ...others }: { readonly metadata?: object } = decode(
    kind,
    Buffer.from(raw, "base64"),
  );
  // In this form, an empty text means that there is none.
  const given = Object.entries(metadata).filter(([, value]) => value !== "");
  return JSON.stringify({ apiVersion, kind, ...others, metadata: Object.fromEntries(given) });
}

function decode(message: string, bytes: Buffer): object {
  const definition = definitions[`kubernetes.emulator.${message}`];
  if (definition === undefined || !("deserialize" in definition)) {
    throw new Error(`proto/kubernetes.proto defines no message "${message}"`);
  }
  return (definition as MessageTypeDefinition<object, object>).deserialize(bytes);
}
