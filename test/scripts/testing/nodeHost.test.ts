import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findNodeHost } from "../../../scripts/testing/nodeHost";

describe("findNodeHost", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "node-host-"));
    for (const name of ["release", "onPath", "source"]) {
      mkdirSync(join(folder, name));
      if (name !== "source") {
        writeFileSync(join(folder, name, "pulumi-language-nodejs"), "");
      }
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const path = () => [join(folder, "source"), join(folder, "onPath")].join(delimiter);

  it("takes the one beside the engine first, then that on PATH", () => {
    const engineIn = (name: string) => join(folder, name, "pulumi");
    expect(findNodeHost(engineIn("release"), path())).toBe(join(folder, "release"));
    expect(findNodeHost(engineIn("source"), path())).toBe(join(folder, "onPath"));
    expect(findNodeHost("pulumi", path())).toBe(join(folder, "onPath"));
  });

  it("finds none with an engine that was built from source", () => {
    expect(findNodeHost(join(folder, "source/pulumi"), join(folder, "source"))).toBeUndefined();
  });
});
