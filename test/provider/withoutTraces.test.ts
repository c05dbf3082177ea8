import { withoutTraces } from "../../provider/withoutTraces";

const traceInside = () => withoutTraces(() => new Error("inside").stack);

afterEach(() => {
  vi.unstubAllEnvs();
});

it("takes no stack traces meanwhile, and does afterwards", () => {
  expect(traceInside()).toBe("Error: inside");
  expect(new Error("outside").stack).toContain("withoutTraces.test.ts");
  const fail = () =>
    withoutTraces(() => {
      throw new Error("refused");
    });
  expect(fail).toThrow("refused");
  expect(new Error("outside").stack).toContain("withoutTraces.test.ts");
});

it("leaves them to people who look for promises that never end", () => {
  vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
  expect(traceInside()).toContain("withoutTraces.test.ts");
});
