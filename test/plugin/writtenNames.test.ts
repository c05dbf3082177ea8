import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writtenNames } from "../../plugin/writtenNames";

describe("the names in messages", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-names-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["runtime: python", "machine_count"],
    ["runtime: { name: python, options: { virtualenv: venv } }", "machine_count"],
    ["runtime: yaml", "machineCount"],
    ["runtime: [", "machineCount"],
    ["", "machineCount"],
  ])("of a project with `%s` are as in %s", (line, name) => {
    writeFileSync(join(folder, "Pulumi.yaml"), `name: demo\n${line}\n`);
    mkdirSync(join(folder, "src"));
    expect(writtenNames(join(folder, "src"))("machineCount")).toBe(name);
  });

  it("without a project are those of the schema", () => {
    expect(writtenNames(folder)("machineCount")).toBe("machineCount");
  });
});
