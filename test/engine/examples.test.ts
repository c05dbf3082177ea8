import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeExample } from "./support/exampleLife";

const root = join(__dirname, "../..");

describe("examples/quickstart", () => {
  it("is the program in the README", () => {
    const program = readFileSync(join(root, "examples/quickstart/index.ts"), "utf8");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(program);
  });
});

// The largest: test/life/examples.test.ts has the others.
describeExample("production");
