import { ConfigError } from "../../../provider/config/configError";
import { awsSchematicId, installerImage } from "../../../provider/config/installerImage";
import { schematic } from "../../../provider/config/schematic";

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

test("system extensions and kernel arguments make its schematic", () => {
  const systemExtensions = ["siderolabs/iscsi-tools"];
  const image = installerImage({ talosVersion: "v1.12.1", systemExtensions });
  expect(image).toBe(
    `factory.talos.dev/aws-installer/${schematic({ systemExtensions }).id}:v1.12.1`,
  );
  const extraKernelArgs = ["mitigations=off"];
  expect(installerImage({ talosVersion: "v1.12.1", systemExtensions, extraKernelArgs })).not.toBe(
    image,
  );
});

test("a schematic is named by id or by what is in it, not both", () => {
  const options = { talosVersion: "v1.12.1", schematicId, ecrCredentialProvider: false };
  expect(() => installerImage({ ...options, systemExtensions: ["siderolabs/gvisor"] })).toThrow(
    "schematicId: stands for a whole schematic and can't be set together with systemExtensions and ecrCredentialProvider: put it all into the schematic, or leave the id out",
  );
});
