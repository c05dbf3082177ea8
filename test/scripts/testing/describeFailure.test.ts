import { describeFailure } from "../../../scripts/testing/describeFailure";

const errors = [{ message: "expected 1 to be 2", stack: "Error: expected\n    at file.ts:3:5" }];

describe("a failure", () => {
  it("of a fast test names file, test and the command that runs it alone", () => {
    const file = "test/cli/up.test.ts";
    expect(describeFailure("unit", { file, title: "up > says what's new", isTest: true, errors }))
      .toBe(`
FAILED test/cli/up.test.ts
  up > says what's new
    expected 1 to be 2
        at file.ts:3:5
  again: npm test -- unit test/cli/up.test.ts -t 'up > says what'\\''s new'

`);
  });

  it.each([
    ["a test of an engine's life", "engine", true],
    ["a hook", "unit", false],
  ])("of %s repeats the whole file", (_, suite, isTest) => {
    const text = describeFailure(suite, { file: "test/x.test.ts", title: "x", isTest, errors });
    expect(text).toContain(`again: npm test -- ${suite} test/x.test.ts\n`);
  });

  it("outside of every file repeats the suite", () => {
    const text = describeFailure("components", { title: "unhandled", isTest: false, errors });
    expect(text).toContain("FAILED components\n");
    expect(text).toContain("again: npm test -- components\n");
  });
});
