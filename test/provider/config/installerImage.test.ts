import { ConfigError } from "../../../provider/config/configError";
import { awsSchematicId, installerImage } from "../../../provider/config/installerImage";

const schematicId = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba";

test("is the one of platform aws, of the schematic and the version wanted", () => {
  expect(installerImage({ talosVersion: "v1.12.1", schematicId })).toBe(
    `factory.talos.dev/aws-installer/${schematicId}:v1.12.1`,
  );
});

test("has the extensions of Talos' own AMIs by default", () => {
  expect(installerImage({ talosVersion: "v1.13.0-beta.0" })).toBe(
    `factory.talos.dev/aws-installer/${awsSchematicId}:v1.13.0-beta.0`,
  );
});

test("a wrong version and a wrong schematic are refused, together", () => {
  const attempt = (): string => installerImage({ talosVersion: "1.12", schematicId: "abc" });
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow('talosVersion: "1.12" is not a Talos release: write it like "v1.12.1"');
  expect(attempt).toThrow('schematicId: "abc" is not the id of an Image Factory schematic');
});
