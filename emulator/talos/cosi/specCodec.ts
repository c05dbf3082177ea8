import path from "node:path";
import { loadSync, type PackageDefinition } from "@grpc/proto-loader";
import type { YamlValue } from "../../../provider/config";

const definitions: PackageDefinition = loadSync("specs.proto", {
  keepCase: false,
  enums: String,
  longs: String,
  includeDirs: [path.join(__dirname, "..", "proto")],
});

/**
 * A resource spec in protobuf. `message` is the name of a message in `proto/specs.proto`; fields
 * are in camelCase. Throws an `Error` for an unknown message.
 */
export function encodeSpec(message: string, value: object): Buffer {
  const definition = definitions[`talos.emulator.${message}`];
  if (!definition || !("serialize" in definition) || typeof definition.serialize !== "function") {
    throw new Error(`proto/specs.proto defines no message "${message}"`);
  }
  return definition.serialize(value);
}

/** An address as the bytes of `Ip`. */
export function ipOf(address: string): { ip: Buffer } {
  if (!address.includes(":")) {
    return { ip: Buffer.from(address.split(".").map(Number)) };
  }
  const [before = "", after] = address.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const head = groups(before);
  const tail = groups(after ?? "");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  return { ip: Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex") };
}

/** A map as `google.protobuf.Struct` for proto-loader. Throws an `Error` for other values. */
export function structOf(value: YamlValue): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("only a map can be a Struct");
  }
  const fields = Object.entries(value).map(([key, item]) => [key, valueOf(item)] as const);
  return { fields: Object.fromEntries(fields) };
}

function valueOf(value: YamlValue): object {
  if (value === null) {
    return { nullValue: "NULL_VALUE" };
  }
  if (Array.isArray(value)) {
    return { listValue: { values: value.map(valueOf) } };
  }
  if (typeof value === "object") {
    return { structValue: structOf(value) };
  }
  if (typeof value === "boolean") {
    return { boolValue: value };
  }
  return typeof value === "string" ? { stringValue: value } : { numberValue: value };
}
