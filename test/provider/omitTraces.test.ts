import { omitTraces } from "../../provider/omitTraces";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("takes no stack traces until it is undone", () => {
  const before = Error.stackTraceLimit;
  const restore = omitTraces();
  const { stack } = new Error("inside");
  restore();
  expect(stack).toBe("Error: inside");
  expect(Error.stackTraceLimit).toBe(before);
  expect(new Error("outside").stack).toContain("omitTraces.test.ts");
});

it("leaves them to people who look for promises that never end", () => {
  vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
  const restore = omitTraces();
  const { stack } = new Error("inside");
  restore();
  expect(stack).toContain("omitTraces.test.ts");
});
