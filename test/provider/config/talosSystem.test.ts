import { awsSchematicId } from "../../../provider/config/installer/installerImage";
import { schematic } from "../../../provider/config/installer/schematic";
import {
  describeSystem,
  installedSystem,
  installerWithVersion,
  isSameSystem,
  systemOfInstaller,
  talosSystem,
  upgradePathProblem,
} from "../../../provider/config/talosSystem";

const id = "a".repeat(64);
const other = "b".repeat(64);
/** As much of it as is kept. */
const kept = id.slice(0, 16);

describe("the system of an installer", () => {
  it.each([
    [`factory.talos.dev/aws-installer/${id}:v1.13.0`, { version: "v1.13.0", schematic: kept }],
    [
      `factory.talos.dev/aws-installer-secureboot/${id}:v1.13.0-beta.1@sha256:${other}`,
      { version: "v1.13.0-beta.1", schematic: kept },
    ],
    ["ghcr.io/siderolabs/installer:v1.12.1", { version: "v1.12.1" }],
    ["registry.example:5000/installer:v1.12.1", { version: "v1.12.1" }],
    ["registry.example:5000/installer", undefined],
    ["ghcr.io/siderolabs/installer:latest", undefined],
    [`ghcr.io/siderolabs/installer@sha256:${other}`, undefined],
  ])("%s", (image, system) => {
    expect(systemOfInstaller(image)).toEqual(system);
    const document = { machine: { install: { image } } };
    expect(installedSystem([{ kind: "HostnameConfig" }, document])).toEqual(system);
  });

  it("is none without an installer", () => {
    expect(installedSystem([{ machine: { type: "worker" } }, { kind: "A" }])).toBeUndefined();
  });
});

describe("the installer of another release", () => {
  it.each([
    [
      `factory.talos.dev/aws-installer/${id}:v1.12.1`,
      `factory.talos.dev/aws-installer/${id}:v1.13.0`,
    ],
    [
      `registry.example:5000/installer:v1.12.1@sha256:${other}`,
      "registry.example:5000/installer:v1.13.0",
    ],
    ["registry.example:5000/installer", undefined],
    ["ghcr.io/siderolabs/installer:latest", undefined],
  ])("from the place of %s", (image, expected) => {
    expect(installerWithVersion(image, "v1.13.0")).toBe(expected);
  });
});

describe("whether a machine has nothing to install", () => {
  it("compares version and schematic", () => {
    const system = { version: "v1.12.1", schematic: id };
    expect(isSameSystem(system, { ...system })).toBe(true);
    expect(isSameSystem(system, { ...system, version: "v1.12.2" })).toBe(false);
    expect(isSameSystem(system, { ...system, schematic: other })).toBe(false);
  });

  it("compares only the version with an installer without a schematic", () => {
    expect(isSameSystem({ version: "v1.12.1", schematic: id }, { version: "v1.12.1" })).toBe(true);
  });

  it("treats a machine without a schematic as one without extensions", () => {
    const plain = schematic({ ecrCredentialProvider: false }).id;
    const declared = (schematicOf: string) => talosSystem("v1.12.1", schematicOf);
    expect(isSameSystem({ version: "v1.12.1" }, declared(plain))).toBe(true);
    expect(isSameSystem({ version: "v1.12.1" }, declared(awsSchematicId))).toBe(true);
    expect(isSameSystem({ version: "v1.12.1" }, declared(id))).toBe(false);
  });
});

describe("the path from one release to another", () => {
  it.each([
    ["v1.12.1", "v1.12.5"],
    ["v1.12.5", "v1.12.1"],
    ["v1.12.1", "v1.13.0"],
    ["v1.13.0", "v1.12.1"],
    ["v1.12.1", "v2.0.0"],
  ])("is allowed from %s to %s", (running, declared) => {
    expect(upgradePathProblem(running, declared)).toBeUndefined();
  });

  it("names the steps if minors are skipped", () => {
    expect(upgradePathProblem("v1.10.7", "v1.13.0")).toBe(
      'the machine runs Talos v1.10.7, and v1.13.0 is 3 minors above it: go one minor at a time, with an "up" for the newest release of v1.11, of v1.12, then v1.13.0',
    );
  });

  it("may go back one minor at most", () => {
    expect(upgradePathProblem("v1.13.0", "v1.11.5")).toBe(
      "the machine runs Talos v1.13.0, which can't go back to v1.11.5: one minor at most, to v1.12",
    );
  });
});

describe("the description of a system", () => {
  it("is its version, and the schematic if only that differs", () => {
    const one = talosSystem("v1.12.1", id);
    const two = talosSystem("v1.12.1", other);
    expect(describeSystem(one, { version: "v1.13.0" })).toBe("v1.12.1");
    expect(describeSystem(one, two)).toBe("v1.12.1 of schematic aaaaaaaaaaaaaaaa");
    expect(describeSystem({ version: "v1.12.1" }, two)).toBe("v1.12.1 of schematic none");
  });
});
