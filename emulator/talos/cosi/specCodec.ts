import path from "node:path";
import { loadSync, type PackageDefinition } from "@grpc/proto-loader";

const definitions: PackageDefinition = loadSync("specs.proto", {
  keepCase: false,
  enums: String,
  longs: String,
  includeDirs: [path.join(__dirname, "..", "proto")],
});

/**
 * A resource spec in protobuf. `message` names one of `proto/specs.proto`; fields are in camelCase.
 * Raises an `Error` for a message that is not there.
 */
export function encodeSpec(message: string, value: object): Buffer {
  const definition = definitions[`talos.emulator.${message}`];
  if (!definition || !("serialize" in definition) || typeof definition.serialize !== "function") {
    throw new Error(`proto/specs.proto defines no message "${message}"`);
  }
  return definition.serialize(value);
}

/** An IPv4 address as the bytes of `Ip`. */
export function ipOf(address: string): { ip: Buffer } {
  return { ip: Buffer.from(address.split(".").map(Number)) };
}
