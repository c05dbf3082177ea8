import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../../../../provider/config/configError";
import {
  awsSchematicId,
  installerImage,
  patchedInstallerProblem,
} from "../../../../provider/config/installer/installerImage";
import {
  checkPlatform,
  type Platform,
  PLATFORMS,
} from "../../../../provider/config/installer/platform";
import { schematic } from "../../../../provider/config/installer/schematic";

/** Talos' own list, where the Go toolchain has kept it. */
const talosPlatforms = join(
  process.env.GOMODCACHE ?? join(homedir(), "go/pkg/mod"),
  "github.com/siderolabs/talos/pkg/machinery@v1.12.1/platforms/platforms.go",
);

const schematicId = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba";

test("follows from platform, schematic and version", () => {
  expect(installerImage({ platform: "aws", talosVersion: "v1.12.1", schematicId })).toBe(
    `factory.talos.dev/aws-installer/${schematicId}:v1.12.1`,
  );
});

test("has the extensions of Talos' own AMIs by default", () => {
  expect(installerImage({ platform: "aws", talosVersion: "v1.13.0-beta.0" })).toBe(
    `factory.talos.dev/aws-installer/${awsSchematicId}:v1.13.0-beta.0`,
  );
});

test("a wrong version and a wrong schematic are rejected together", () => {
  const attempt = (): string =>
    installerImage({ platform: "aws", talosVersion: "1.12", schematicId: "abc" });
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow('talosVersion: "1.12" is not a Talos release: write it like "v1.14.1"');
  expect(attempt).toThrow('schematicId: "abc" is not the id of an Image Factory schematic');
});

test("system extensions and kernel arguments determine its schematic", () => {
  const systemExtensions = ["siderolabs/iscsi-tools"];
  const image = installerImage({ platform: "aws", talosVersion: "v1.12.1", systemExtensions });
  expect(image).toBe(
    `factory.talos.dev/aws-installer/${schematic({ systemExtensions }).id}:v1.12.1`,
  );
  const extraKernelArgs = ["mitigations=off"];
  expect(
    installerImage({ platform: "aws", talosVersion: "v1.12.1", systemExtensions, extraKernelArgs }),
  ).not.toBe(image);
});

test("a schematic is given by id or by content, not both", () => {
  const options = {
    platform: "aws" as const,
    talosVersion: "v1.12.1",
    schematicId,
    ecrCredentialProvider: false,
  };
  expect(() => installerImage({ ...options, systemExtensions: ["siderolabs/gvisor"] })).toThrow(
    "schematicId: names a whole schematic and can't be set together with systemExtensions and ecrCredentialProvider: put everything into the schematic, or leave the id out",
  );
});

test("follows the platform, with AWS' extension only on AWS", () => {
  const { id } = schematic({ ecrCredentialProvider: false });
  // what the Image Factory calls the schematic of plain Talos
  expect(id).toBe(schematicId);
  for (const platform of PLATFORMS.filter((each) => each !== "aws")) {
    expect(installerImage({ platform, talosVersion: "v1.12.1" })).toBe(
      `factory.talos.dev/${platform}-installer/${id}:v1.12.1`,
    );
  }
});

test("a missing and an unknown platform are rejected", () => {
  const image = (platform: string | undefined) => (): string =>
    installerImage({ platform: platform as Platform, talosVersion: "v1.12.1" });
  expect(image(undefined)).toThrow(/^platform: it is missing: .* "aws" or another of metal, aws,/);
  expect(image("digitalocean")).toThrow(
    '"digitalocean" is not allowed: did you mean "digital-ocean"',
  );
  expect(image("Hetzner")).toThrow('platform: "Hetzner" is not allowed: Talos calls it "hcloud"');
  expect(checkPlatform("toString")).toContain('has to be one of "metal", "aws"');
});

(existsSync(talosPlatforms) ? test : test.skip)("the platforms are those of Talos", () => {
  const names = [...readFileSync(talosPlatforms, "utf8").matchAll(/Name: +"([^"]+)"/g)];
  // A name of an image can't have capitals.
  const inImages = names.map(([, name = ""]) => name).filter((name) => !/[A-Z]/.test(name));
  expect(inImages).toEqual(PLATFORMS);
  expect(names).toHaveLength(PLATFORMS.length + 1);
});

const otherPlatform =
  /is an installer for machines of the platform "metal", and these are of "aws"/;
const otherRelease =
  /is another release than talosVersion, "v1.12.1": machines would run v1\.13\.0/;

test.each([
  ["ghcr.io/siderolabs/installer:v1.12.1", otherPlatform],
  ["ghcr.io/siderolabs/installer:v1.12.1@sha256:0123", otherPlatform],
  [`factory.talos.dev/installer/${awsSchematicId}:v1.12.1`, otherPlatform],
  [`factory.talos.dev/installer-secureboot/${awsSchematicId}:v1.12.1`, otherPlatform],
  [`factory.talos.dev/metal-installer/${awsSchematicId}:v1.12.1`, otherPlatform],
  ["registry.example.com:5000/metal-installer-secureboot/0123:v1.12.1", otherPlatform],
  [`factory.talos.dev/aws-installer/${awsSchematicId}:v1.13.0`, otherRelease],
  ["registry.example.com/mine:v1.13.0-mine", /machines would run v1\.13\.0-mine/],
  [`factory.talos.dev/aws-installer/${awsSchematicId}:v1.12.1`, undefined],
  [`factory.talos.dev/aws-installer-secureboot/${awsSchematicId}:v1.12.1`, undefined],
  ["registry.example.com/installer:v1.12.1-mine", undefined],
  ["registry.example.com/mine:latest", undefined],
])("the installer %s by patch", (image, problem) => {
  const declared = { platform: "aws", talosVersion: "v1.12.1" } as const;
  const field = patchedInstallerProblem({ machine: { install: { image } } }, declared);
  const document = { UnattendedInstallConfig: { installer: { image } } };
  const inDocument = patchedInstallerProblem(document, declared);
  if (problem === undefined) {
    expect([field, inDocument]).toEqual([undefined, undefined]);
  } else {
    expect(field).toMatch(/^machine\.install\.image: /);
    expect(field).toMatch(problem);
    expect(inDocument).toBe(
      field?.replace("machine.install.image", "UnattendedInstallConfig.installer.image"),
    );
  }
});

test("no installer by patch, by which nothing would be upgraded", () => {
  const declared = { platform: "aws", talosVersion: "v1.14.1" } as const;
  for (const outline of [{ machine: { type: "worker" } }, { UnattendedInstallConfig: {} }]) {
    expect(patchedInstallerProblem(outline, declared)).toMatch(/: is missing, and talosVersion/);
  }
});
